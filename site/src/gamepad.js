// A gamepad: the left stick ahead and around, the right one aside; a button shoves, another throws.

/** A stick that is nearer to its middle is let go. */
const REST = 0.15;
/** Of the standard mapping: left stick x and y, right stick x. */
const [TURN, AHEAD, ASIDE] = [0, 1, 2];
const [SHOVE, THROW] = [0, 1];

/** In steps of a fifth, so that a link holds few of them. */
const steps = (axis = 0) => (Math.abs(axis) < REST ? 0 : Math.round(axis * 5) / 5);

export class Gamepad {
  constructor(hand) {
    Object.assign(this, { hand, pressed: new Set() });
  }

  /** Ahead, to the left, aside to the left: −1 to 1 each. Its buttons act once for each time they are pressed. */
  wish() {
    const pad = [...(navigator.getGamepads?.() ?? [])].find((known) => known?.connected && known.mapping === 'standard');
    if (!pad) return [0, 0, 0];
    this.press(pad, SHOVE, () => this.hand.shove());
    this.press(pad, THROW, () => this.hand.throw());
    return [steps(-pad.axes[AHEAD]), steps(-pad.axes[TURN]), steps(-pad.axes[ASIDE])];
  }

  press(pad, button, act) {
    const isDown = pad.buttons[button]?.pressed ?? false;
    if (isDown && !this.pressed.has(button)) act();
    this.pressed[isDown ? 'add' : 'delete'](button);
  }
}
