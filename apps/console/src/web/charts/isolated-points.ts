/** Values with a gap on both sides: a line does not show them, so they are drawn as dots. */
export function isolatedPoints(values: readonly (number | null | undefined)[]): number[] {
  return values.flatMap((value, index) => {
    const isAlone = values[index - 1] == null && values[index + 1] == null;
    return value != null && isAlone ? [index] : [];
  });
}
