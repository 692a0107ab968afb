import { expect, test } from 'vitest';
import { hasOnlyCounts, wholeSteps } from './whole-steps.ts';

test('an axis of counts has marks at whole numbers only', () => {
  expect(wholeSteps.filter((step) => !Number.isInteger(step))).toEqual([]);
  expect(wholeSteps.slice(0, 6)).toEqual([1, 2, 5, 10, 20, 25]);
  expect(wholeSteps).toEqual(wholeSteps.toSorted((a, b) => a - b));
});

test('only series without fractions are counts', () => {
  expect(hasOnlyCounts([{ values: [0, null, 3] }, { values: [] }])).toBe(true);
  expect(hasOnlyCounts([{ values: [1] }, { values: [0.5] }])).toBe(false);
});
