import type { RatesPolicy } from '@tickrate/contract';
import {
  addressBucket,
  type Counted,
  createRateLimiter,
  type Rate,
  type RateLimiter,
  type RequestContext,
} from '@tickrate/platform';
import type { Principal } from '@tickrate/registry';

interface SentRequest {
  readonly context: RequestContext;
  readonly principal: Principal;
  /** The project's settings instead of the defaults. */
  readonly rates: RatesPolicy;
}

interface RatesOptions {
  /** Requests per second; 0 is no limit. */
  readonly perAddress: number;
  readonly perKey: number;
  readonly perProject: number;
  readonly now: () => number;
}

export interface Rates {
  /** Throws 6002 if the address, the key or the project sends too often. Counts in memory, without a round trip. */
  readonly check: (sent: SentRequest) => void;
  readonly limiter: RateLimiter<RatePolicy>;
}

export type RatePolicy = 'address' | 'key' | 'project';

export function createRates({ perAddress, perKey, perProject, now }: RatesOptions): Rates {
  const limiter = createRateLimiter<RatePolicy>({
    policies: { address: rate(perAddress), key: rate(perKey), project: rate(perProject) },
    now,
  });
  const check: Rates['check'] = ({ context, principal, rates }) => {
    const counted: Counted<RatePolicy>[] = [];
    const count = (policy: RatePolicy, key: string, perSecond: number) => {
      if (perSecond > 0) counted.push({ policy, key, rate: rate(perSecond) });
    };
    // A studio's servers send for all players from one address; their keys are secret and have a limit of their own.
    if (principal.kind !== 'administrative') {
      count('address', addressBucketOf(context, principal, rates), rates.perAddress ?? perAddress);
    }
    count('key', principal.keyId, rates.perKey ?? perKey);
    count('project', principal.projectId, rates.perProject ?? perProject);
    const refusal = limiter.take(counted, { response: context.response });
    if (refusal !== null) throw refusal;
  };
  return { check, limiter };
}

/** With its own rate for addresses, a project counts each address for itself. */
function addressBucketOf(
  context: RequestContext,
  { projectId }: Principal,
  { perAddress }: RatesPolicy,
): string {
  const bucket = addressBucket(context.clientAddress);
  return typeof perAddress === 'number' ? `${projectId} ${bucket}` : bucket;
}

/** The burst is one second of the rate, so that the rate is also the quota in the answer. */
function rate(perSecond: number): Rate {
  return { perSecond, burst: Math.max(1, Math.ceil(perSecond)) };
}
