// Seeded random numbers, so that every demo firm is the same firm.

export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `min` to `max`, both inclusive. */
  int(min: number, max: number): number;
  chance(probability: number): boolean;
  /** One of `list`, which must not be empty. */
  pick<T>(list: readonly T[]): T;
  /** `count` digits, the first of which may be zero. */
  digits(count: number): string;
  /** A waiting time around `mean`: mostly short, now and then long. */
  wait(mean: number): number;
}

/** FNV-1a: spreads a text over 32 bits. */
function spread(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

/** A stream of its own for each name: what one subject draws never moves what another one gets. */
export function createRandom(...name: readonly (string | number)[]): Random {
  let state = spread(name.join('/'));

  // Mulberry32: 32 bits of state are plenty for names and hours.
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));

  return {
    next,
    int,
    chance: (probability) => next() < probability,
    pick<T>(list: readonly T[]): T {
      const index = int(0, list.length - 1);
      if (index >= list.length || index < 0) throw new RangeError('Nothing to pick from');
      return list[index] as T;
    },
    digits: (count) => Array.from({ length: count }, () => int(0, 9)).join(''),
    wait: (mean) => -Math.log(1 - next()) * mean,
  };
}
