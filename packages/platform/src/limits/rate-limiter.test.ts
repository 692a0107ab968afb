import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { createManualClock } from '@tickrate/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerText } from '../http/answers/answer.ts';
import { startHarness } from '../testing/http-harness.ts';
import { createRateLimiter } from './rate-limiter.ts';
import { type Rate, TokenBuckets } from './token-buckets.ts';

// Invariant (Limits and overload): A client that follows `RateLimit` and `RateLimit-Policy` is never
// refused
describe('token buckets', () => {
  test('accept the burst and the rate, no more and no less', () => {
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

  test('accept a request after exactly the announced wait', () => {
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

  test('accept a cost above the burst when they are full', () => {
    const buckets = new TokenBuckets(10, createManualClock().now);
    const rate = { perSecond: 10, burst: 20 };
    expect(buckets.take('a', rate, 500).allowed).toBe(true);
    expect(buckets.take('a', rate, 500)).toMatchObject({ allowed: false, waitMs: 2000 });
  });
});

describe('the rate limiter', () => {
  const policies = { address: { perSecond: 1, burst: 3 }, project: { perSecond: 100, burst: 100 } };

  test('refuses with 6002 and a wait, without taking from any bucket', () => {
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

  test('never announces a wait above 60 s', () => {
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

  test('reports the nearest limit and all policies in headers, also with a refusal', async () => {
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
      expect(headers.get('ratelimit-policy')).toBe('"project";q=100;w=1, "address";q=3;w=3');
      seen.push([status, headers.get('ratelimit'), headers.get('retry-after')]);
    }
    expect(seen).toEqual([
      [200, '"address";r=2;t=1', null],
      [200, '"address";r=1;t=2', null],
      [200, '"address";r=0;t=3', null],
      [429, '"address";r=0;t=3', '1'],
    ]);
  });

  test('reports the limit that refuses first, also if another has less of its burst left', () => {
    const { send } = start({ address: { perSecond: 10, burst: 10 }, project: { perSecond: 8, burst: 800 } });
    for (let at = 0; at < 9; at++) send();
    expect(send().reported).toEqual({ policy: 'address', r: 0, t: 1 });
    const slow = start({ address: { perSecond: 1, burst: 90 }, project: { perSecond: 1000, burst: 1000 } });
    slow.clock.advance(1_000);
    const others = { policy: 'project', key: 'k' } as const;
    for (let at = 0; at < 500; at++) slow.limiter.take([others]);
    expect(slow.send().reported).toEqual({ policy: 'address', r: 89, t: 1 });
  });

  test('reports when a bucket in debt is full again', () => {
    const { limiter, send } = start({ address: { perSecond: 10, burst: 10 } });
    limiter.owe({ policy: 'address', key: 'k', rate: { perSecond: 10, burst: 10 }, cost: 30 });
    expect(send()).toMatchObject({ passed: false, reported: { policy: 'address', r: 0, t: 3 } });
  });

  test('counts no request that was only counted before', () => {
    const { limiter, response } = start(policies);
    const beside = [{ policy: 'address', key: 'a' }] as const;
    for (let at = 0; at < 9; at++) {
      expect(limiter.take([{ policy: 'project', key: 'p' }], { response, beside })).toBeNull();
    }
    expect(response.getHeader('RateLimit')).toBe('"address";r=3;t=0');
  });

  const anyRate = fc.record({
    perSecond: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.constantFrom(0.1, 1 / 60, 300 / 1800)),
    burst: fc.integer({ min: 1, max: 60 }),
  });
  const anyPolicies = fc.dictionary(fc.constantFrom('address', 'key', 'project'), anyRate, { minKeys: 1 });

  test('accepts what the headers allow: r at once, and q again after t', () => {
    fc.assert(
      fc.property(anyPolicies, fc.array(fc.integer({ min: 0, max: 2_000 })), (rates, pausesMs) => {
        const { clock, send } = start(rates);
        for (const pauseMs of pausesMs) {
          send();
          clock.advance(pauseMs);
        }
        const { reported, policyOf } = send();
        const { q, w } = policyOf(reported.policy);
        expect(reported.r).toBeLessThanOrEqual(q);
        expect(reported.t).toBeLessThanOrEqual(w);
        for (let left = reported.r; left > 0; left--) expect(send().passed).toBe(true);
        clock.advance(Math.max(...Object.keys(rates).map((policy) => policyOf(policy).w)) * 1_000);
        const again = send();
        expect([again.passed, again.reported.r]).toEqual([true, again.policyOf(again.reported.policy).q - 1]);
      }),
    );
  });

  test('accepts what the policies allow: q in each w, evenly', () => {
    fc.assert(
      fc.property(anyRate, fc.integer({ min: 1, max: 3 }), (rate, windows) => {
        const { clock, send } = start({ key: rate });
        const first = send();
        const { q, w } = first.policyOf('key');
        expect(first.reported.r).toBe(q - 1);
        for (let sent = 0; sent < windows * q; sent++) {
          clock.advance((w * 1_000) / q);
          expect(send().passed).toBe(true);
        }
      }),
    );
  });
});

/** A client of all named policies, and the headers of each answer. */
function start<P extends string>(policies: Readonly<Record<P, Rate>>) {
  const clock = createManualClock();
  const limiter = createRateLimiter({ policies, now: clock.now });
  const response = new ServerResponse(new IncomingMessage(new Socket()));
  const named = Object.keys(policies) as P[];
  function send() {
    const counted = named.map((policy) => ({ policy, key: 'k' }));
    const passed = limiter.take(counted, { response }) === null;
    const header = (name: string) => String(response.getHeader(name));
    const [, policy, r, t] = /^"(\w+)";r=(\d+);t=(\d+)$/.exec(header('RateLimit')) ?? [];
    const policyOf = (of: string | undefined) => {
      const [, q, w] = new RegExp(`"${of}";q=(\\d+);w=(\\d+)`).exec(header('RateLimit-Policy')) ?? [];
      return { q: Number(q), w: Number(w) };
    };
    return { passed, reported: { policy, r: Number(r), t: Number(t) }, policyOf };
  }
  return { clock, limiter, response, send };
}
