// The numbers of a frame, in the order in which the module writes them (web/src/numbers.rs).

/** Reads numbers one after another. */
class Reader {
  constructor(numbers) {
    this.numbers = numbers;
    this.at = 0;
  }

  one() {
    return this.numbers[this.at++];
  }

  many(count) {
    return this.numbers.subarray(this.at, (this.at += count));
  }

  list(read) {
    const count = this.one();
    return Array.from({ length: count }, read);
  }

  lists(size) {
    return this.list(() => this.many(size));
  }
}

/** A frame as the page shows it. Poses are [x, y, z, qw, qx, qy, qz]. */
export function frameOf(numbers) {
  const from = new Reader(numbers);
  return {
    time: from.one(),
    index: from.one(),
    state: from.one(),
    bodies: from.lists(7),
    contacts: from.list(() => {
      const [body, ...rest] = from.many(8);
      return { body, point: rest.slice(0, 3), force: rest.slice(3, 6), isGrip: rest[6] === 1 };
    }),
    external: from.list(() => ({ point: from.many(3), force: from.many(3) })),
    costs: from.many(from.one()),
    com: from.many(3),
    pressure: from.one() ? from.many(2) : (from.many(2), null),
    support: from.lists(2),
    moving: from.list(() => ({ present: from.one() === 1, pose: from.many(7) })),
    holds: from.lists(3),
    objects: from.list(() => from.lists(7)),
    pull: from.one() ? { point: from.many(3), anchor: from.many(3) } : null,
  };
}
