import { expect, test } from 'vitest';
import { createQueryBudget } from './query-budget.ts';

function createBudget() {
  let nowMs = 1_000_000;
  const budget = createQueryBudget({ seconds: 60, windowSeconds: 600, now: () => nowMs });
  return { budget, pass: (seconds: number) => (nowMs += seconds * 1_000) };
}

test('an owner that has used its budget waits until some of it is restored', () => {
  const { budget, pass } = createBudget();
  budget.spend('a', 59_000);
  expect(budget.waitSeconds('a')).toBe(0);
  budget.spend('a', 3_000);
  expect(budget.waitSeconds('a')).toBe(21);
  expect(budget.waitSeconds('b')).toBe(0);
  pass(21);
  expect(budget.waitSeconds('a')).toBe(0);
});

test('each stopped query doubles the delay, up to an hour, and a day without one resets it', () => {
  const { budget, pass } = createBudget();
  const waits = Array.from({ length: 8 }, () => {
    budget.block('a');
    const seconds = budget.waitSeconds('a');
    pass(Math.max(seconds, 600));
    return seconds;
  });
  expect(waits).toEqual([60, 120, 240, 480, 960, 1_920, 3_600, 3_600]);
  pass(90_000);
  budget.block('a');
  expect(budget.waitSeconds('a')).toBe(60);
});

test('queries that were stopped together count as one strike', () => {
  const { budget, pass } = createBudget();
  for (let i = 0; i < 4; i += 1) budget.block('a');
  expect(budget.waitSeconds('a')).toBe(60);
  pass(60);
  budget.block('a');
  expect(budget.waitSeconds('a')).toBe(120);
});

test('a budget of 0 seconds limits only owners whose queries were stopped', () => {
  const budget = createQueryBudget({ seconds: 0, windowSeconds: 600, now: () => 0 });
  budget.spend('a', 100_000_000);
  expect(budget.waitSeconds('a')).toBe(0);
});
