// Sliders: parameters of the controller, and its commands.

import { escape } from './toml.js';

/** A range around a value of which nothing is known but itself. */
function rangeAround(value) {
  if (value === 0) return [-1, 1];
  return value > 0 ? [0, 3 * value] : [3 * value, 0];
}

const short = (value) => Number(value.toPrecision(4)).toString();

export class Values {
  /** @param act carries out a request on the world */
  constructor(element, act) {
    Object.assign(this, { element, act, rows: [] });
    element.addEventListener('input', (event) => this.change(event.target));
  }

  /** Lays out the sliders of a controller. */
  show(controller) {
    const parameters = (controller?.parameters ?? []).map(([name, value]) => {
      const [low, high] = rangeAround(value);
      return { kind: 'set', name, label: name, value, low, high, unit: '' };
    });
    const commands = (controller?.commands ?? []).flatMap(({ name, unit, now, range: [low, high] }) =>
      now.map((value, number) => {
        const axis = now.length === 3 ? `.${'xyz'[number]}` : '';
        return { kind: 'command', name, number, label: name + axis, value, low: low ?? -1, high: high ?? 1, unit };
      }));
    this.rows = [...commands, ...parameters];
    const row = ({ label, value, low, high, unit }, index) => `
      <label><span>${escape(label)}</span>
        <input type="range" data-row="${index}" min="${low}" max="${high}" step="${(high - low) / 300}" value="${value}">
        <output>${short(value)} ${escape(unit)}</output></label>`;
    const part = (title, from, to) => (from < to
      ? `<h3>${title}</h3>${this.rows.slice(from, to).map((values, index) => row(values, from + index)).join('')}` : '');
    this.element.innerHTML = part('Commands', 0, commands.length)
      + part('Parameters', commands.length, this.rows.length)
      || '<p class="none">This scene has no parameters.</p>';
  }

  /** Shows the present commands, which events and keys change too. */
  follow(commands) {
    this.rows.forEach((row, index) => {
      const value = row.kind === 'command'
        ? commands.find((command) => command.name === row.name)?.now[row.number] : undefined;
      if (value === undefined || value === row.value) return;
      row.value = value;
      const input = this.element.querySelector(`[data-row="${index}"]`);
      if (document.activeElement !== input) input.value = value;
      input.nextElementSibling.textContent = `${short(value)} ${row.unit}`;
    });
  }

  change(input) {
    const row = this.rows[Number(input.dataset.row)];
    row.value = Number(short(Number(input.value)));
    input.nextElementSibling.textContent = `${short(row.value)} ${row.unit}`;
    if (row.kind === 'set') {
      this.act({ set: { name: row.name, value: row.value } });
      return;
    }
    const own = this.rows.filter((other) => other.kind === 'command' && other.name === row.name);
    this.act({ command: { name: row.name, value: own.map((other) => other.value) } });
  }
}
