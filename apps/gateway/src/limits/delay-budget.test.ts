import { createManualClock } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createDelayBudget } from './in-flight.ts';

function start() {
  const clock = createManualClock(0);
  const budget = createDelayBudget({ maxBytes: 10_000, fewestBytes: 100, delayMs: 400, now: clock.now });
  /** This many bytes per second for this time. */
  const run = (seconds: number, perSecond: number) => {
    for (let n = 0; n < seconds * 100; n++) {
      clock.advance(10);
      budget.done(perSecond / 100);
    }
  };
  return { clock, budget, run };
}

test('the bytes that are completed within the delay can be in flight', () => {
  const { budget, run } = start();
  run(5, 2_000);
  expect(budget.limitBytes()).toBeGreaterThan(780);
  expect(budget.limitBytes()).toBeLessThan(830);
});

test('the limit follows slower and faster completion within seconds, between its bounds', () => {
  const { clock, budget, run } = start();
  expect(budget.limitBytes()).toBe(100);
  run(5, 1_000_000);
  expect(budget.limitBytes()).toBe(10_000);
  run(10, 1_000);
  expect(budget.limitBytes()).toBeLessThan(450);
  clock.advance(60_000);
  expect(budget.limitBytes()).toBe(100);
});
