interface Drawn {
  readonly values: readonly (number | null)[];
}

/** Whether every value is a whole number: the axis of events or players has no mark at 0.2. */
export function hasOnlyCounts(series: readonly Drawn[]): boolean {
  return series.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));
}

/** The distances between the marks of an axis of whole numbers, the smallest first. */
export const wholeSteps: number[] = Array.from({ length: 16 }, (_, power) => 10 ** power).flatMap((ten) =>
  (ten === 1 ? [1, 2, 5] : [1, 2, 2.5, 5]).map((digit) => digit * ten),
);
