// Keys, the stick and a gamepad: they drive a controller that takes commands, and push the character of any other.

import { Gamepad } from './gamepad.js';
import { ahead } from './pick.js';

/** Share of the range of a command at full deflection. */
const FULL = 2 / 3;
/** Push by a key, m/s² for the whole mass. */
const PUSH = 0.8;
const KEYS = {
  KeyW: [1, 0, 0], ArrowUp: [1, 0, 0], KeyS: [-1, 0, 0], ArrowDown: [-1, 0, 0], KeyA: [0, 1, 0], ArrowLeft: [0, 1, 0],
  KeyD: [0, -1, 0], ArrowRight: [0, -1, 0], KeyQ: [0, 0, 1], KeyE: [0, 0, -1],
};

export class Drive {
  /** @param now gives the present commands of the controller */
  constructor(stage, hand, act, now) {
    const gamepad = new Gamepad(hand);
    Object.assign(this, { stage, hand, act, now, gamepad, stick: [0, 0], held: new Set(), told: '' });
    window.addEventListener('blur', () => this.held.clear());
  }

  /** Whether a key is one of these; then it is held from now on, or let go. */
  key(event, isDown) {
    if (!KEYS[event.code]) return false;
    if (isDown) this.held.add(event.code);
    else this.held.delete(event.code);
    return true;
  }

  /** Ahead, to the left (a turn where there are commands), aside to the left: −1 to 1. */
  wish() {
    const sum = this.gamepad.wish();
    sum[0] += this.stick[1];
    sum[1] -= this.stick[0];
    for (const code of this.held) KEYS[code].forEach((way, axis) => (sum[axis] += way));
    return sum.map((number) => Math.max(-1, Math.min(1, number)));
  }

  /** Tells the world what changed, once a picture. */
  tell() {
    const wish = this.wish();
    const is = JSON.stringify(wish);
    // Pushes go by the eye, which may turn meanwhile.
    if (is === this.told || (this.told === '' && !wish.some(Boolean))) return;
    this.told = is;
    const commands = this.now();
    if (commands.length) this.command(commands, wish);
    else this.press(wish);
  }

  command(commands, [forward, left, aside]) {
    for (const { name, range: [low, high], default: rest } of commands) {
      const share = (wish, most) => Number((wish * FULL * (most ?? 1)).toFixed(2));
      const least = low === null ? 1 : -low;
      if (rest.length === 3) {
        const across = Math.min(least, high ?? 1) * 0.6;
        const value = [share(forward, forward < 0 ? least : high), share(aside, across), 0];
        this.act({ command: { name, value } });
      } else if (/turn|yaw|heading/i.test(name)) {
        this.act({ command: { name, value: [share(left, left < 0 ? least : high)] } });
      }
    }
  }

  press([forward, left, aside]) {
    const target = this.hand.chest();
    if (!target) return;
    const way = ahead(this.stage);
    const push = PUSH * this.hand.mass();
    const force = [way.x * forward - way.y * (left + aside), way.y * forward + way.x * (left + aside), 0];
    this.act({ press: { target, force: force.map((part) => Math.round(part * push)) } });
  }

  /** Another scene: nothing is held any more. */
  reset() {
    this.told = '';
  }
}

/** The stick on the screen, for fingers. */
export function stick(element, drive) {
  const knob = element.firstElementChild;
  const move = (event) => {
    const { left, top, width } = element.getBoundingClientRect();
    const reach = width / 2;
    let [x, y] = [(event.clientX - left) / reach - 1, 1 - (event.clientY - top) / reach];
    const length = Math.max(1, Math.hypot(x, y));
    [x, y] = [x / length, y / length];
    knob.style.transform = `translate(${x * 60}%, ${-y * 60}%)`;
    // In steps of a fifth, so that a link holds few of them.
    drive.stick = [x, y].map((number) => Math.round(number * 5) / 5);
  };
  const end = () => {
    knob.style.transform = '';
    drive.stick = [0, 0];
  };
  element.addEventListener('pointerdown', (event) => {
    element.setPointerCapture(event.pointerId);
    event.preventDefault();
    move(event);
  });
  element.addEventListener('pointermove', (event) => {
    if (element.hasPointerCapture(event.pointerId)) move(event);
  });
  for (const name of ['pointerup', 'pointercancel']) element.addEventListener(name, end);
}
