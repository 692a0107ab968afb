/** Random numbers that a seed repeats. */
export interface SeededRandom {
  /** From 0 to below 1. */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(choices: readonly T[]): T;
  shuffled<T>(items: readonly T[]): T[];
}

/** Each use of a seed has its own `purpose`, so that a draw in one changes nothing in another. */
export function createSeededRandom(seed: number, purpose: string): SeededRandom {
  let state = seed >>> 0;
  for (const letter of purpose) state = (Math.imul(state, 31) + letter.charCodeAt(0)) >>> 0;

  // A Weyl sequence, each step mixed by multiplication: enough for choices, and eight lines.
  function next(): number {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));

  return {
    next,
    between,
    pick<T>(choices: readonly T[]): T {
      const chosen = choices[between(0, choices.length - 1)];
      if (chosen === undefined) throw new Error('nothing to choose from');
      return chosen;
    },
    shuffled<T>(items: readonly T[]): T[] {
      const drawn = items.map((item) => ({ item, order: next() }));
      return drawn.sort((a, b) => a.order - b.order).map(({ item }) => item);
    },
  };
}
