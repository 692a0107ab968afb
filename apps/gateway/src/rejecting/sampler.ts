import { type Rate, TokenBuckets } from '@tickrate/platform';

/** Whether one more event of its kind is kept as a sample. */
export type Sampler = (kind: string) => boolean;

const mostKinds = 5_000;

/** A token bucket for each kind. A burst of 0 keeps no samples. */
export function createSampler(rate: Rate, now: () => number): Sampler {
  const buckets = new TokenBuckets(mostKinds, now);
  return (kind) => rate.burst > 0 && buckets.take(kind, rate, 1).allowed;
}
