import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBackoff } from './backoff.ts';
import { sleep } from './sleep.ts';

const times = fc.tuple(fc.integer({ min: 1, max: 1_000 }), fc.integer({ min: 1, max: 60_000 }));
const chance = fc.double({ min: 0, max: 1, noNaN: true });

test('delays double up to the longest one, and start again after a reset', () => {
  const backoff = createBackoff({ firstMs: 100, longestMs: 1_000 });
  expect([1, 2, 3, 4, 5, 6].map(() => backoff.next())).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  backoff.reset();
  expect(backoff.next()).toBe(100);
});

test('a delay with chance lies between half of the delay without it and the whole', () => {
  fc.assert(
    fc.property(times, fc.array(chance, { maxLength: 60 }), ([firstMs, longestMs], chances) => {
      let random = 0;
      const plain = createBackoff({ firstMs, longestMs });
      const jittered = createBackoff({ firstMs, longestMs, random: () => random });
      for (random of chances) {
        const fullMs = plain.next();
        const delayMs = jittered.next();
        expect(fullMs).toBeLessThanOrEqual(longestMs);
        expect(delayMs).toBeGreaterThanOrEqual(Math.floor(fullMs / 2));
        expect(delayMs).toBeLessThanOrEqual(fullMs);
      }
    }),
  );
});

test('a sleep ends at once when it is aborted, before or during it, and does not reject', async () => {
  const stopping = new AbortController();
  const sleeping = sleep(2 ** 30, stopping.signal);
  stopping.abort();
  await sleeping;
  await sleep(2 ** 30, stopping.signal);
  expect(stopping.signal.aborted).toBe(true);
});
