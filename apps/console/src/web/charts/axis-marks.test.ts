import { expect, test } from 'vitest';
import { createFormats } from '../time/format-values.ts';
import {
  hasOnlyCounts,
  isOfDays,
  timeSteps,
  type Unit,
  unitSteps,
  wholeSteps,
  writeMarks,
} from './axis-marks.ts';

const formats = createFormats('en', 'UTC');
const writes = { seconds: formats.duration, bytes: formats.bytes } as const;

test.each<Unit>(['seconds', 'bytes'])('marks at steps of %s are round in the unit that is shown', (unit) => {
  for (const step of unitSteps[unit].filter((each) => each >= 0.001)) {
    expect(writes[unit](step)).toMatch(/^\d+ [a-z]+$/i);
  }
  expect(unitSteps[unit]).toEqual(unitSteps[unit].toSorted((a, b) => a - b));
});

const day = 86_400;

test('writes marks as days only where no day has two of them', () => {
  for (const seconds of [60, day, 2 * day, 2 * day + 1, 7 * day, 400 * day]) {
    if (isOfDays(seconds)) expect(Math.min(...timeSteps(seconds))).toBeGreaterThanOrEqual(day);
  }
  expect(isOfDays(7 * day)).toBe(true);
});

test('has a step for the shortest range and for the longest', () => {
  expect(timeSteps(60)[0]).toBe(1);
  expect(timeSteps(1_100 * day).at(-1)).toBe(365 * day);
  for (const seconds of [60, 7 * day]) {
    expect(timeSteps(seconds)).toEqual(timeSteps(seconds).toSorted((a, b) => a - b));
  }
});

test('an axis of counts has marks at whole numbers only', () => {
  expect(wholeSteps.filter((step) => !Number.isInteger(step))).toEqual([]);
  expect(wholeSteps.slice(0, 6)).toEqual([1, 2, 5, 10, 20, 25]);
  expect(wholeSteps).toEqual(wholeSteps.toSorted((a, b) => a - b));
});

test('only series without fractions are counts', () => {
  expect(hasOnlyCounts([{ values: [0, null, 3] }, { values: [] }])).toBe(true);
  expect(hasOnlyCounts([{ values: [1] }, { values: [0.5] }])).toBe(false);
});

test('no two marks of an axis read the same', () => {
  expect(writeMarks([0, 0.02, 0.04, 0.06], formats.rate, formats)).toEqual(['0', '0.02', '0.04', '0.06']);
  expect(writeMarks([0, 0.5, 1, 1.5], formats.whole, formats)).toEqual(['0', '0.5', '1', '1.5']);
  expect(writeMarks([0, 0.0005, 0.001], formats.compact, formats)).toEqual(['0', '0.0005', '0.001']);
});

test('an axis keeps the texts of its values where they differ', () => {
  expect(writeMarks([0, 0.005, 0.01], formats.duration, formats)).toEqual(['0', '5 ms', '10 ms']);
  expect(writeMarks([0, 20_000, 40_000], formats.compact, formats)).toEqual(['0', '20,000', '40,000']);
});
