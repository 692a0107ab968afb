import type UPlot from 'uplot';
import type { Formats } from '../time/format-values.ts';

export type Unit = 'seconds' | 'bytes';

const decimal = [1, 2, 5];
const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** In seconds, or in minutes. */
const sixtieths = [1, 2, 5, 10, 15, 30];

/** The distances that marks of an axis may have: round numbers in the unit that a reader sees, such as 5 min or 16 GiB. */
export const unitSteps: Readonly<Record<Unit, number[]>> = {
  seconds: [
    ...[1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1].flatMap((power) => decimal.map((count) => count * power)),
    ...sixtieths,
    ...sixtieths.map((count) => count * minute),
    ...[1, 2, 3, 6, 12].map((count) => count * hour),
    ...[1, 2, 5, 10, 20, 50, 100, 200, 500].map((count) => count * day),
  ],
  bytes: Array.from({ length: 50 }, (_, power) => 2 ** power),
};

const wholeDays = [1, 2, 3, 5, 7, 10, 14, 30, 60, 90, 180, 365].map((count) => count * day);
const shortSteps = [
  ...sixtieths,
  ...sixtieths.map((count) => count * minute),
  ...[1, 2, 3, 4, 6, 8, 12].map((count) => count * hour),
  ...wholeDays,
];

/** Whether marks of a time axis are written as days, and not as times of a day. */
export function isOfDays(seconds: number): boolean {
  return seconds > 2 * day;
}

/** The distances that marks of a time axis may have, in seconds: no day has two marks that read the same. */
export function timeSteps(seconds: number): number[] {
  return isOfDays(seconds) ? wholeDays : shortSteps;
}

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

/** The texts of an axis: with more digits than `write` gives where two marks would read the same. */
export function writeMarks(
  marks: readonly number[],
  write: (value: number) => string,
  formats: Pick<Formats, 'digits'>,
): string[] {
  // Nothing needs no unit: `0 ms` below `25 min` would.
  const written = marks.map((mark) => (mark === 0 ? formats.digits(0, 0) : write(mark)));
  const [first = 0, second = first] = marks;
  if (new Set(written).size === marks.length || first === second) return written;
  const digits = Math.max(0, Math.ceil(-Math.log10(Math.abs(second - first))));
  return marks.map((mark) => formats.digits(mark, digits));
}

export function numberAxis(write: (value: number) => string): UPlot.Axis {
  return { values: (_, splits) => splits.map(write) };
}

export function timeAxis({ day, clock }: Formats): UPlot.Axis {
  return {
    // Marks of seconds are longer.
    space: (_, ...[, min, max]) => (max - min < 600 ? 84 : 60),
    incrs: (_, ...[, min, max]) => timeSteps(max - min),
    values: ({ scales: { x } }, splits) => {
      const areDays = isOfDays((x?.max ?? 0) - (x?.min ?? 0));
      const [first = 0, second = first + 60] = splits;
      return splits.map((at) => {
        const time = clock(at * 1000).slice(0, second - first < 60 ? 8 : 5);
        return areDays || time === '00:00' ? day(at * 1000) : time;
      });
    },
  };
}
