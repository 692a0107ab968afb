import { createManualClock } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createSampler } from './sampler.ts';

test('accepts a burst of each kind, then the rate', () => {
  const clock = createManualClock();
  const sampler = createSampler({ burst: 3, perSecond: 2 }, clock.now);
  const taken = (kind: string) => Array.from({ length: 10 }, () => sampler(kind)).filter(Boolean).length;
  expect([taken('a'), taken('b'), taken('a')]).toEqual([3, 3, 0]);
  clock.advance(1_000);
  expect(taken('a')).toBe(2);
});

test('accepts nothing when the burst is 0', () => {
  expect(createSampler({ burst: 0, perSecond: 5 }, () => 0)('a')).toBe(false);
});
