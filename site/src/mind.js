// The controller's states, and the conditions for leaving the present one with their numbers.

import { escape } from './toml.js';

export class MindPanel {
  constructor(element) {
    this.element = element;
  }

  show(mind, controller) {
    if (!controller) {
      this.element.innerHTML = '<p class="none">Nobody acts in this scene.</p>';
      return;
    }
    const html = this.states(mind, controller) + this.conditions(mind) + this.roles(mind);
    // Ten times a second: what did not change keeps its selection and its hover.
    if (html !== this.html) this.element.innerHTML = html;
    this.html = html;
  }

  states(mind, controller) {
    const now = controller.states.find((state) => state.name === mind.state);
    const guards = new Map(mind.guards.map((guard) => [guard.to, guard]));
    const item = ({ name, to }) => {
      const guard = guards.get(name);
      const isNext = now?.to.includes(name);
      const kind = name === mind.state ? 'now' : isNext ? (guard?.holds ? 'open' : 'next') : '';
      const time = name === mind.state ? `<span>${mind.state_time.toFixed(2)} s</span>` : '';
      const exits = to.length ? `<small>→ ${to.map(escape).join(', ')}</small>` : '';
      return `<li class="${kind}"><b>${escape(name)}</b>${time}${exits}</li>`;
    };
    return `<h3>States</h3><ul class="states">${controller.states.map(item).join('')}</ul>`;
  }

  conditions({ guards }) {
    const told = guards.filter((guard) => guard.text);
    if (!told.length) return '';
    const item = ({ role, to, text, holds, operands }) => {
      const numbers = operands.map(([name, value]) => `<span>${escape(name)} = <b>${escape(value)}</b></span>`);
      return `<li class="${holds ? 'holds' : 'not'}"><div><b>${escape(`${role} ${to}`.trim())}</b>`
        + `<em>${holds ? 'holds' : 'does not hold'}</em></div>`
        + `<code>${escape(text)}</code><p>${numbers.join('')}</p></li>`;
    };
    return `<h3>Conditions</h3><ul class="conditions">${told.map(item).join('')}</ul>`;
  }

  roles({ roles }) {
    if (!roles.length) return '';
    const short = (value) => value.replace(/-?\d+\.\d{4,}(e-?\d+)?/g, (number) => Number(number).toFixed(3));
    const item = ([name, value]) => `<dt>${escape(name)}</dt><dd>${escape(short(value))}</dd>`;
    return `<h3>Bindings</h3><dl>${roles.map(item).join('')}</dl>`;
  }
}
