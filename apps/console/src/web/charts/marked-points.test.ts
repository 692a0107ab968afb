import { expect, test } from 'vitest';
import { findPartial, isolatedPoints } from './marked-points.ts';

test('finds the values that a line would not show', () => {
  expect(isolatedPoints([null, null, 0.058])).toEqual([2]);
  expect(isolatedPoints([3])).toEqual([0]);
  expect(isolatedPoints([0, null, 2, 3, null, undefined, 0, null])).toEqual([0, 6]);
  expect(isolatedPoints([1, 2, 3])).toEqual([]);
  expect(isolatedPoints([])).toEqual([]);
});

const minute = 60_000;

test('finds the last period while it is not over, and the first one when the range begins within it', () => {
  const times = [0, minute, 2 * minute];
  expect(findPartial(times, { fromMs: 0, nowMs: 2 * minute + 1 })).toEqual([2]);
  expect(findPartial(times, { fromMs: 1, nowMs: 3 * minute })).toEqual([0]);
  expect(findPartial(times, { fromMs: undefined, nowMs: 3 * minute })).toEqual([]);
});

test('takes a short February for no end of March', () => {
  const [january, february, march] = [Date.UTC(2026, 0), Date.UTC(2026, 1), Date.UTC(2026, 2)];
  const nowMs = Date.UTC(2026, 2, 30);
  expect(findPartial([january, february, march], { fromMs: january, nowMs })).toEqual([2]);
});

test('takes a gap for no long period', () => {
  expect(findPartial([0, minute, 9 * minute], { fromMs: 0, nowMs: 11 * minute })).toEqual([]);
});

test('says nothing of a single time, whose length is not known', () => {
  expect(findPartial([], { fromMs: 0, nowMs: 0 })).toEqual([]);
  expect(findPartial([5], { fromMs: 6, nowMs: 5 })).toEqual([]);
});
