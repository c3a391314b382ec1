// A scene that is computed, acted on, wound back, and branched from there. A frame depends only on the state before it
// and the actions in it, so snapshots and the actions between them are the whole past, to the last bit.

import { Engine, Lost, Refusal } from './engine.js';
import { frameOf } from './numbers.js';

/** Frames between snapshots. */
const SPACING = 50;
/** Snapshots that are kept, besides that of the beginning. */
const SNAPSHOTS = 120;
/** Numbers that are kept of all frames together: 96 MB. */
const NUMBERS = 12e6;

/** Whether an action right after another one leaves nothing of it. */
const replaces = ([, later], [, earlier]) => {
  const [name, value] = Object.entries(later)[0];
  const before = earlier[name];
  if (before === undefined) return false;
  return ['pull', 'press', 'replace'].includes(name)
    || (['set', 'command'].includes(name) && before.name === value.name);
};

export class History {
  /** @param module the compiled module */
  constructor(module) {
    this.module = module;
    this.engine = new Engine(module);
  }

  /** Opens a scene: `{scene, controller?, overrides?}`, with actions to come: `[[frame, request], …]`. */
  open(start, actions = []) {
    this.description = this.engine.ask({ open: start });
    this.start = start;
    /** Actions by frame; those from `pending` on are still to come. */
    this.log = actions.slice();
    this.pending = 0;
    /** Frame that is shown: how many were computed before it. */
    this.at = 0;
    this.ghost = null;
    this.forget();
    this.note();
    this.keep();
    return this.description;
  }

  forget() {
    this.frames = [];
    /** Number of the first frame that is kept. */
    this.first = 0;
    this.snapshots = [];
    this.objects = this.engine.ask('objects');
  }

  get dt() {
    return this.description.header.dt;
  }

  /** Number of the last frame that was computed along this branch. */
  get end() {
    return this.first + this.frames.length - 1;
  }

  /** The frame that is shown. */
  get frame() {
    return this.frames[this.at - this.first];
  }

  /** The same moment of the other future, if there is one. */
  get other() {
    return this.ghost?.frames[this.at - this.ghost.first] ?? null;
  }

  /** Whether the next frame has been computed already. */
  get isReplay() {
    return this.at < this.end;
  }

  note() {
    const numbers = this.engine.look();
    this.frames[this.at - this.first] = frameOf(numbers);
    const most = Math.max(200, Math.floor(NUMBERS / numbers.length));
    // Without a snapshot near it, going back to a frame would take as long as the run up to there.
    const earliest = this.snapshots.length > SNAPSHOTS ? this.snapshots[1].at + 1 : 0;
    while (this.first < this.at && (this.frames.length > most || this.first < earliest)) {
      this.frames.shift();
      this.first += 1;
    }
  }

  keep() {
    if (this.snapshots.some((kept) => kept.at === this.at)) return;
    this.snapshots.push({ at: this.at, id: this.engine.ask('keep') });
    this.snapshots.sort((a, b) => a.at - b.at);
    if (this.snapshots.length > SNAPSHOTS + 1) this.drop(this.snapshots.splice(1, 1));
  }

  drop(snapshots) {
    for (const { id } of snapshots) this.engine.ask({ forget: id });
  }

  /** Computes the next frame, with the actions that are due. */
  step() {
    this.carryOut();
    this.engine.step();
    this.at += 1;
    this.note();
    if (this.at % SPACING === 0) this.keep();
  }

  /** Carries out the logged actions of the present frame; returns them. */
  carryOut() {
    const done = [];
    while (this.log[this.pending]?.[0] === this.at) {
      const [, request] = this.log[this.pending];
      this.pending += 1;
      try {
        this.apply(request);
        done.push(request);
      } catch (error) {
        // An action of a link that this scene does not take: the rest may still be right.
        if (!(error instanceof Refusal)) throw error;
      }
    }
    this.done = done;
    return done;
  }

  apply(request) {
    const answer = this.engine.ask(request);
    if (request.throw) this.objects = this.engine.ask('objects');
    return answer;
  }

  /** Acts on the world now. What would have come otherwise stays as the other future. */
  act(request) {
    const answer = this.apply(request);
    this.branch();
    const entry = [this.at, request];
    const last = this.log.at(-1);
    if (last && last[0] === this.at && replaces(entry, last)) this.log.pop();
    this.log.push(entry);
    this.pending = this.log.length;
    return answer;
  }

  /** Drops what is ahead. */
  branch() {
    this.log.length = this.pending;
    if (!this.isReplay) return;
    this.ghost = { first: this.at, frames: this.frames.slice(this.at - this.first) };
    this.frames.length = this.at - this.first + 1;
    const later = this.snapshots.filter((kept) => kept.at > this.at);
    this.snapshots = this.snapshots.filter((kept) => kept.at <= this.at);
    this.drop(later);
  }

  /** Goes to a frame that has been computed. */
  seek(at) {
    const wanted = Math.max(this.first, Math.min(at, this.end));
    const isFrom = (kept) => kept.at < wanted || kept.at === 0;
    const from = this.snapshots.filter(isFrom).at(-1);
    const isAhead = this.at < wanted && this.at >= from.at;
    if (!isAhead && this.at !== wanted) {
      this.engine.ask({ restore: from.id });
      this.at = from.at;
      this.pending = this.log.findIndex(([frame]) => frame >= this.at);
      if (this.pending < 0) this.pending = this.log.length;
      this.objects = this.engine.ask('objects');
    }
    while (this.at < wanted) {
      this.carryOut();
      this.engine.step();
      this.at += 1;
    }
  }

  /** Begins again, with another controller if there is one; what was is the other future. */
  restart(start) {
    const before = { first: this.first, frames: this.frames };
    this.open(start);
    if (before.first === 0 && before.frames.length > 1) this.ghost = before;
  }

  /** After a panic: a new instance, brought to the last snapshot before the frame in which it was. */
  recover() {
    const { start, at } = this;
    const last = Math.max(0, ...this.snapshots.map((kept) => kept.at).filter((kept) => kept < at));
    const log = this.log.filter(([frame]) => frame < last);
    this.engine = new Engine(this.module);
    try {
      this.open(start, log);
      while (this.at < last) this.step();
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      this.engine = new Engine(this.module);
      this.open({ scene: start.scene, overrides: start.overrides });
    }
  }
}
