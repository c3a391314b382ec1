// The hand of the visitor: drags bodies, shoves them, throws balls at them.

import { ahead, pick, pointInPlane } from './pick.js';

/** Of the spring, per kg of what is moved: N/m and N s/m. */
const STIFFNESS = 8;
const DAMPING = 0.6;
/** Change of velocity by a shove, m/s, within a time, s; of an object it is four times as much. */
const SHOVE = 0.4;
const SHOVE_TIME = 0.15;
/** A medicine ball: kg, m; its level speed, m/s, and how far from its aim it is let go, m. */
const BALL = { mass: 2, radius: 0.1, speed: 5, distance: 2 };

const round = (numbers, digits) => Array.from(numbers, (number) => Number(number.toFixed(digits)));

export class Hand {
  /** @param act carries out a request on the world */
  constructor(stage, act) {
    Object.assign(this, { stage, act, drag: null, pointer: null });
    const { canvas } = stage;
    // Before the camera's own listener, which is not to turn while a body is dragged.
    canvas.addEventListener('pointerdown', (event) => this.down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.move(event));
    for (const name of ['pointerup', 'pointercancel']) canvas.addEventListener(name, () => this.up());
    canvas.addEventListener('dblclick', (event) => this.shove(pick(stage, event)));
  }

  /** Mass of the character, or of all objects, kg. */
  mass() {
    return Math.max(this.stage.description.mass, 0.1);
  }

  /** Mass that a pull has to move, kg: of an object of many parts some of them, so that the spring stays stable. */
  pulled({ part }) {
    if (!part) return this.mass();
    const objects = this.stage.headers.filter((header) => header.kind !== 'character');
    const { mass, parts } = objects[part[0]];
    return mass / Math.sqrt(parts.length);
  }

  down(event) {
    if (event.button !== 0 || !event.isPrimary) return;
    const hit = pick(this.stage, event);
    this.stage.controls.enabled = !hit;
    if (!hit) return;
    this.stage.canvas.setPointerCapture(event.pointerId);
    this.drag = { ...hit, has: false, from: [event.clientX, event.clientY] };
  }

  move(event) {
    this.pointer = event;
    if (!this.drag) {
      if (event.pointerType === 'mouse') this.stage.canvas.style.cursor = pick(this.stage, event) ? 'grab' : '';
      return;
    }
    const [x, y] = this.drag.from;
    // A tap is no pull.
    if (!this.drag.has && Math.hypot(event.clientX - x, event.clientY - y) < 4) return;
    this.drag.has = true;
    this.stage.canvas.style.cursor = 'grabbing';
    this.drag.anchor = pointInPlane(this.stage, event, this.drag.point);
  }

  up() {
    this.stage.controls.enabled = true;
    this.stage.canvas.style.cursor = '';
    if (this.drag?.has) this.act('release');
    this.drag = null;
  }

  /** Tells the world of the drag, once a picture. */
  tell() {
    if (!this.drag?.anchor) return;
    const { target } = this.drag;
    const mass = this.pulled(target);
    const pull = {
      target,
      local: round(this.drag.local, 3),
      anchor: round(this.drag.anchor, 2),
      stiffness: Number((STIFFNESS * mass).toPrecision(3)),
      damping: Number((DAMPING * mass).toPrecision(3)),
    };
    this.drag.anchor = null;
    this.act({ pull });
  }

  /** Pushes for a short time, away from the eye: what was hit, or else the chest. */
  shove(hit) {
    const target = hit?.target ?? this.chest();
    if (!target) return;
    const mass = target.part ? this.pulled(target) : this.mass();
    const force = ahead(this.stage).multiplyScalar(((target.part ? 4 : 1) * SHOVE * mass) / SHOVE_TIME);
    this.act({ push: { target, force: round(force, 2), duration: SHOVE_TIME } });
  }

  /** The chest of the character, or its first body, or the first object. */
  chest() {
    const { bodies } = this.stage.description.header;
    if (!bodies.length) return this.stage.headers.length ? { part: [0, 0] } : null;
    return { body: [0, Math.max(0, bodies.findIndex((name) => /chest|torso|trunk/i.test(name)))] };
  }

  /** Throws a ball to what is under the pointer, or at the chest. */
  throw(pointer) {
    const { stage } = this;
    const aim = (pointer && pick(stage, pointer)?.point) ?? stage.centre(stage.frame);
    const level = ahead(stage).negate();
    const position = aim.clone().addScaledVector(level, BALL.distance);
    const time = BALL.distance / BALL.speed;
    // p + v t + g t²/2 is the aim after the time of flight t.
    const gravity = stage.description.header.gravity;
    const velocity = aim.clone().sub(position).divideScalar(time);
    velocity.set(...velocity.toArray().map((speed, axis) => speed - 0.5 * gravity[axis] * time));
    const { mass, radius } = BALL;
    this.act({ throw: { mass, radius, position: round(position, 3), velocity: round(velocity, 3) } });
  }
}
