// Futures of the moment shown: what it would stand. They are computed a few at a time, so that the page stays alive.

/** Parameters: number of values tried over a range, and how far to look ahead, s. */
const VALUES = 100;
const VALUE_SECONDS = 1;
/** Pushes: number of directions, how far to look ahead, s, and how long a push lasts, s. */
const DIRECTIONS = 16;
const PUSH_SECONDS = 2;
const PUSH_TIME = 0.1;
/** The first impulse tried, and the largest, as shares of m √(g h): that one turns the body over from standing. */
const FIRST = 0.1;
const MOST = 1;
/** Ratio of one impulse tried to the next, and halvings between the last that it stands and the first that it does not. */
const GROWTH = 1.6;
const HALVINGS = 4;

/** Values of a parameter, with the time until it falls, s; `null` if it stands. */
export function* overRange(name, [low, high]) {
  const falls = [];
  for (let number = 0; number < VALUES; number += 1) {
    const value = low + ((high - low) * number) / (VALUES - 1);
    falls.push(yield { future: { seconds: VALUE_SECONDS, set: { name, value } } });
  }
  return { name, falls, seconds: VALUE_SECONDS };
}

/** The largest impulse that it stands, N s; `from` is a guess. */
function* largest(push, from, most) {
  const stands = function* (impulse) {
    return (yield { future: { seconds: PUSH_SECONDS, push: push(impulse) } }) === null;
  };
  let [low, high] = [0, from];
  while (yield* stands(high)) {
    low = high;
    if (high >= most) return most;
    high = Math.min(GROWTH * high, most);
  }
  // Too large a guess: down to where it stands.
  while (low === 0 && high > 0.02 * most) {
    const less = high / GROWTH;
    if (yield* stands(less)) low = less;
    else high = less;
  }
  for (let count = 0; count < HALVINGS && low > 0; count += 1) {
    const middle = (low + high) / 2;
    if (yield* stands(middle)) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The largest pushes that it stands, from all sides: `[direction, impulse]`, rad and N s. `scale` is m √(g h) in N s,
 * `tell` hears of those known so far.
 */
export function* margins(target, scale, tell) {
  const known = [];
  let guess = FIRST * scale;
  for (let number = 0; number < DIRECTIONS; number += 1) {
    const direction = (2 * Math.PI * number) / DIRECTIONS;
    const way = [Math.cos(direction), Math.sin(direction), 0];
    const push = (impulse) => ({
      target, force: way.map((part) => (part * impulse) / PUSH_TIME), duration: PUSH_TIME,
    });
    const impulse = yield* largest(push, guess, MOST * scale);
    // What a neighbour stands is the best guess.
    guess = Math.max(impulse, FIRST * scale);
    known.push([direction, impulse]);
    tell(known);
  }
  return known;
}

/** Work on futures, one after another. */
export class Futures {
  /** @param ask asks the engine */
  constructor(ask) {
    this.ask = ask;
    this.work = null;
  }

  /** Begins with new work, in place of what is under way; `done` hears of its result. */
  begin(work, done) {
    Object.assign(this, { work, done, last: undefined });
  }

  cancel() {
    this.work = null;
  }

  get isBusy() {
    return this.work !== null;
  }

  /** Goes on for some time, ms. */
  go(time) {
    const started = performance.now();
    while (this.work && performance.now() - started < time) {
      const { value, done } = this.work.next(this.last);
      if (done) {
        this.work = null;
        this.found = value;
        this.done(value);
        return;
      }
      this.last = this.ask(value);
    }
  }
}
