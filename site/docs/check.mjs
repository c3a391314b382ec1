// Finds dead links in a built site: files that are missing, and fragments that no element of the page has.
//   node docs/check.mjs FOLDER

import fs from 'node:fs';
import path from 'node:path';
import { Parser } from 'htmlparser2';
import { isExternal } from './links.mjs';

/** Folders that other programs made: they are linked to, and what they contain is not looked at. */
const FOREIGN = ['play', 'api'];

/** Identifiers and links of a page. */
export function readPage(html) {
  const page = { ids: new Set(), twice: [], links: [] };
  const parser = new Parser({
    onopentag(name, attributes) {
      const { id, href, src } = attributes;
      if (id !== undefined) (page.ids.has(id) ? page.twice.push(id) : page.ids.add(id));
      for (const link of [href, src]) if (link !== undefined) page.links.push(link);
    },
  });
  parser.end(html);
  return page;
}

const isForeign = (file) => FOREIGN.includes(file.split('/')[0]);

/** What is wrong with the links of a site, and how many were looked at. */
export function checkSite(folder) {
  const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const all = new Set(files.map((entry) => (
    path.relative(folder, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll(path.sep, '/'))));
  const own = [...all].filter((file) => file.endsWith('.html') && !isForeign(file)).sort();
  const pages = new Map(own.map((file) => [file, readPage(fs.readFileSync(path.join(folder, file), 'utf8'))]));
  const problems = [];
  let links = 0;
  for (const [file, page] of pages) {
    const tell = (what) => problems.push(`${file}: ${what}`);
    for (const id of page.twice) tell(`two elements are called "${id}"`);
    for (const link of page.links.filter((each) => !isExternal(each))) {
      links += 1;
      const [, name, , fragment] = link.match(/^([^#]*)(#(.*))?$/);
      // The site may lie in any folder of a server.
      if (name.startsWith('/')) { tell(`${link} begins at the root of the server`); continue; }
      const plain = path.posix.join(path.posix.dirname(file), decodeURIComponent(name));
      const found = name === '' ? file : [plain, path.posix.join(plain, 'index.html')].find((each) => all.has(each));
      if (found === undefined) tell(`${link} leads to no file`);
      else if (fragment && !isForeign(found) && !pages.get(found)?.ids.has(decodeURIComponent(fragment))) {
        tell(`${link} leads to no element of ${found}`);
      }
    }
  }
  return { problems, links, pages: pages.size };
}

if (process.argv[1] === import.meta.filename) {
  const { problems, links, pages } = checkSite(process.argv[2]);
  for (const problem of problems) console.error(problem);
  console.log(`${links} links of ${pages} pages, ${problems.length} dead`);
  process.exitCode = problems.length ? 1 : 0;
}
