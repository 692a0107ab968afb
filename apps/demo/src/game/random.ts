export type Random = ReturnType<typeof createRandom>;

/** Numbers that depend on the seed alone. The algorithm is mulberry32. */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  /** From 0, below 1. */
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    next,
    /** A whole number from `least` to `most`. */
    whole: (least: number, most: number) => least + Math.floor(next() * (most - least + 1)),
    chance: (probability: number) => next() < probability,
    pick: <T>([first, ...others]: readonly [T, ...T[]]): T =>
      [first, ...others][Math.floor(next() * (others.length + 1))] ?? first,
  };
}
