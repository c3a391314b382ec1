// The list of scenes, with a field to find one.

import { escape } from './toml.js';

/** What the page offers first. */
const FIRST = [
  { name: 'drive', title: 'Drive it: W A S D, or the stick', overrides: ['events={}'] },
  { name: 'stand', title: 'Stand: drag it, shove it, throw balls at it' },
  { name: 'step_push', title: 'A push, and a step that catches it' },
  { name: 'walk', title: 'A walk' },
];

export class Scenes {
  /** @param open opens a scene: `{name, overrides}` */
  constructor(dialog, list, open) {
    this.dialog = dialog;
    this.find = dialog.querySelector('input');
    this.element = dialog.querySelector('ul');
    this.all = [...FIRST.map((scene) => ({ ...scene, isFirst: true })), ...list];
    this.find.addEventListener('input', () => this.draw());
    this.find.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') this.element.querySelector('button')?.click();
    });
    dialog.addEventListener('click', (event) => {
      if (event.target === dialog) dialog.close();
      const button = event.target.closest('li button');
      if (!button) return;
      dialog.close();
      open(this.all[Number(button.dataset.scene)]);
    });
  }

  show() {
    this.find.value = '';
    this.draw();
    this.dialog.showModal();
    this.find.focus();
  }

  draw() {
    const words = this.find.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = ({ name, title }) => words.every((word) => `${name} ${title}`.toLowerCase().includes(word));
    const item = (scene, index) => (fits(scene)
      ? `<li class="${scene.isFirst ? 'first' : ''}"><button data-scene="${index}"><b>${escape(scene.title)}</b>`
        + `<small>${escape(scene.name)}${scene.overrides ? ', without its events' : ''}</small></button></li>` : '');
    this.element.innerHTML = this.all.map(item).join('') || '<li class="none">No scene has these words.</li>';
  }
}
