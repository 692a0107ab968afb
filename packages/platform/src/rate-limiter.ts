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

export interface TakeOptions {
  /** 1 when left out. */
  readonly cost?: number;
  readonly response?: ServerResponse;
}

export interface RateLimiter<P extends string> {
  /**
   * Counts a request under each, in this process' memory alone. When one is used up nothing is taken from any, and
   * the refusal (6002, with a wait of at most 60 s) is returned. Sets RateLimit and RateLimit-Policy when a response
   * is given: those of the policy that is nearest its end.
   */
  take(counted: readonly Counted<P>[], options?: TakeOptions): SystemError | null;
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
    take: (counted, { cost = 1, response } = {}) => {
      const standing = nearest(counted.map((each) => look(each, cost)));
      if (standing === null) return null;
      if (standing.waitMs === 0) for (const each of counted) take(each, cost);
      if (response) setRateHeaders(response, standing);
      return standing.waitMs === 0 ? null : refusal(standing);
    },
    spent: (share) =>
      [...buckets].flatMap(([policy, of]) => of.spent(share).map((spending) => ({ policy, ...spending }))),
    owe: ({ policy, ...spending }) => bucketsOf(policy).owe(spending),
  };

  function look({ policy, key, rate = policies[policy] }: Counted<P>, cost: number): Standing {
    const { remaining, waitMs } = bucketsOf(policy).look(key, rate, cost);
    return { policy, rate, remaining, waitMs };
  }

  function take({ policy, key, rate = policies[policy] }: Counted<P>, cost: number): void {
    bucketsOf(policy).take(key, rate, cost);
  }

  function bucketsOf(policy: P): TokenBuckets {
    const found = buckets.get(policy);
    if (!found) throw new Error(`There is no rate policy named ${policy}`);
    return found;
  }
}

interface Standing {
  readonly policy: string;
  readonly rate: Rate;
  readonly remaining: number;
  readonly waitMs: number;
}

// The one with the longest wait, or the least left of its burst.
function nearest(standings: readonly Standing[]): Standing | null {
  let found: Standing | null = null;
  for (const each of standings) {
    if (
      found === null ||
      each.waitMs > found.waitMs ||
      (each.waitMs === found.waitMs && share(each) < share(found))
    ) {
      found = each;
    }
  }
  return found;
}

function share({ remaining, rate }: Standing): number {
  return remaining / rate.burst;
}

function refusal({ policy, waitMs }: Standing): SystemError {
  const retryAfterSeconds = Math.min(limits.retryAfterSecondsAtMost, Math.max(1, Math.ceil(waitMs / 1000)));
  return systemError('rateLimited', { retryAfterSeconds }, { fields: `the rate of this ${policy}` });
}

/** draft-ietf-httpapi-ratelimit-headers: q per window w; r left now, t seconds until it is whole again. */
export function setRateHeaders(
  response: ServerResponse,
  { policy, rate, remaining }: Omit<Standing, 'waitMs'>,
): void {
  const windowSeconds = Math.max(1, Math.ceil(rate.burst / rate.perSecond));
  const wholeSeconds = Math.ceil((rate.burst - remaining) / rate.perSecond);
  const quota = Math.max(rate.burst, Math.floor(rate.perSecond));
  response.setHeader('RateLimit-Policy', `"${policy}";q=${quota};w=${windowSeconds}`);
  response.setHeader('RateLimit', `"${policy}";r=${remaining};t=${wholeSeconds}`);
}
