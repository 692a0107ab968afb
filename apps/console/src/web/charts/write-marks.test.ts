import { expect, test } from 'vitest';
import { createFormats } from '../time/format-values.ts';
import { writeMarks } from './write-marks.ts';

const formats = createFormats('en', 'UTC');

test('no two marks of an axis read the same', () => {
  expect(writeMarks([0, 0.02, 0.04, 0.06], formats.rate, formats)).toEqual(['0', '0.02', '0.04', '0.06']);
  expect(writeMarks([0, 0.5, 1, 1.5], formats.whole, formats)).toEqual(['0', '0.5', '1', '1.5']);
  expect(writeMarks([0, 0.0005, 0.001], formats.compact, formats)).toEqual(['0', '0.0005', '0.001']);
});

test('an axis keeps the texts of its values where they differ', () => {
  expect(writeMarks([0, 0.005, 0.01], formats.duration, formats)).toEqual(['0', '5 ms', '10 ms']);
  expect(writeMarks([0, 20_000, 40_000], formats.compact, formats)).toEqual(['0', '20,000', '40,000']);
});
