// The documentation site: links into it, its link checker, its parts.
//   node --test test/docs.mjs

import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { checkSite } from '../docs/check.mjs';
import { moments, readScene, sceneNames } from '../docs/gallery.mjs';
import { between, rewrite, sitePath } from '../docs/links.mjs';
import { render } from '../docs/markdown.mjs';
import { schemaPage } from '../docs/schema.mjs';

/** What the checker says of pages: `{path: html}`. */
function check(t, pages) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'site-'));
  t.after(() => fs.rmSync(folder, { recursive: true }));
  for (const [file, html] of Object.entries(pages)) {
    fs.mkdirSync(path.join(folder, path.dirname(file)), { recursive: true });
    fs.writeFileSync(path.join(folder, file), html);
  }
  return checkSite(folder).problems;
}

test('links between pages keep their folders and fragments', () => {
  const links = {
    'docs/files.md#scene': ['README.md', 'docs/files.html#scene'],
    '../files.md': ['docs/tutorials/wall.md', '../files.html'],
    '../README.md#a-scene': ['docs/web.md', '../index.html#a-scene'],
    'gallery/a%20b.png': ['docs/web.md', 'gallery/a%20b.png'],
    '#limits': ['docs/web.md', '#limits'],
    'https://example.org/x.md': ['docs/web.md', 'https://example.org/x.md'],
  };
  for (const [link, [file, expected]] of Object.entries(links)) assert.equal(rewrite(link, file).link, expected);
  assert.equal(rewrite('../files.md#x', 'docs/tutorials/wall.md').target, 'docs/files.md');
  assert.equal(sitePath('README.md'), 'index.html');
  assert.equal(between('docs/a.html', 'docs/a.html'), 'a.html');
});

test('a page has the anchors of GitHub, and knows what it links to', () => {
  const page = render('# One\n\n## `a` & b\n\n## `a` & b\n\n[x](y.md#z) ![p](p.png)\n', 'docs/one.md');
  assert.equal(page.title, 'One');
  assert.deepEqual(page.headings.map((heading) => heading.id), ['a--b', 'a--b-1']);
  assert.deepEqual([...page.targets], ['docs/y.md', 'docs/p.png']);
  assert.match(page.html, /href="y\.html#z"/);
});

test('a site without dead links passes', (t) => {
  assert.deepEqual(check(t, {
    'index.html': '<h1 id="a">A</h1><a href="b/c.html#d"></a><a href="#a"></a><a href="play/#walk"></a><a href="b/"></a>',
    'b/c.html': '<p id="d"></p><a href="../index.html#a"></a><img src="e.png"><a href="https://example.org"></a>',
    'b/index.html': '', 'b/e.png': '', 'play/index.html': '<a href="nowhere"></a>',
  }), []);
});

test('dead links of each kind are found', (t) => {
  const dead = (html) => check(t, { 'index.html': html, 'b.html': '<p id="d"></p>' }).length;
  assert.equal(dead('<a href="c.html"></a>'), 1);
  assert.equal(dead('<a href="b.html#e"></a>'), 1);
  assert.equal(dead('<a href="#e"></a>'), 1);
  assert.equal(dead('<img src="e.png">'), 1);
  assert.equal(dead('<a href="/b.html"></a>'), 1);
  assert.equal(dead('<p id="a"></p><p id="a"></p>'), 1);
  assert.equal(dead('<a href="b.html#d"></a>'), 0);
});

test('a schema becomes tables whose types link to their sections', () => {
  const { html, headings } = schemaPage({
    properties: { a: { $ref: '#/$defs/One%20thing', description: 'Its `a`.' } }, required: ['a'],
    $defs: { 'One thing': { oneOf: [{ const: 'x', description: 'The x.' }, { type: 'number' }] } },
  });
  assert.match(html, /<a href="#one-thing">One thing<\/a><\/td><td>required<\/td><td>Its <code>a<\/code>\./);
  assert.deepEqual(headings.map((heading) => heading.id), ['one-thing']);
});

test('every shipped scene can be read, and its strip is within its run', () => {
  for (const name of sceneNames()) {
    const { content } = readScene(name);
    const times = moments(content, content.duration);
    assert(times.every((time, index) => time >= 0 && time < content.duration && !(time <= times[index - 1])), name);
  }
});
