/** Deterministic random numbers by seed and name, independent of other sequences. */

export interface SeededRandom {
  /** Uniform in [0, 1). */
  next(): number;
  /** Uniform integer, both ends inclusive. */
  integer(from: number, to: number): number;
  pick<Item>(items: readonly [Item, ...Item[]]): Item;
  chance(probability: number): boolean;
}

/** FNV-1a, 32 bits. */
export function hashText(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** The number at this place of the sequence of a seed, in [0, 1): mulberry32. */
export function randomAt(seed: number, index: number): number {
  const state = (seed + Math.imul(index, 0x6d2b79f5)) >>> 0;
  let mixed = Math.imul(state ^ (state >>> 15), state | 1);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}

export function seededRandom(seed: string): SeededRandom {
  const start = hashText(seed);
  let count = 0;
  const next = (): number => {
    count += 1;
    return randomAt(start, count);
  };
  return {
    next,
    integer: (from, to) => from + Math.floor(next() * (to - from + 1)),
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    chance: (probability) => next() < probability,
  };
}
