import { RecentMap } from './recent-map.ts';

export interface Rate {
  readonly perSecond: number;
  /** How many may come at once after a pause. */
  readonly burst: number;
}

interface Bucket {
  /** Below zero while others have taken more than there was. */
  tokens: number;
  atMs: number;
  /** The tokens taken here since the last call. */
  spent: number;
}

/** What one bucket has given here. */
export interface Spending {
  readonly key: string;
  readonly rate: Rate;
  readonly cost: number;
}

/** How many bursts a bucket can owe for what was taken elsewhere; more is forgiven. */
const mostBurstsOwed = 8;

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until the cost could be paid; 0 when it was. */
  readonly waitMs: number;
  /** Until the bucket is full again, debts included. */
  readonly wholeMs: number;
}

/**
 * Token buckets by key. It keeps at most `maxKeys`, the most recently used ones. A forgotten bucket has not been used for
 * a while, and starts full again.
 */
export class TokenBuckets {
  readonly #maxKeys: number;
  readonly #now: () => number;
  readonly #buckets: RecentMap<string, Bucket>;
  #spenders: { readonly key: string; readonly rate: Rate; readonly bucket: Bucket }[] = [];
  #askedMs: number;

  constructor(maxKeys: number, now: () => number) {
    this.#maxKeys = Math.max(2, maxKeys);
    this.#buckets = new RecentMap(this.#maxKeys);
    this.#now = now;
    this.#askedMs = now();
  }

  get size(): number {
    return this.#buckets.size;
  }

  /** What taking would do, without taking. */
  look(key: string, rate: Rate, cost: number): Taken {
    const bucket = this.#filled(key, rate);
    return taken(bucket.tokens, rate, Math.min(cost, rate.burst));
  }

  /** Takes the cost when the bucket holds it. A cost above the burst is a full bucket: it may pass, at that price. */
  take(key: string, rate: Rate, cost: number): Taken {
    const bucket = this.#filled(key, rate);
    const price = Math.min(cost, rate.burst);
    const result = taken(bucket.tokens, rate, price);
    if (result.allowed) this.#spend(bucket, { key, rate, cost: price });
    return result;
  }

  /**
   * What was taken since the last call, from buckets that gave at least `share` of what their rate has brought in since:
   * those that give less matter to nobody.
   */
  spent(share: number): Spending[] {
    const nowMs = this.#now();
    const elapsedSeconds = (nowMs - this.#askedMs) / 1000;
    const spendings = this.#spenders.map(({ key, rate, bucket }) => ({ key, rate, cost: bucket.spent }));
    for (const { bucket } of this.#spenders) bucket.spent = 0;
    this.#spenders = [];
    this.#askedMs = nowMs;
    return spendings.filter(({ rate, cost }) => cost >= rate.perSecond * elapsedSeconds * share);
  }

  /** Takes what was taken elsewhere, also when that is more than there is. */
  owe({ key, rate, cost }: Spending): void {
    const bucket = this.#filled(key, rate);
    bucket.tokens = Math.max(bucket.tokens - cost, -mostBurstsOwed * rate.burst);
  }

  #spend(bucket: Bucket, { key, rate, cost }: Spending): void {
    bucket.tokens -= cost;
    if (bucket.spent === 0) {
      // Nobody reads it, so it is not kept.
      if (this.#spenders.length > this.#maxKeys) return;
      this.#spenders.push({ key, rate, bucket });
    }
    bucket.spent += cost;
  }

  #filled(key: string, rate: Rate): Bucket {
    const nowMs = this.#now();
    let bucket = this.#buckets.get(key);
    if (bucket === undefined) {
      bucket = { tokens: rate.burst, atMs: nowMs, spent: 0 };
      this.#buckets.set(key, bucket);
    }
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    bucket.tokens = Math.min(rate.burst, bucket.tokens + (passedMs * rate.perSecond) / 1000);
    bucket.atMs = nowMs;
    return bucket;
  }
}

// Refills are sums of fractions: a token counts as complete if less than this is missing.
const rounding = 1e-9;

function taken(tokens: number, { perSecond, burst }: Rate, price: number): Taken {
  const msFor = (missing: number) => Math.max(0, (missing * 1000) / perSecond);
  const allowed = tokens + rounding >= price;
  const left = allowed ? tokens - price : tokens;
  return {
    allowed,
    remaining: Math.max(0, Math.floor(left + rounding)),
    waitMs: allowed ? 0 : msFor(price - tokens),
    wholeMs: msFor(burst - left - rounding),
  };
}
