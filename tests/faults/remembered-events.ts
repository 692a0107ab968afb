/** The numbered events of a generator, from 0, and their outcomes. */
export interface RememberedEvents {
  /** Numbers for as many new events; the first of them. */
  take(count: number): number;
  acknowledge(first: number, count: number): void;
  /** No answer said that they were not accepted: there was none, or it said that the outcome is unknown. */
  doubt(first: number, count: number): void;
  readonly taken: number;
  readonly acknowledged: number;
  /** Compares the stored events with them, number by number. */
  compare(stored: ReadonlyMap<number, number>): Comparison;
}

export interface Comparison {
  /** Acknowledged and not stored. */
  readonly missing: readonly number[];
  /** Stored more than once. */
  readonly doubled: readonly number[];
  /** Stored and never sent. */
  readonly unknown: readonly number[];
  /** Stored, although every answer said that nothing was accepted. */
  readonly refused: readonly number[];
  readonly rows: number;
}

export function createRememberedEvents(): RememberedEvents {
  const acknowledged = new Set<number>();
  const doubtful = new Set<number>();
  let taken = 0;
  return {
    take(count) {
      taken += count;
      return taken - count;
    },
    acknowledge(first, count) {
      for (let number = first; number < first + count; number++) acknowledged.add(number);
    },
    doubt(first, count) {
      for (let number = first; number < first + count; number++) doubtful.add(number);
    },
    get taken() {
      return taken;
    },
    get acknowledged() {
      return acknowledged.size;
    },
    compare(stored) {
      const numbers = [...stored.keys()];
      return {
        missing: [...acknowledged].filter((number) => !stored.has(number)),
        doubled: numbers.filter((number) => (stored.get(number) ?? 0) > 1),
        unknown: numbers.filter((number) => number < 0 || number >= taken),
        refused: numbers.filter(
          (number) => number < taken && !acknowledged.has(number) && !doubtful.has(number),
        ),
        rows: [...stored.values()].reduce((sum, count) => sum + count, 0),
      };
    },
  };
}
