/** From `start` up to but not including `end`. Lists of ranges are sorted and do not touch or overlap. */
export type Range = readonly [start: number, end: number];

/** Sorts and joins ranges of any order. */
export function joinRanges(ranges: readonly Range[]): Range[] {
  const joined: [number, number][] = [];
  for (const [start, end] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

export function intersectRanges(a: readonly Range[], b: readonly Range[]): Range[] {
  const common: Range[] = [];
  for (let i = 0, j = 0; ; ) {
    const [left, right] = [a[i], b[j]];
    if (left === undefined || right === undefined) return common;
    const range = [Math.max(left[0], right[0]), Math.min(left[1], right[1])] as const;
    if (range[0] < range[1]) common.push(range);
    if (left[1] < right[1]) i += 1;
    else j += 1;
  }
}

export function sizeOfRanges(ranges: readonly Range[]): number {
  return ranges.reduce((sum, [start, end]) => sum + end - start, 0);
}

/** A multirange in the syntax of PostgreSQL. */
export function multirange(ranges: readonly Range[]): string {
  return `{${ranges.map(([start, end]) => `[${start},${end})`).join(',')}}`;
}
