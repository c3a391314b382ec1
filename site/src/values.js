// Sliders: parameters of the controller, and its commands.

import { escape } from './toml.js';

/** A range around a value of which nothing is known but itself. */
function rangeAround(value) {
  if (value === 0) return [-1, 1];
  return value > 0 ? [0, 3 * value] : [3 * value, 0];
}

const short = (value) => Number(value.toPrecision(4)).toString();

export class Values {
  /**
   * @param act carries out a request on the world
   * @param ahead looks for futures over a range: of a parameter, its range, and who hears of them
   */
  constructor(element, act, ahead) {
    Object.assign(this, { element, act, ahead, rows: [] });
    element.addEventListener('input', (event) => this.change(event.target));
    element.addEventListener('click', (event) => this.lookAhead(event));
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
    const more = (index) => `<button class="plain" data-ahead="${index}" title="A hundred futures of 1 s from here">…`
      + `</button><i data-strip="${index}"></i>`;
    const row = ({ label, value, low, high, unit }, index) => `
      <label><span>${escape(label)}</span>
        <input type="range" data-row="${index}" min="${low}" max="${high}" step="${(high - low) / 300}" value="${value}">
        <output>${short(value)} ${escape(unit)}</output>${this.rows[index].kind === 'set' ? more(index) : ''}</label>`;
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

  /** Shows for which values of a parameter it stands, and how soon it falls for the others. */
  lookAhead(event) {
    const index = event.target.dataset?.ahead;
    if (index === undefined) return;
    event.preventDefault();
    const { name, low, high } = this.rows[Number(index)];
    const strip = this.element.querySelector(`[data-strip="${index}"]`);
    strip.className = 'busy';
    this.ahead(name, [low, high], ({ falls, seconds }) => {
      const share = 100 / falls.length;
      const colour = (fall) => (fall === null ? 'var(--good)'
        : `color-mix(in srgb, var(--error) ${Math.round(100 - (60 * fall) / seconds)}%, var(--back))`);
      const stops = falls.map((fall, number) => `${colour(fall)} ${number * share}% ${(number + 1) * share}%`);
      strip.className = 'known';
      strip.style.background = `linear-gradient(to right, ${stops.join(', ')})`;
      strip.title = `Of ${falls.length} values ${falls.filter((fall) => fall === null).length} stand for ${seconds} s`;
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
