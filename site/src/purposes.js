// What each newton of the contact forces is for, body by body, with the lines of the controller that ask for it.

import { escape } from './toml.js';

/** Bodies with less force are left out, N. */
const LEAST = 1;
/** Parts of a force that are shown. */
const MOST = 6;

const newtons = (force) => force.map((part) => (Math.round(part) + 0).toString()).join(', ');

export class Purposes {
  /** `find` shows a line of the controller. */
  constructor(element, find) {
    this.element = element;
    element.addEventListener('click', ({ target }) => {
      const line = target.closest('[data-line]')?.dataset.line;
      if (line) find(Number(line));
    });
  }

  /** Has a body stand first. */
  choose(body) {
    this.chosen = body;
  }

  /** `file` is that of the controller in the editor. */
  show(bodies, file) {
    const isFirst = ({ body }) => Number(body === this.chosen);
    const bearing = bodies.filter(({ force }) => Math.hypot(...force) >= LEAST).sort((a, b) => isFirst(b) - isFirst(a));
    const html = bearing.length
      ? '<p class="none">World axes x, y, z, N, in the next frame. Parts add up to the force; “without” is by how much '
        + 'it would change.</p>' + bearing.map((body) => this.body(body, file)).join('')
      : '<p class="none">No problem is solved for this character alone, or nothing bears.</p>';
    if (html !== this.html) this.element.innerHTML = html;
    this.html = html;
  }

  body({ body, force, parts }, file) {
    const told = parts.slice(0, MOST);
    const rest = parts.slice(MOST);
    const sum = [0, 1, 2].map((axis) => rest.reduce((all, part) => all + part.force[axis], 0));
    const more = rest.length ? `<tr><td>${rest.length} more</td><td>${newtons(sum)}</td><td></td></tr>` : '';
    return `<h3>${escape(body)} <small>${newtons(force)} N</small></h3><table>`
      + '<tr><th>for</th><th>of it</th><th>without</th></tr>'
      + told.map((part) => this.row(part, file)).join('') + `${more}</table>`;
  }

  row({ name, force, without, place }, file) {
    const [, from, line] = place?.match(/^(.*):(\d+)$/) ?? [];
    const title = place ? ` title="${escape(place)}"` : '';
    // A line of a file that is included is not in the editor.
    const link = line && from.split('/').at(-1) === file ? ` data-line="${line}"` : '';
    return `<tr><td${title}${link}>${escape(name)}</td><td>${newtons(force)}</td>`
      + `<td>${without ? newtons(without) : ''}</td></tr>`;
  }
}
