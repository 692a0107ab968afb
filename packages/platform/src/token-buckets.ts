export interface Rate {
  readonly perSecond: number;
  /** How many may come at once after a pause. */
  readonly burst: number;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  /** Until the cost could be paid; 0 when it was. */
  readonly waitMs: number;
}

/**
 * Token buckets by key. At most `maxKeys` are held, in two generations: when the young one is full the old one is
 * forgotten, so that what is forgotten has not been used for a while (and starts full again).
 */
export class TokenBuckets {
  readonly #generation: number;
  readonly #now: () => number;
  #young = new Map<string, Bucket>();
  #old = new Map<string, Bucket>();

  constructor(maxKeys: number, now: () => number) {
    this.#generation = Math.max(1, Math.floor(maxKeys / 2));
    this.#now = now;
  }

  get size(): number {
    return this.#young.size + this.#old.size;
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
    if (result.allowed) bucket.tokens -= price;
    return result;
  }

  #filled(key: string, rate: Rate): Bucket {
    const nowMs = this.#now();
    const bucket = this.#find(key) ?? this.#add(key, { tokens: rate.burst, atMs: nowMs });
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    bucket.tokens = Math.min(rate.burst, bucket.tokens + (passedMs * rate.perSecond) / 1000);
    bucket.atMs = nowMs;
    return bucket;
  }

  #find(key: string): Bucket | null {
    const young = this.#young.get(key);
    if (young) return young;
    const old = this.#old.get(key);
    return old ? this.#add(key, old) : null;
  }

  #add(key: string, bucket: Bucket): Bucket {
    if (this.#young.size >= this.#generation) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, bucket);
    return bucket;
  }
}

function taken(tokens: number, rate: Rate, price: number): Taken {
  if (tokens >= price) return { allowed: true, remaining: Math.floor(tokens - price), waitMs: 0 };
  return {
    allowed: false,
    remaining: Math.floor(tokens),
    waitMs: ((price - tokens) * 1000) / rate.perSecond,
  };
}
