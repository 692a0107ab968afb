import { createRateLimiter } from '@tickrate/platform';
import { createManualClock } from '@tickrate/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RatePolicy } from './rates.ts';
import { createSharedRates } from './shared-rates.ts';

const reportMs = 200;
const onItsWayMs = 50;
const stepMs = 10;

/** Gateways on one clock, whose messages arrive some time after they were sent. */
function start(gateways: number, perSecond: number) {
  const clock = createManualClock();
  const onTheirWay: { readonly atMs: number; readonly message: string }[] = [];
  const rate = { perSecond, burst: perSecond };
  const nodes = Array.from({ length: gateways }, (_, n) => {
    const limiter = createRateLimiter<RatePolicy>({
      policies: { address: rate, key: rate, project: rate },
      now: clock.now,
    });
    const shared = createSharedRates({
      limiter,
      sender: `gateway-${n}`,
      send: async (messages) => {
        for (const message of messages) onTheirWay.push({ atMs: clock.now() + onItsWayMs, message });
      },
      onFault: (error) => expect.unreachable(String(error)),
    });
    return { limiter, shared };
  });
  const beganMs = clock.now();

  async function step(): Promise<void> {
    clock.advance(stepMs);
    while ((onTheirWay[0]?.atMs ?? Number.POSITIVE_INFINITY) <= clock.now()) {
      const message = onTheirWay.shift()?.message ?? '';
      for (const { shared } of nodes) shared.hear(message);
    }
    if ((clock.now() - beganMs) % reportMs === 0) for (const { shared } of nodes) await shared.report();
  }

  /** Each gateway gets this many requests per second for this time; returns how many they accept together. */
  async function run(seconds: number, demands: readonly number[]): Promise<number> {
    const due = demands.map(() => 0);
    let passed = 0;
    for (let steps = (seconds * 1_000) / stepMs; steps > 0; steps--) {
      await step();
      for (const [n, demand] of demands.entries()) {
        due[n] = (due[n] ?? 0) + (demand * stepMs) / 1_000;
        for (; (due[n] ?? 0) >= 1; due[n] = (due[n] ?? 0) - 1) {
          const refusal = nodes[n]?.limiter.take([{ policy: 'key', key: 'k' }]);
          if (refusal === null) passed++;
        }
      }
    }
    return passed;
  }
  return { run, nodes };
}

// Invariant (Limits and overload): A rate over all gateways is within 5 % of one bucket, however requests
// are spread
test.each([
  ['evenly', [1_000, 1_000]],
  ['80 to 20', [1_600, 400]],
  ['all on one', [2_000, 0]],
  ['barely too much', [60, 60]],
  ['with one below the reported value', [1_000, 3]],
  ['over three', [500, 500, 500]],
])('a rate holds over gateways as in one bucket, within 5 %%, when requests come %s', async (_, demands) => {
  const { run } = start(demands.length, 100);
  for (let window = 0; window < 3; window++) {
    // The first one begins with a full bucket, which is used once, whoever gets the requests.
    const bucket = window === 0 ? 1_100 : 1_000;
    const passed = await run(10, demands);
    expect(passed).toBeGreaterThanOrEqual(900);
    expect(passed).toBeLessThanOrEqual(bucket * 1.05);
  }
});

test('with any changing split no more requests pass than through one bucket, within 10 %', async () => {
  const demands = fc.tuple(fc.integer({ min: 0, max: 400 }), fc.integer({ min: 0, max: 400 }));
  const phases = fc.array(demands, { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(phases, async (changing) => {
      const { run } = start(2, 100);
      let passed = 0;
      for (const each of changing) passed += await run(2, each);
      const bucket = 100 + changing.length * 2 * 100;
      expect(passed).toBeLessThanOrEqual(bucket * 1.1);
      const wanted = changing.map(([a, b]) => Math.min(200, Math.floor(1.9 * (a + b))));
      expect(passed).toBeGreaterThanOrEqual(0.9 * wanted.reduce((sum, each) => sum + each, 0) - 60);
    }),
    { numRuns: 40 },
  );
});

test('a burst on each of five gateways is owed', async () => {
  const { run } = start(5, 100);
  const demands = Array.from({ length: 5 }, () => 1_000);
  await run(3, demands);
  expect(await run(10, demands)).toBeLessThanOrEqual(1_100);
});

test('buckets with little use are not shared, and invalid messages are ignored', async () => {
  const { run, nodes } = start(2, 1_000_000);
  await run(1, [100, 100]);
  const [first] = nodes;
  for (const nonsense of ['', 'x\n', 'x\nkey 1 1 1', 'x\nkey 0 1 1 k', 'x\nother 1 1 1 k', 'x\nkey -1 1 1 k'])
    first?.shared.hear(nonsense);
  expect(first?.limiter.take([{ policy: 'key', key: 'k' }])).toBeNull();
});

test('a message of any number of buckets is within the limit of Postgres', async () => {
  const sent: string[] = [];
  const rate = { perSecond: 10, burst: 10 };
  const limiter = createRateLimiter<RatePolicy>({ policies: { address: rate, key: rate, project: rate } });
  const shared = createSharedRates({
    limiter,
    sender: 'gateway-1',
    send: async (messages) => void sent.push(...messages),
    onFault: (error) => expect.unreachable(String(error)),
  });
  const keys = Array.from({ length: 1_500 }, (_, n) => `key-${n}-${'x'.repeat(40)}`);
  for (const key of keys) limiter.take([{ policy: 'key', key }]);
  await shared.report();
  expect(Math.max(...sent.map((message) => message.length))).toBeLessThan(8_000);
  expect(sent.flatMap((message) => message.split('\n').slice(1)).length).toBe(1_500);
  await shared.report();
  expect(sent.flatMap((message) => message.split('\n').slice(1)).length).toBe(1_500);
});
