import { createManualClock } from '@tickrate/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerText } from './http-answer.ts';
import { startHarness } from './http-harness.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { TokenBuckets } from './token-buckets.ts';

describe('token buckets', () => {
  test('never let more through than the burst and the rate, and no less', () => {
    const rate = fc.record({
      perSecond: fc.integer({ min: 1, max: 50 }),
      burst: fc.integer({ min: 1, max: 40 }),
    });
    const steps = fc.array(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 200 });
    fc.assert(
      fc.property(rate, steps, (limit, pauses) => {
        const clock = createManualClock();
        const buckets = new TokenBuckets(10, clock.now);
        let passed = 0;
        let elapsedMs = 0;
        for (const pauseMs of pauses) {
          clock.advance(pauseMs);
          elapsedMs += pauseMs;
          const { allowed, waitMs } = buckets.take('a', limit, 1);
          if (allowed) passed++;
          expect(waitMs > 0).toBe(!allowed);
        }
        expect(passed).toBeLessThanOrEqual(limit.burst + (elapsedMs * limit.perSecond) / 1000 + 1e-6);
        expect(passed).toBeGreaterThanOrEqual(Math.min(pauses.length, limit.burst));
      }),
    );
  });

  test('let through after exactly the wait that they told', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1000 }), fc.integer({ min: 1, max: 20 }), (perSecond, burst) => {
        const clock = createManualClock();
        const buckets = new TokenBuckets(10, clock.now);
        const rate = { perSecond, burst };
        while (buckets.take('a', rate, 1).allowed);
        clock.advance(Math.ceil(buckets.look('a', rate, 1).waitMs) + 1);
        expect(buckets.take('a', rate, 1).allowed).toBe(true);
      }),
    );
  });

  test('remember no more keys than they may, and the busy ones longest', () => {
    const buckets = new TokenBuckets(100, createManualClock().now);
    const rate = { perSecond: 1, burst: 5 };
    for (let at = 0; at < 5; at++) buckets.take('busy', rate, 1);
    for (let at = 0; at < 10_000; at++) {
      buckets.take(`flood ${at}`, rate, 1);
      expect(buckets.take('busy', rate, 1).allowed).toBe(false);
      expect(buckets.size).toBeLessThanOrEqual(101);
    }
  });

  test('let a cost above the burst through when they are full', () => {
    const buckets = new TokenBuckets(10, createManualClock().now);
    const rate = { perSecond: 10, burst: 20 };
    expect(buckets.take('a', rate, 500).allowed).toBe(true);
    expect(buckets.take('a', rate, 500)).toMatchObject({ allowed: false, waitMs: 2000 });
  });
});

describe('the rate limiter', () => {
  const policies = { address: { perSecond: 1, burst: 3 }, project: { perSecond: 100, burst: 100 } };

  test('refuses with 6002 and a wait, and takes nothing from any bucket then', () => {
    const clock = createManualClock();
    const limiter = createRateLimiter({
      policies: { ...policies, project: { perSecond: 0.001, burst: 4 } },
      now: clock.now,
    });
    const request = [{ policy: 'address', key: 'a' } as const, { policy: 'project', key: 'p' } as const];
    for (let at = 0; at < 3; at++) expect(limiter.take(request)).toBeNull();
    for (let at = 0; at < 9; at++) {
      expect(limiter.take(request)).toMatchObject({ code: 6002, data: { retryAfterSeconds: 1 } });
    }
    clock.advance(10_000);
    expect(limiter.take(request)).toBeNull();
  });

  test('never tells a wait above 60 s', () => {
    const limiter = createRateLimiter({
      policies: { key: { perSecond: 0.0001, burst: 1 } },
      now: createManualClock().now,
    });
    limiter.take([{ policy: 'key', key: 'a' }]);
    expect(limiter.take([{ policy: 'key', key: 'a' }])?.data).toEqual({ retryAfterSeconds: 60 });
  });

  test("counts a project's own rate in place of the default", () => {
    const limiter = createRateLimiter({ policies, now: createManualClock().now });
    const own = { policy: 'project', key: 'p', rate: { perSecond: 1, burst: 1 } } as const;
    expect(limiter.take([own])).toBeNull();
    expect(limiter.take([own])).toMatchObject({ code: 6002 });
    expect(limiter.take([{ ...own, key: 'q' }])).toBeNull();
  });

  test('tells the nearest limit in headers, with the refusal too', async () => {
    const limiter = createRateLimiter({ policies, now: createManualClock().now });
    await using edge = await startHarness({
      routes: (app) => {
        app.get('/', (_request, response) => {
          const counted = [
            { policy: 'project', key: 'p' } as const,
            { policy: 'address', key: 'a' } as const,
          ];
          const refusal = limiter.take(counted, { response });
          if (refusal) throw refusal;
          answerText(response, 'true');
        });
      },
    });
    const seen: unknown[] = [];
    for (let at = 0; at < 4; at++) {
      const { status, headers } = await fetch(edge.url);
      seen.push([
        status,
        headers.get('ratelimit'),
        headers.get('ratelimit-policy'),
        headers.get('retry-after'),
      ]);
    }
    expect(seen).toEqual([
      [200, '"address";r=2;t=1', '"address";q=3;w=3', null],
      [200, '"address";r=1;t=2', '"address";q=3;w=3', null],
      [200, '"address";r=0;t=3', '"address";q=3;w=3', null],
      [429, '"address";r=0;t=3', '"address";q=3;w=3', '1'],
    ]);
  });
});
