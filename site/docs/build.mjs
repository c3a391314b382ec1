// Builds the documentation site from the repository.
//   node docs/build.mjs OUT [--pictures FOLDER] [--play FOLDER] [--api FOLDER]
// pictures: what docs/gallery.mjs made; play: the interactive page; api: what cargo doc made.

import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { CHAPTERS, SCHEMAS } from './contents.mjs';
import { layout } from './layout.mjs';
import { sitePath } from './links.mjs';
import { render } from './markdown.mjs';
import { galleryPages } from './scenes.mjs';
import { schemaPage } from './schema.mjs';

const root = path.join(import.meta.dirname, '../..');
const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');
const { values, positionals: [out] } = parseArgs({
  allowPositionals: true,
  options: { pictures: { type: 'string' }, play: { type: 'string' }, api: { type: 'string' } },
});

function write(name, bytes) {
  fs.mkdirSync(path.dirname(path.join(out, name)), { recursive: true });
  fs.writeFileSync(path.join(out, name), bytes);
}

/** The files of the chapters as pages, and what else they link to. */
function markdownPages() {
  const files = CHAPTERS.flatMap(([, names]) => names);
  const written = ['docs', 'docs/tutorials'].flatMap((folder) => (
    fs.readdirSync(path.join(root, folder)).filter((name) => name.endsWith('.md')).map((name) => `${folder}/${name}`)));
  const missing = written.filter((file) => !files.includes(file));
  if (missing.length) throw new Error(`site/docs/contents.mjs does not list ${missing.join(', ')}`);
  const rendered = files.map((file) => ({ page: sitePath(file), file, ...render(read(file), file) }));
  const linked = new Set(rendered.flatMap((page) => [...page.targets]));
  return { rendered, linked: [...linked].filter((file) => !files.includes(file)) };
}

fs.rmSync(out, { recursive: true, force: true });
fs.mkdirSync(out, { recursive: true });
const { rendered, linked } = markdownPages();
// Pictures and other files as they are; what is no file is found by the link checker.
for (const file of linked) {
  const from = path.join(root, file);
  if (fs.statSync(from, { throwIfNoEntry: false })?.isFile()) write(file, fs.readFileSync(from));
}
const schemas = SCHEMAS.map((name) => {
  const file = `docs/schemas/${name}.schema.json`;
  write(file, read(file));
  const { html, headings } = schemaPage(JSON.parse(read(file)));
  const title = `Schema of ${name}s`;
  const intro = `<h1 id="top">${title}</h1>\n<p>As <a href="${name}.schema.json">JSON Schema</a>; `
    + `<code>aplomb schema ${name}</code> prints it.</p>`;
  return { page: `docs/schemas/${name}.html`, title, html: `${intro}\n${html}`, headings };
});
const gallery = galleryPages({ pictures: values.pictures, out, hasPage: values.play !== undefined });
const pages = [...rendered, ...schemas, ...gallery];

const entry = ({ page, title }) => ({ page, title });
const menu = CHAPTERS.map(([chapter, files]) => {
  const entries = files.map((file) => entry(rendered.find((page) => page.file === file)));
  if (chapter === 'Reference') entries.push(...schemas.map(entry));
  return [chapter, entries];
});
menu.splice(1, 0, ['Scenes', [entry(gallery[0])]]);
const doors = [
  { page: 'docs/tutorials/first-controller.html', title: 'Guide' },
  { page: 'docs/files.html', title: 'Reference' },
  { page: 'gallery/index.html', title: 'Gallery' },
];
if (values.play) {
  fs.cpSync(values.play, path.join(out, 'play'), { recursive: true });
  doors.push({ page: 'play/index.html', title: 'Play' });
}
if (values.api) {
  fs.cpSync(values.api, path.join(out, 'api'), { recursive: true });
  doors.push({ page: 'api/aplomb/index.html', title: 'API' });
}
fs.copyFileSync(path.join(import.meta.dirname, 'docs.css'), path.join(out, 'docs.css'));
for (const page of pages) write(page.page, layout({ ...page, menu, doors }));
