import { expect, test } from 'vitest';
import { isolatedPoints } from './isolated-points.ts';

test('finds the values that a line would not show', () => {
  expect(isolatedPoints([null, null, 0.058])).toEqual([2]);
  expect(isolatedPoints([3])).toEqual([0]);
  expect(isolatedPoints([0, null, 2, 3, null, undefined, 0, null])).toEqual([0, 6]);
  expect(isolatedPoints([1, 2, 3])).toEqual([]);
  expect(isolatedPoints([])).toEqual([]);
});
