/** Values with a gap on both sides: a line does not show them, so they are drawn as dots. */
export function isolatedPoints(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) => {
    const isAlone = values[index - 1] == null && values[index + 1] == null;
    return value != null && isAlone ? [index] : [];
  });
}

/** Months differ by a tenth, days of a change of the clocks by less. A larger distance is a gap. */
const mostLonger = 1.15;

/** The places of periods that are counted in part: a first one that starts before `fromMs`, and a last one that is not over. */
export function findPartial(
  timesMs: readonly number[],
  { fromMs, nowMs }: { readonly fromMs: number | undefined; readonly nowMs: number },
): number[] {
  const [first = 0] = timesMs;
  const last = timesMs.at(-1);
  if (last === undefined || timesMs.length < 2) return [];
  const distances = timesMs.slice(1).map((at, index) => at - (timesMs[index] ?? at));
  const shortest = distances.reduce((least, distance) => Math.min(least, distance));
  const lengthMs = distances
    .filter((distance) => distance <= shortest * mostLonger)
    .reduce((most, distance) => Math.max(most, distance));
  const isCut = fromMs !== undefined && first < fromMs;
  return [...(isCut ? [0] : []), ...(nowMs < last + lengthMs ? [timesMs.length - 1] : [])];
}
