import { expect, test } from 'vitest';
import { lookAgainAfter } from './look-again.ts';

test('asks again a few times while no event was found, and anew after the user asked', () => {
  const delays = Array.from({ length: 8 }, (_, loads) => lookAgainAfter({ results: [] }, loads));
  expect(delays).toEqual([false, 1_000, 1_000, 2_000, 3_000, 5_000, false, 1_000]);
});

test('an answer without rows, or with counts of zero only, found no event', () => {
  const isAsked = (answer: unknown) => lookAgainAfter(answer, 1) !== false;
  expect(isAsked({ data: [] })).toBe(true);
  expect(isAsked({ results: [{ step: 1, players: 0 }] })).toBe(true);
  expect(isAsked({ results: [{ step: 1, players: 1 }] })).toBe(false);
  expect(isAsked({ results: [{ type: 'a', events: 3 }] })).toBe(false);
  expect(isAsked({ results: [{ value: 'a', events: 3, players: 0 }] })).toBe(false);
  expect(isAsked({ results: [{ value: 'a', events: 0, players: 0 }] })).toBe(true);
  expect(isAsked({ data: [{ level: 0 }] })).toBe(false);
  expect(isAsked(undefined)).toBe(false);
  expect(isAsked({ version: 1 })).toBe(false);
});
