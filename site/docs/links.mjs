// Where pages and files of the repository are in the built site. The folders are the same, so that links between pages
// stay as they are but for the ending.

import path from 'node:path';

/** Whether a link leaves the site: it names a protocol or a host. */
export const isExternal = (link) => /^([a-z][a-z0-9+.-]*:|\/\/)/i.test(link);

/** Path in the site of a file of the repository: pages of Markdown become HTML, the README the first page. */
export function sitePath(file) {
  if (file === 'README.md') return 'index.html';
  return file.replace(/\.md$/, '.html');
}

/** Link from one path of the site to another. */
export const between = (from, to) => path.posix.relative(path.posix.dirname(from), to) || path.posix.basename(to);

/**
 * A link in the page of a file, as it has to be in the site, and the file of the repository that it names: `null`
 * outside the site and within the page.
 */
export function rewrite(link, file) {
  if (isExternal(link) || link.startsWith('#')) return { link, target: null };
  const [, name, fragment] = link.match(/^([^#]*)(#.*)?$/);
  const target = path.posix.normalize(path.posix.join(path.posix.dirname(file), decodeURIComponent(name)));
  return { link: encodeURI(between(sitePath(file), sitePath(target))) + (fragment ?? ''), target };
}
