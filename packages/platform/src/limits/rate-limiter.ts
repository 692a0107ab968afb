import type { ServerResponse } from 'node:http';
import { limits, type SystemError, systemError } from '@tickrate/contract';
import { type Rate, type Spending, TokenBuckets } from './token-buckets.ts';

/** What a request is counted under. `rate` overrides the policy's own: a project's setting. */
export interface Counted<P extends string> {
  readonly policy: P;
  readonly key: string;
  readonly rate?: Rate | undefined;
}

export interface RateLimiterOptions<P extends string> {
  readonly policies: Readonly<Record<P, Rate>>;
  /** How many addresses, keys or projects each policy remembers. */
  readonly maxKeys?: number;
  readonly now?: () => number;
}

export interface TakeOptions<P extends string> {
  /** 1 when left out. */
  readonly cost?: number;
  readonly response?: ServerResponse;
  /** Counted before for the same request, so only reported. */
  readonly beside?: readonly Counted<P>[];
}

export interface RateLimiter<P extends string> {
  /**
   * Counts a request under each, in this process' memory alone. When one is used up nothing is taken from any, and
   * the refusal (6002, with a wait of at most 60 s) is returned. Sets RateLimit-Policy, of all of them, and RateLimit, of
   * the one that refuses first, when a response is given.
   */
  take(counted: readonly Counted<P>[], options?: TakeOptions<P>): SystemError | null;
  /** What was taken here since the last call, where it was at least `share` of what the rate allows. */
  spent(share: number): PolicySpending<P>[];
  /** Takes what was taken in another process: later than it was, and so with a debt where it was too much. */
  owe(spending: PolicySpending<P>): void;
}

export interface PolicySpending<P extends string> extends Spending {
  readonly policy: P;
}

export function createRateLimiter<P extends string>(options: RateLimiterOptions<P>): RateLimiter<P> {
  const { policies, maxKeys = 50_000, now = Date.now } = options;
  const buckets = new Map<P, TokenBuckets>();
  for (const policy of Object.keys(policies) as P[]) buckets.set(policy, new TokenBuckets(maxKeys, now));

  return {
    take: (counted, { cost = 1, response, beside = [] } = {}) => {
      const statuses = counted.map((each) => look(each, cost));
      const waiting = longestWait(statuses);
      if (waiting === null)
        for (const { policy, key, rate = policies[policy] } of counted)
          bucketsOf(policy).take(key, rate, cost);
      if (response) setRateHeaders(response, [...beside.map((each) => look(each, 0)), ...statuses]);
      return waiting && refusal(waiting);
    },
    spent: (share) =>
      [...buckets].flatMap(([policy, of]) => of.spent(share).map((spending) => ({ policy, ...spending }))),
    owe: ({ policy, ...spending }) => bucketsOf(policy).owe(spending),
  };

  function look({ policy, key, rate = policies[policy] }: Counted<P>, cost: number): CountedStatus {
    const { remaining, waitMs, wholeMs } = bucketsOf(policy).look(key, rate, cost);
    return { policy, rate, remaining, waitMs, wholeMs };
  }

  function bucketsOf(policy: P): TokenBuckets {
    const found = buckets.get(policy);
    if (!found) throw new Error(`There is no rate policy named ${policy}`);
    return found;
  }
}

export interface RateStatus {
  readonly policy: string;
  readonly rate: Rate;
  readonly remaining: number;
  /** Until it is whole again. */
  readonly wholeMs: number;
}

interface CountedStatus extends RateStatus {
  readonly waitMs: number;
}

function longestWait(statuses: readonly CountedStatus[]): CountedStatus | null {
  let found: CountedStatus | null = null;
  for (const each of statuses) if (each.waitMs > (found?.waitMs ?? 0)) found = each;
  return found;
}

function refusal({ policy, waitMs }: CountedStatus): SystemError {
  const retryAfterSeconds = Math.min(limits.retryAfterSecondsAtMost, Math.max(1, Math.ceil(waitMs / 1000)));
  return systemError('rateLimited', { retryAfterSeconds }, { fields: `the rate of this ${policy}` });
}

/**
 * draft-ietf-httpapi-ratelimit-headers. Of every policy: q at once, and q in every w seconds. Of the one with the least
 * left: r at once from now on, and q again in t seconds.
 */
export function setRateHeaders(response: ServerResponse, statuses: readonly RateStatus[]): void {
  let [nearest] = statuses;
  if (nearest === undefined) return;
  let policies = '';
  for (const each of statuses) {
    const { policy, rate, remaining, wholeMs } = each;
    const windowSeconds = Math.max(1, Math.ceil(rate.burst / rate.perSecond - 1e-9));
    policies += `${policies === '' ? '' : ', '}"${policy}";q=${rate.burst};w=${windowSeconds}`;
    const isNearer =
      remaining < nearest.remaining || (remaining === nearest.remaining && wholeMs > nearest.wholeMs);
    if (isNearer) nearest = each;
  }
  const { policy, remaining, wholeMs } = nearest;
  response.setHeader('RateLimit-Policy', policies);
  response.setHeader('RateLimit', `"${policy}";r=${remaining};t=${Math.ceil(wholeMs / 1000)}`);
}
