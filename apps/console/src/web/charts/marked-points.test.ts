import { expect, test } from 'vitest';
import { findUnfinished, isolatedPoints } from './marked-points.ts';

test('finds the values that a line would not show', () => {
  expect(isolatedPoints([null, null, 0.058])).toEqual([2]);
  expect(isolatedPoints([3])).toEqual([0]);
  expect(isolatedPoints([0, null, 2, 3, null, undefined, 0, null])).toEqual([0, 6]);
  expect(isolatedPoints([1, 2, 3])).toEqual([]);
  expect(isolatedPoints([])).toEqual([]);
});

const minute = 60_000;

test('finds the last period while it is not over', () => {
  const times = [0, minute, 2 * minute];
  expect(findUnfinished(times, 2 * minute + 1)).toBe(2);
  expect(findUnfinished(times, 3 * minute)).toBe(null);
});

test('takes a short February for no end of March', () => {
  const [january, february, march] = [Date.UTC(2026, 0), Date.UTC(2026, 1), Date.UTC(2026, 2)];
  expect(findUnfinished([january, february, march], Date.UTC(2026, 2, 30))).toBe(2);
});

test('takes a gap for no long period', () => {
  expect(findUnfinished([0, minute, 9 * minute], 11 * minute)).toBe(null);
});

test('says nothing of a single time, whose length is not known', () => {
  expect(findUnfinished([], 0)).toBe(null);
  expect(findUnfinished([5], 5)).toBe(null);
});
