import { randomBytes } from 'node:crypto';

/** A random generator that gives the same values for the same seed. */
export type Random = {
  /** A number from 0 up to, but not including, 1. */
  next: () => number;
  /** A whole number from 0 up to, but not including, `below`. */
  below: (below: number) => number;
  /** One of these. */
  of: <One>(all: readonly One[]) => One;
  /** True with this probability. */
  happens: (probability: number) => boolean;
};

/** Creates a random generator from a seed (mulberry32). */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    next,
    below,
    of: (all) => all[below(all.length)] as (typeof all)[number],
    happens: (probability) => next() < probability,
  };
}

/** A client address of the range for documentation, in a network of its own. */
export function randomAddress(): string {
  const [first, second] = [0, 1].map(() => (0x1000 + (randomBytes(2).readUInt16BE() % 0xe000)).toString(16));
  return `2001:db8:${first}:${second}::9`;
}
