import { expect, test } from 'vitest';
import { isOfDays, timeSteps } from './time-steps.ts';

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
