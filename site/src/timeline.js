// The line of time: where the run is, what was done when, and where it branched.

import { SERIES } from './colours.js';

export class Timeline {
  /** @param seek goes to a frame */
  constructor(element, seek) {
    this.input = element.querySelector('input');
    this.marks = element.querySelector('.marks');
    this.time = element.querySelector('output');
    this.input.addEventListener('input', () => seek(Number(this.input.value)));
  }

  show(history) {
    const { first, end, at, log, ghost } = history;
    const last = Math.max(end, first + Math.round(5 / history.dt), ghost ? ghost.first + ghost.frames.length - 1 : 0);
    this.input.min = first;
    this.input.max = last;
    this.input.value = at;
    this.time.textContent = `${(at * history.dt).toFixed(2)} s`;
    const share = (frame) => `${((100 * (frame - first)) / Math.max(1, last - first)).toFixed(2)}%`;
    const key = [first, last, log.length, end, ghost?.first].join();
    if (key === this.shown) return;
    this.shown = key;
    const kinds = { push: 2, pull: 2, press: 2, throw: 1, replace: 0, set: 0, command: 4 };
    let before = -Infinity;
    // A drag is hundreds of actions: marks nearer than half a percent are one.
    const seen = log.filter(([frame, request]) => {
      const isFar = frame >= first && frame - before > 0.005 * (last - first) && request !== 'release';
      if (isFar) before = frame;
      return isFar;
    });
    const mark = ([frame, request]) => {
      const [kind] = Object.keys(request);
      return `<i style="left:${share(frame)};background:${SERIES[kinds[kind] ?? 8]}" title="${kind}"></i>`;
    };
    const done = `<u style="width:${share(end)}"></u>`;
    const branch = ghost && ghost.first >= first ? `<b style="left:${share(ghost.first)}" title="branch"></b>` : '';
    this.marks.innerHTML = done + seen.map(mark).join('') + branch;
  }
}
