import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createFillGauge } from './fill-gauge.ts';

/** A gauge over a store whose fill the test sets; null is a store that does not answer. */
function createBench() {
  let fill: number | null = 0;
  let oldestMs: number | null = null;
  let reads = 0;
  const stopping = new AbortController();
  const gauge = createFillGauge({
    now: () => 0,
    wallNow: () => 1_000_000,
    limitAgeMs: 1_000,
    pollMs: 1,
    measure() {
      reads += 1;
      if (fill === null) return Promise.reject(new Error('away'));
      return Promise.resolve([{ usedBytes: fill, limitBytes: 100, depth: 0, oldestMs, queues: [] }]);
    },
  });
  const watching = gauge.watch(stopping.signal);
  return {
    gauge,
    async at(level: number | null, ageMs?: number) {
      fill = level;
      oldestMs = ageMs === undefined ? null : 1_000_000 - ageMs;
      const before = reads;
      await waitUntil(() => reads >= before + 2, { what: 'two readings' });
      return gauge.accepting();
    },
    async stop() {
      stopping.abort();
      await watching;
    },
  };
}

test('refuses from 70 %, and resumes only below 60 %', async () => {
  const bench = createBench();
  const answers: boolean[] = [];
  for (const fill of [69, 70, 65, 60, 59, 65]) answers.push(await bench.at(fill));
  await bench.stop();
  expect(answers).toEqual([true, false, false, false, true, true]);
});

test('refuses the bulk lane from 60 %, and resumes only below 50 %', async () => {
  const bench = createBench();
  const answers: boolean[] = [];
  for (const fill of [59, 60, 55, 50, 49, 55]) {
    await bench.at(fill);
    answers.push(bench.gauge.accepting('bulk'));
  }
  await bench.stop();
  expect(answers).toEqual([true, false, false, false, true, true]);
});

test('refuses while the oldest chunk is too old, and resumes when it is a tenth younger', async () => {
  const bench = createBench();
  const answers: boolean[] = [];
  for (const ageMs of [999, 1_000, 950, 900, 899, 950]) answers.push(await bench.at(10, ageMs));
  expect(await bench.at(10)).toBe(true);
  await bench.stop();
  expect(answers).toEqual([true, false, false, false, true, true]);
});

test('refuses before the first reading and while the store does not answer', async () => {
  const bench = createBench();
  expect(bench.gauge.accepting()).toBe(false);
  expect([await bench.at(10), await bench.at(null), await bench.at(10)]).toEqual([true, false, true]);
  await bench.stop();
});

test('refuses before the next reading if the bytes added since would fill the store', async () => {
  const bench = createBench();
  expect(await bench.at(50)).toBe(true);
  bench.gauge.added(25);
  expect(bench.gauge.accepting()).toBe(false);
  expect(await bench.at(55)).toBe(true);
  await bench.stop();
});

test('reads an almost empty store less often', async () => {
  const stopping = new AbortController();
  const readMs: number[] = [];
  const gauge = createFillGauge({
    now: () => performance.now(),
    pollMs: 20,
    measure() {
      readMs.push(performance.now());
      return Promise.resolve([{ usedBytes: 10, limitBytes: 100, depth: 0, oldestMs: null, queues: [] }]);
    },
  });
  const watching = gauge.watch(stopping.signal);
  await waitUntil(() => readMs.length === 2, { what: 'two readings' });
  expect((readMs[1] ?? 0) - (readMs[0] ?? 0)).toBeGreaterThanOrEqual(8 * 19);
  stopping.abort();
  await watching;
});
