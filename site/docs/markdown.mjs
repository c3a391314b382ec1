// Markdown as HTML: headings with the anchors that GitHub gives them, links into the site, code in colour.

import MarkdownIt from 'markdown-it';
import GithubSlugger from 'github-slugger';
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import ini from 'highlight.js/lib/languages/ini';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import python from 'highlight.js/lib/languages/python';
import rust from 'highlight.js/lib/languages/rust';
import xml from 'highlight.js/lib/languages/xml';
import { rewrite } from './links.mjs';

for (const [name, language] of Object.entries({ bash, c, javascript, json, python, rust, xml })) {
  hljs.registerLanguage(name, language);
}
// `ini` has the alias `toml`, `bash` has `sh`.
hljs.registerLanguage('ini', ini);

/** Text that is safe in HTML. */
export const escape = (text) => (
  String(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'));

/** Code in colour, as HTML; plain where the language is not known. */
export function colour(code, language) {
  const name = language.split(/[\s,]/)[0];
  return hljs.getLanguage(name) ? hljs.highlight(code, { language: name, ignoreIllegals: true }).value : escape(code);
}

/** Characters of a cell that is read as text: on a phone the cells of its table stand below each other. */
const PROSE = 60;
const markdown = new MarkdownIt({ html: true, highlight: colour });
// Wide tables scroll by themselves, not the page.
markdown.renderer.rules.table_open = (tokens, index) => {
  const end = tokens.findIndex((token, at) => at > index && token.type === 'table_close');
  const hasProse = tokens.slice(index, end).some((token) => token.content.length > PROSE);
  return `<div class="wide"><table${hasProse ? ' class="prose"' : ''}>\n`;
};
markdown.renderer.rules.table_close = () => '</table></div>\n';

const plain = (token) => token.children.map((child) => child.content).join('');

/** A sentence as HTML, without a paragraph around it. */
export const inline = (text) => markdown.renderInline(text);

/**
 * The page of a file of the repository.
 * @returns title, HTML, headings for a table of contents, and the files of the repository that it links to
 */
export function render(text, file) {
  const tokens = markdown.parse(text, {});
  const slugger = new GithubSlugger();
  const headings = [];
  const targets = new Set();
  let title = file;
  tokens.forEach((token, index) => {
    if (token.type === 'heading_open') {
      const words = plain(tokens[index + 1]);
      const id = slugger.slug(words);
      const level = Number(token.tag.slice(1));
      token.attrSet('id', id);
      if (level === 1) title = words;
      else if (level < 4) headings.push({ level, id, words });
    }
    for (const child of token.children ?? []) {
      const key = { link_open: 'href', image: 'src' }[child.type];
      if (!key) continue;
      const { link, target } = rewrite(child.attrGet(key), file);
      child.attrSet(key, link);
      if (child.type === 'image') child.attrSet('loading', 'lazy');
      if (target) targets.add(target);
    }
  });
  return { title, html: markdown.renderer.render(tokens, markdown.options, {}), headings, targets };
}
