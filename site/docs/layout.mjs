// What surrounds the content of each page.

import { between } from './links.mjs';
import { escape } from './markdown.mjs';

/** Table of contents of a page, as a list. */
function contents(headings) {
  const items = headings.map(({ level, id, words }) => (
    `<li class="level${level}"><a href="#${encodeURIComponent(id)}">${escape(words)}</a></li>`));
  return `<ul>${items.join('\n')}</ul>`;
}

/** List of the chapters, with the present page marked. */
function chapters(menu, page) {
  return menu.map(([title, entries]) => {
    const items = entries.map((entry) => {
      const present = entry.page === page ? ' aria-current="page"' : '';
      return `<li><a href="${between(page, entry.page)}"${present}>${escape(entry.title)}</a></li>`;
    });
    return `<h2>${escape(title)}</h2>\n<ul>${items.join('\n')}</ul>`;
  }).join('\n');
}

/**
 * A whole page.
 * @param page its path in the site
 * @param menu titles of chapters, each with its entries `{page, title}`
 * @param doors links at the top, `{page, title}`
 */
export function layout({ page, title, html, headings, menu, doors }) {
  const top = doors.map((door) => `<a href="${between(page, door.page)}">${escape(door.title)}</a>`).join('\n');
  const list = headings.length > 2 ? contents(headings) : '';
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title === 'aplomb' ? 'aplomb' : `${title} · aplomb`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${between(page, 'docs.css')}">
<body>
<header>
<a class="name" href="${between(page, 'index.html')}">aplomb</a>
<nav class="doors">${top}<a class="to-menu" href="#menu">All pages</a></nav>
</header>
<main>
${list ? `<details class="contents"><summary>On this page</summary>${list}</details>` : ''}
<article>
${html}
</article>
</main>
<aside class="contents">${list ? `<h2>On this page</h2>${list}` : ''}</aside>
<nav id="menu">
${chapters(menu, page)}
</nav>
</body>
</html>
`;
}
