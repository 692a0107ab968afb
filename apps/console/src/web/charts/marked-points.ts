/** Values with a gap on both sides: a line does not show them, so they are drawn as dots. */
export function isolatedPoints(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) => {
    const isAlone = values[index - 1] == null && values[index + 1] == null;
    return value != null && isAlone ? [index] : [];
  });
}

/** Months differ by a tenth, days of a change of the clocks by less. A larger distance is a gap. */
const mostLonger = 1.15;

/** The place of a last period that is not over: its sum is still too low. Periods start at these times. */
export function findUnfinished(timesMs: readonly number[], nowMs: number): number | null {
  const last = timesMs.at(-1);
  if (last === undefined || timesMs.length < 2) return null;
  const distances = timesMs.slice(1).map((at, index) => at - (timesMs[index] ?? at));
  const shortest = distances.reduce((least, distance) => Math.min(least, distance));
  const lengthMs = distances
    .filter((distance) => distance <= shortest * mostLonger)
    .reduce((most, distance) => Math.max(most, distance));
  return nowMs < last + lengthMs ? timesMs.length - 1 : null;
}
