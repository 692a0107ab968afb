import { expect, test } from 'vitest';
import { createManualClock } from './manual-clock.ts';

test('the clock is constant until it is moved', () => {
  const clock = createManualClock(1_000);
  expect([clock.now(), clock.now()]).toEqual([1_000, 1_000]);
  clock.advance(250);
  expect(clock.now()).toBe(1_250);
});

test('the clock does not go back', () => {
  expect(() => createManualClock().advance(-1)).toThrow(RangeError);
});
