import type { ServerResponse } from 'node:http';
import {
  addressBucket,
  type Counted,
  createRateLimiter,
  type Rate,
  type RequestContext,
} from '@tickrate/platform';
import type { Principal } from '@tickrate/registry';

/** Throws 6002 when the address, the key or the project sends too often. Counts in this process' memory. */
export type CheckRates = (context: RequestContext, principal: Principal, response: ServerResponse) => void;

export interface RatesOptions {
  /** Requests a second; 0 is no limit. */
  readonly perAddress: number;
  readonly perKey: number;
  readonly perProject: number;
  readonly now: () => number;
}

type Policy = 'address' | 'key' | 'project';

export function createCheckRates({ perAddress, perKey, perProject, now }: RatesOptions): CheckRates {
  const limiter = createRateLimiter<Policy>({
    policies: { address: rate(perAddress), key: rate(perKey), project: rate(perProject) },
    now,
  });
  return (context, principal, response) => {
    const counted: Counted<Policy>[] = [];
    // A studio's servers send for all players from one address; their keys are secret and limited as such.
    if (perAddress > 0 && principal.kind !== 'administrative') {
      counted.push({ policy: 'address', key: addressBucket(context.clientAddress) });
    }
    if (perKey > 0) counted.push({ policy: 'key', key: principal.keyId });
    if (perProject > 0) counted.push({ policy: 'project', key: principal.projectId });
    const refusal = limiter.take(counted, { response });
    if (refusal !== null) throw refusal;
  };
}

function rate(perSecond: number): Rate {
  return { perSecond, burst: perSecond * 2 };
}
