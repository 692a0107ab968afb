import { addressBucket, createRateLimiter } from '@tickrate/platform';
import type { AdmitDeps } from './admit-caller.ts';

export interface ManagementRates {
  /** Requests a second; 0 is no limit. */
  readonly perAddress: number;
  readonly perKey: number;
  readonly now: () => number;
}

/** Counts in this process' memory: the address before its key is known, and then the key. */
export function createCheckRates({ perAddress, perKey, now }: ManagementRates): AdmitDeps['checkRates'] {
  const limiter = createRateLimiter<'address' | 'key'>({
    policies: { address: rate(perAddress), key: rate(perKey) },
    now,
  });
  return (context, principal) => {
    const perSecond = principal === null ? perAddress : perKey;
    if (perSecond === 0) return;
    const counted =
      principal === null
        ? ({ policy: 'address', key: addressBucket(context.clientAddress) } as const)
        : ({ policy: 'key', key: principal.keyId } as const);
    const refusal = limiter.take([counted], { response: context.response });
    if (refusal !== null) throw refusal;
  };
}

function rate(perSecond: number) {
  return { perSecond, burst: Math.max(1, perSecond) };
}
