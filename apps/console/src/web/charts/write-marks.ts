import type { Formats } from '../time/format-values.ts';

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
