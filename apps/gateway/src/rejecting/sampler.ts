export interface SamplingRate {
  readonly perSecond: number;
  /** How many are taken at once after a pause; 0 takes none. */
  readonly burst: number;
}

/** Whether one more of its kind is taken. */
export type Sampler = (kind: string) => boolean;

const mostKinds = 5_000;

/** A token bucket for each kind. When there are too many kinds all are forgotten, and begin full again. */
export function createSampler({ perSecond, burst }: SamplingRate, now: () => number): Sampler {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return (kind) => {
    const nowMs = now();
    const bucket = buckets.get(kind) ?? { tokens: burst, atMs: nowMs };
    if (!buckets.has(kind)) {
      if (buckets.size >= mostKinds) buckets.clear();
      buckets.set(kind, bucket);
    }
    const passedMs = Math.max(0, nowMs - bucket.atMs);
    bucket.tokens = Math.min(burst, bucket.tokens + (passedMs * perSecond) / 1_000);
    bucket.atMs = nowMs;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  };
}
