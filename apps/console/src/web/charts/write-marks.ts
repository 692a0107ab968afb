import type { Formats } from '../time/format-values.ts';

/** The texts of an axis: with more digits than `write` gives where two marks would read the same. */
export function writeMarks(
  marks: readonly number[],
  write: (value: number) => string,
  formats: Pick<Formats, 'digits'>,
): string[] {
  const written = marks.map(write);
  const [first = 0, second = first] = marks;
  if (new Set(written).size === marks.length || first === second) return written;
  const digits = Math.max(0, Math.ceil(-Math.log10(Math.abs(second - first))));
  return marks.map((mark) => formats.digits(mark, digits));
}
