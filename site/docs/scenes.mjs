// The gallery: a page for each shipped scene, and one with all of them.

import fs from 'node:fs';
import path from 'node:path';
import { readScene, sceneNames } from './gallery.mjs';
import { colour, escape } from './markdown.mjs';

const WHEN = { always: 'always', at_end: 'at the end', once: 'at some time' };

/** Remarks at the beginning of a file. */
const remarks = (text) => {
  const lines = text.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('#'));
  return lines.slice(0, end).map((line) => line.replace(/^#+ ?/, '')).join(' ');
};

/** Criteria of a scene and of its characters: name, kind, condition. */
const criteria = (content) => {
  const owners = [['', content], ...Object.entries(content.characters ?? {})];
  return owners.flatMap(([owner, { success }]) => Object.entries(success ?? {}).map(([name, criterion]) => {
    const [kind, condition] = Object.entries(criterion)[0];
    return { name: owner ? `${owner}: ${name}` : name, kind: WHEN[kind] ?? kind, condition: String(condition) };
  }));
};

/** What became of a run, in words. */
function verdict(run) {
  if (!run || run.criteria.length === 0) return '';
  const held = run.criteria.filter((each) => each.held).length;
  return `<p>When this site was built it held ${held} of ${run.criteria.length} criteria.</p>`;
}

function scenePage(scene, run, hasPage) {
  const { name, text, content } = scene;
  const title = content.title ?? name;
  const characters = Object.entries(content.characters ?? {}).map(([hero, one]) => {
    const named = ['model', 'controller'].filter((key) => typeof one[key] === 'string');
    const files = named.map((key) => `, ${key} <code>${escape(path.basename(one[key]).replace(/\.\w+$/, ''))}</code>`);
    return `<li>Character <code>${escape(hero)}</code>${files.join('')}</li>`;
  });
  const objects = Object.keys(content.passive ?? {}).length;
  const rate = content.trials?.rate;
  const table = criteria(content).map((each) => (
    `<tr><td>${escape(each.name)}</td><td>${escape(each.kind)}</td><td><code>${escape(each.condition)}</code></td></tr>`));
  const about = remarks(text);
  const html = `<h1 id="${name}">${escape(title)}</h1>
${about ? `<p>${escape(about)}</p>` : ''}
<p><code>aplomb run ${name}</code>${hasPage ? ` · <a href="../play/#${name}">run it in this browser</a>` : ''}</p>
${run ? `<img class="strip" src="${name}.png" alt="Pose strip: ${escape(title)}, at ${run.at.join(', ')} s">` : ''}
<ul>
<li>${content.duration} s</li>
${characters.join('\n')}
${objects ? `<li>Passive objects: ${objects}</li>` : ''}
${rate === undefined ? '' : `<li>Promised rate over random draws: ${rate} (<a href="../docs/trials.html">trials</a>)</li>`}
</ul>
${table.length ? `<div class="wide"><table><thead><tr><th>criterion</th><th>holds</th><th>condition</th></tr></thead><tbody>${table.join('\n')}</tbody></table></div>` : ''}
${verdict(run)}
<pre><code>${colour(text, 'toml')}</code></pre>`;
  return { page: `gallery/${name}.html`, title, html, headings: [] };
}

/**
 * Pages of the gallery; pictures are copied beside them.
 * @param pictures folder that `gallery.mjs` made; without it there are none
 * @param hasPage whether the interactive page is part of the site
 */
export function galleryPages({ pictures, out, hasPage }) {
  fs.mkdirSync(path.join(out, 'gallery'), { recursive: true });
  const runOf = (name) => {
    const file = pictures && path.join(pictures, `${name}.json`);
    if (!file || !fs.existsSync(file)) return null;
    fs.copyFileSync(path.join(pictures, `${name}.png`), path.join(out, 'gallery', `${name}.png`));
    return JSON.parse(fs.readFileSync(file, 'utf8'));
  };
  const scenes = sceneNames().map((name) => ({ scene: readScene(name), run: runOf(name) }));
  const cards = scenes.map(({ scene: { name, content }, run }) => (
    `<li><a href="${name}.html">${run ? `<img src="${name}.png" alt="" loading="lazy">` : ''}`
    + `<b>${escape(name)}</b> ${escape(content.title ?? '')}</a></li>`));
  const index = {
    page: 'gallery/index.html',
    title: 'Gallery',
    html: `<h1 id="gallery">Gallery</h1>
<p>The ${scenes.length} scenes that are part of the program, as they are: each was run to its end and drawn when this site was built.</p>
<ul class="cards">${cards.join('\n')}</ul>`,
    headings: [],
  };
  return [index, ...scenes.map(({ scene, run }) => scenePage(scene, run, hasPage))];
}
