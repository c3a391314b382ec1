// The page: opens a scene, steps it in time with the clock, and tells every part what there is to show.

import { Drive, stick } from './drive.js';
import { Editor } from './editor.js';
import { Lost, Refusal } from './engine.js';
import { Futures, margins, overRange } from './futures.js';
import { Hand } from './hand.js';
import { History } from './history.js';
import { pack, unpack, whole } from './link.js';
import { MindPanel } from './mind.js';
import { pickForce } from './pick.js';
import { Plots } from './plots.js';
import { Purposes } from './purposes.js';
import { Scenes } from './scenes.js';
import { Stage } from './stage.js';
import { Timeline } from './timeline.js';
import { Values } from './values.js';

/** Longest time that one picture makes up for, s: a page that was hidden does not race. */
const MOST_BEHIND = 0.1;
/** Time between two looks at panels, ms. */
const PANELS = 100;
/** Rate below which pictures are drawn with less care, 1/s. */
const SMOOTH = 24;
const SPEEDS = [1, 0.5, 0.25, 0.1];
/** Least time that each picture leaves for futures, ms; where pictures are slow, it is twice as long as one. */
const AHEAD = 25;

const $ = (id) => document.getElementById(id);

class Page {
  constructor(module) {
    this.history = new History(module);
    this.stage = new Stage($('view'));
    this.isPlaying = true;
    this.speed = 1;
    this.controller = null;
    const act = (request) => this.act(request);
    this.hand = new Hand(this.stage, act);
    this.drive = new Drive(this.stage, this.hand, act, () => this.controller?.commands ?? []);
    this.editor = new Editor($('editor'), (text) => this.check(text), (text) => this.replace(text));
    this.mind = new MindPanel($('mind'));
    this.futures = new Futures((request) => this.history.engine.ask(request));
    this.values = new Values($('values'), act, (...wanted) => this.overRange(...wanted));
    this.plots = new Plots($('costs'), $('forces'));
    this.purposes = new Purposes($('purposes'), (line) => this.find(line));
    this.timeline = new Timeline($('timeline'), (frame) => this.seek(frame));
    this.scenes = new Scenes($('scenes'), this.history.engine.ask('scenes'), (scene) => this.open(scene));
    this.listen();
    this.rates = { pictures: 0, frames: 0, step: 0, draw: 0, since: performance.now() };
  }

  listen() {
    stick($('stick'), this.drive);
    $('pick').addEventListener('click', () => this.scenes.show());
    $('play').addEventListener('click', () => this.play(!this.isPlaying));
    $('back').addEventListener('click', () => this.nudge(-1));
    $('forth').addEventListener('click', () => this.nudge(1));
    $('view').addEventListener('click', (event) => this.choose(pickForce(this.stage, event)));
    $('restart').addEventListener('click', () => this.restart());
    $('speed').addEventListener('click', () => this.nextSpeed());
    $('share').addEventListener('click', () => this.share());
    $('shove').addEventListener('click', () => this.hand.shove());
    $('throw').addEventListener('click', () => this.hand.throw());
    $('margin').addEventListener('click', () => this.showMargin());
    $('again').addEventListener('click', () => this.editor.again());
    $('events').addEventListener('change', () => this.toggleEvents());
    $('help').addEventListener('click', () => $('about').showModal());
    $('about').addEventListener('click', () => $('about').close());
    for (const tab of document.querySelectorAll('[role=tab]')) {
      tab.addEventListener('click', () => this.tab(tab.dataset.panel));
    }
    window.addEventListener('keydown', (event) => this.key(event, true));
    window.addEventListener('keyup', (event) => this.key(event, false));
    window.addEventListener('hashchange', () => this.openLink());
    new ResizeObserver(() => this.stage.resize()).observe($('view').parentElement);
    this.stage.resize();
  }

  /** Opens what the address says, or the first scene. */
  async openLink() {
    const run = await unpack(window.location.hash);
    if (!run) {
      const name = decodeURIComponent(window.location.hash.slice(1));
      this.open(this.scenes.all.find((scene) => scene.name === name) ?? this.scenes.all[1]);
      return;
    }
    let refusal = 'The run of this link cannot be opened.';
    const isOpen = this.guard(() => {
      const start = { scene: run.scene, overrides: run.overrides ?? [] };
      const shipped = this.history.open(start).controller?.text ?? '';
      const { controller, actions } = whole(run, shipped);
      this.shipped = shipped;
      this.begin({ ...start, controller: controller || undefined }, actions);
      this.say(`A shared run: it plays to ${(run.end * this.history.dt).toFixed(1)} s, then it is yours.`);
      return true;
    });
    if (isOpen) return;
    refusal += ` ${$('message').textContent}`;
    this.open(this.scenes.all[1]);
    this.say(refusal);
  }

  /** Opens a scene of the list. */
  open({ name, overrides = [] }) {
    this.guard(() => {
      this.begin({ scene: name, overrides });
      this.shipped = this.controller?.text ?? '';
      if (window.location.hash) window.history.replaceState(null, '', '#' + name);
    });
  }

  begin(start, actions = []) {
    this.history.open(start, actions);
    this.begun();
    this.play(true);
  }

  /** Shows what is new where another world began. */
  begun() {
    const { description, objects } = this.history;
    const { header, controller } = description;
    this.stage.open(description, objects);
    this.drive.reset();
    this.setController(controller);
    this.editor.show(controller?.text ?? '', controller?.file);
    $('title').textContent = header.title;
    $('name').textContent = header.scene;
    document.title = `${header.title} – aplomb`;
    $('events').checked = !this.history.start.overrides?.includes('events={}');
    $('events').parentElement.hidden = !description.has_events && $('events').checked;
    $('shove').disabled = !this.hand.chest();
    $('margin').disabled = !header.bodies.length;
    document.body.classList.toggle('commanded', Boolean(controller?.commands.length));
    this.say('');
    this.show();
  }

  setController(controller) {
    this.controller = controller;
    this.values.show(controller);
  }

  /** Runs what may fail, and says what failed. */
  guard(work) {
    try {
      return work();
    } catch (error) {
      if (error instanceof Refusal) {
        this.say(error.message);
      } else if (error instanceof Lost) {
        this.history.recover();
        this.begun();
        this.play(false);
        this.say(`${error.message}. It goes on from the snapshot before.`);
      } else {
        throw error;
      }
      return undefined;
    }
  }

  say(message) {
    $('message').textContent = message;
    $('message').hidden = !message;
    clearTimeout(this.silence);
    if (message) this.silence = setTimeout(() => this.say(''), 6000);
  }

  act(request) {
    this.forgetFutures();
    this.guard(() => {
      this.history.act(request);
      if (request.throw) this.stage.setObjects(this.history.objects);
      if (!this.isPlaying) this.show();
    });
  }

  check(text) {
    return this.guard(() => this.history.engine.ask({ check: { text } })) ?? [];
  }

  /** Has a controller take over; returns what is wrong with it after all. */
  replace(text) {
    try {
      this.setController(this.history.act({ replace: { text } }));
      return [];
    } catch (error) {
      if (!(error instanceof Refusal)) this.guard(() => { throw error; });
      return error.findings ?? [];
    }
  }

  /** The moment is another one: what was found of its futures no longer holds. */
  forgetFutures() {
    this.futures.cancel();
    this.stage.margin.hide();
  }

  /** Looks for futures over a range of a parameter. */
  overRange(name, range, done) {
    this.play(false);
    this.forgetFutures();
    this.futures.begin(overRange(name, range), done);
  }

  /** Shows how hard it can be pushed now, from all sides. */
  showMargin() {
    this.play(false);
    this.forgetFutures();
    const { history, stage, hand } = this;
    const gravity = Math.hypot(...history.description.header.gravity);
    const ground = stage.surroundings.height;
    const [x, y, z] = history.frame.com;
    const before = history.frames[history.at - 1 - history.first]?.com ?? [x, y, z];
    const rate = Math.sqrt(gravity / Math.max(z - ground, 0.1));
    const forward = (now, then) => now + (now - then) / (history.dt * rate);
    const capture = [forward(x, before[0]), forward(y, before[1]), ground + 0.006];
    const mass = hand.mass();
    const tell = (known) => stage.margin.show(capture, known, 1 / (mass * rate));
    const work = margins(hand.chest(), mass * Math.sqrt(gravity * stage.height), tell);
    this.say('Futures are computed: pushes from 16 sides …');
    this.futures.begin(work, (all) => {
      const sizes = all.map(([, impulse]) => impulse);
      const [least, most] = [Math.min(...sizes), Math.max(...sizes)].map((size) => size.toFixed(0));
      this.say(`Pushed now at the chest, it stands ${least} N s from its weakest side and ${most} N s from its strongest.`);
    });
  }

  play(isPlaying) {
    if (isPlaying) this.forgetFutures();
    this.isPlaying = isPlaying;
    $('play').dataset.state = isPlaying ? 'playing' : 'paused';
    $('play').ariaLabel = isPlaying ? 'Pause' : 'Play';
    this.last = undefined;
    this.behind = 0;
  }

  nextSpeed() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    $('speed').textContent = `${this.speed}×`;
  }

  nudge(way) {
    this.play(false);
    this.forgetFutures();
    if (way > 0 && this.history.at === this.history.end) this.guard(() => this.step());
    else this.seek(this.history.at + way);
    this.show();
  }

  seek(frame) {
    this.play(false);
    this.forgetFutures();
    this.guard(() => this.history.seek(frame));
    this.afterJump();
    this.show();
  }

  /** After going to another moment: the controller and the objects may be others. */
  afterJump() {
    this.stage.setObjects(this.history.objects);
    if (this.controller) {
      const controller = this.history.engine.ask('controller');
      this.setController(controller);
      this.editor.follow(controller.text);
    }
  }

  restart() {
    const { scene, overrides } = this.history.start;
    const isOther = this.controller && this.editor.inForce !== this.shipped && !this.editor.hasErrors;
    this.guard(() => {
      const text = this.editor.text;
      this.history.restart({ scene, overrides, controller: isOther ? text : undefined });
      this.begun();
      this.play(true);
    });
  }

  toggleEvents() {
    const others = (this.history.start.overrides ?? []).filter((override) => override !== 'events={}');
    const overrides = $('events').checked ? others : [...others, 'events={}'];
    this.guard(() => this.begin({ ...this.history.start, overrides }));
  }

  async share() {
    const { start, log, end } = this.history;
    const run = { scene: start.scene, overrides: start.overrides, controller: start.controller, actions: log, end };
    const link = `${window.location.href.split('#')[0]}#${await pack(run, this.shipped)}`;
    window.history.replaceState(null, '', link);
    let how = 'The link is in the address line';
    try {
      await navigator.clipboard.writeText(link);
      how = 'The link is copied';
    } catch {
      // A page without the right to the clipboard.
    }
    this.say(`${how}: ${link.length} characters with the scene, the controller and ${log.length} actions.`);
  }

  tab(name) {
    for (const tab of document.querySelectorAll('[role=tab]')) tab.ariaSelected = String(tab.dataset.panel === name);
    for (const panel of document.querySelectorAll('[role=tabpanel]')) panel.hidden = panel.id !== name;
    this.panels = 0;
  }

  /** Tells what the contact force on a body is for. */
  choose(body) {
    if (body === undefined) return;
    this.purposes.choose(this.history.description.header.bodies[body]);
    this.tab('purposes');
  }

  /** Shows a line of the controller. */
  find(line) {
    this.tab('editor');
    this.editor.find(line);
  }

  key(event, isDown) {
    if (event.target.matches('textarea, input[type=search]') || event.ctrlKey || event.metaKey || event.altKey) return;
    if ($('scenes').open || $('about').open) return;
    if (this.drive.key(event, isDown)) {
      event.preventDefault();
      return;
    }
    const acts = {
      Space: () => this.play(!this.isPlaying), KeyR: () => this.restart(), Comma: () => this.nudge(-1),
      Period: () => this.nudge(1), KeyT: () => this.hand.throw(this.hand.pointer), KeyF: () => this.hand.shove(),
      KeyO: () => this.scenes.show(), KeyM: () => this.showMargin(),
    };
    if (!isDown || !acts[event.code]) return;
    event.preventDefault();
    acts[event.code]();
  }

  step() {
    const { history } = this;
    history.step();
    if (history.done.some((request) => request.throw)) this.stage.setObjects(history.objects);
    if (history.done.some((request) => request.replace || request.set)) this.afterJump();
  }

  /** One picture. */
  tick(now) {
    requestAnimationFrame((next) => this.tick(next));
    this.guard(() => {
      this.hand.tell();
      this.drive.tell();
      const started = performance.now();
      const before = this.history.at;
      if (this.isPlaying) this.advance(now);
      else this.futures.go(Math.max(AHEAD, 2 * (this.drawn ?? 0)));
      const stepped = performance.now();
      this.show();
      this.drawn = performance.now() - stepped;
      this.count(this.history.at - before, stepped - started, this.drawn);
    });
  }

  advance(now) {
    const passed = this.last === undefined ? 0 : (now - this.last) / 1e3;
    this.behind = Math.min(this.behind + passed * this.speed, MOST_BEHIND);
    this.last = now;
    const started = performance.now();
    while (this.behind >= this.history.dt && this.isPlaying) {
      try {
        this.step();
      } catch (error) {
        this.play(false);
        throw error;
      }
      this.behind -= this.history.dt;
      // A scene that is slower than time is slow, but not stuck.
      if (performance.now() - started > 40) this.behind = 0;
    }
  }

  show() {
    const { history } = this;
    this.stage.show(history.frame, history.other);
    this.timeline.show(history);
    const now = performance.now();
    if (now - (this.panels ?? 0) < PANELS) return;
    this.panels = now;
    this.guard(() => {
      const mind = history.engine.ask('mind');
      if (!$('mind').hidden) this.mind.show(mind, this.controller);
      if (!$('values').hidden) this.values.follow(mind.commands);
      if (!$('purposes').hidden) this.purposes.show(history.engine.ask('forces'), this.controller?.file);
      if (!$('plots').hidden) this.plots.show(history, this.controller);
      $('state').textContent = mind.state;
    });
  }

  /** Figures of the last second, in the corner and for tests. */
  count(frames, step, draw) {
    const { rates } = this;
    Object.assign(rates, {
      pictures: rates.pictures + 1, frames: rates.frames + frames, step: rates.step + step, draw: rates.draw + draw,
    });
    const passed = performance.now() - rates.since;
    if (passed < 1000) return;
    this.figures = {
      pictures: (rates.pictures * 1e3) / passed,
      step: rates.frames ? (rates.step * 1e3) / rates.frames : 0,
      draw: rates.draw / rates.pictures,
    };
    const frame = rates.frames ? `${this.figures.step.toFixed(0)} µs a frame, ` : '';
    $('figures').textContent = `${frame}${this.figures.pictures.toFixed(0)} pictures/s`;
    // One slow second may be any other program's.
    this.slow = this.figures.pictures < SMOOTH && !document.hidden ? (this.slow ?? 0) + 1 : 0;
    if (this.slow > 1) this.stage.lighten();
    this.rates = { pictures: 0, frames: 0, step: 0, draw: 0, since: performance.now() };
  }
}

async function main() {
  try {
    const module = await WebAssembly.compileStreaming(fetch('aplomb.wasm'));
    const page = new Page(module);
    window.page = page;
    await page.openLink();
    if (!window.location.hash) page.say('Drag it, shove it, throw balls at it. “?” tells what else there is.');
    document.body.classList.add('ready');
    requestAnimationFrame((now) => page.tick(now));
  } catch (error) {
    $('loading').textContent = `This page needs WebAssembly with SIMD and WebGL 2. ${error.message}`;
    throw error;
  }
}

main();
