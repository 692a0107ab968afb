import { expect, test } from 'vitest';
import { fillBuckets } from './fill-buckets.ts';

const at = (ms: number) => ({ at: new Date(ms).toISOString() });

test('fills a range with the buckets that have no row, in line with those that have one', () => {
  const times = fillBuckets([at(120_000), at(300_000)], { fromMs: 70_000, toMs: 400_000, bucketMs: 60_000 });
  expect(times).toEqual([120_000, 180_000, 240_000, 300_000, 360_000]);
});

test('keeps rows outside of the range, and has nothing without rows', () => {
  expect(fillBuckets([at(0)], { fromMs: 60_000, toMs: 120_000, bucketMs: 60_000 })).toEqual([0, 60_000]);
  expect(fillBuckets([], { fromMs: 0, toMs: 120_000, bucketMs: 60_000 })).toEqual([]);
});
