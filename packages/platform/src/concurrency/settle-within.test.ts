import { expect, test } from 'vitest';
import { settleWithin } from './settle-within.ts';

const late = () => new Error('too late');

test('returns the result of work that ends in time', async () => {
  expect(await settleWithin(60_000, Promise.resolve(7), late)).toBe(7);
});

test('throws the fault of work that fails in time', async () => {
  await expect(settleWithin(60_000, Promise.reject(new Error('refused')), late)).rejects.toThrow('refused');
});

test('throws the given fault after the timeout, and ignores a later failure of the work', async () => {
  const work = Promise.withResolvers<never>();
  await expect(settleWithin(1, work.promise, late)).rejects.toThrow('too late');
  work.reject(new Error('nobody waits for this'));
});
