import { expect, test } from 'vitest';
import { findSettledUntil } from './settled-until.ts';

function settledUntil(oldest: readonly (number | null)[], unstoredMs: number | null) {
  const level = { usedBytes: 0, limitBytes: 1, depth: 1, queues: [] };
  return findSettledUntil({
    levels: async () => oldest.map((oldestMs) => ({ ...level, oldestMs })),
    oldestUnstoredMs: async () => unstoredMs,
    now: () => 10_000,
    marginMs: 100,
  });
}

test('the oldest of the waiting, the sealed and the buffered events decides', async () => {
  expect(await settledUntil([null], null)).toBe(9_900);
  expect(await settledUntil([null, 7_000], null)).toBe(6_900);
  expect(await settledUntil([7_000, 8_000], 5_000)).toBe(4_900);
  expect(await settledUntil([20_000], 30_000)).toBe(9_900);
});

test('nothing is settled while the queue cannot be read', async () => {
  const settled = findSettledUntil({
    levels: () => Promise.reject(new Error('away')),
    oldestUnstoredMs: async () => null,
    now: () => 10_000,
    marginMs: 100,
  });
  await expect(settled).rejects.toThrow('away');
});
