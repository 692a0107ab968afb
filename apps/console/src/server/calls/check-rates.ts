import { addressBucket, type Counted, createRateLimiter } from '@tickrate/platform';
import type { AdmitDeps } from './admit-caller.ts';

export interface ManagementRates {
  /** Requests per second; 0 means no limit. */
  readonly perAddress: number;
  readonly perKey: number;
  readonly now: () => number;
}

/** Counts in the memory of this process: first by address, before the key is known, and then by key. */
export function createCheckRates({ perAddress, perKey, now }: ManagementRates): AdmitDeps['checkRates'] {
  const limiter = createRateLimiter<'address' | 'key'>({
    policies: { address: rate(perAddress), key: rate(perKey) },
    now,
  });
  return (context, principal) => {
    const address: Counted<'address' | 'key'>[] =
      perAddress === 0 ? [] : [{ policy: 'address', key: addressBucket(context.clientAddress) }];
    const { response } = context;
    const refusal =
      principal === null
        ? limiter.take(address, { response })
        : limiter.take(perKey === 0 ? [] : [{ policy: 'key', key: principal.keyId }], {
            response,
            beside: address,
          });
    if (refusal !== null) throw refusal;
  };
}

function rate(perSecond: number) {
  return { perSecond, burst: Math.max(1, Math.ceil(perSecond)) };
}
