import { type Accounts, type Allowance, type Taken, takeOfAddress } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { addressBucket, type RateStatus, type RequestContext, setRateHeaders } from '@tickrate/platform';

/**
 * Resolves if the caller's address may send one more request; throws 6002 if it sends too many. The answer contains the
 * rate.
 */
export type CheckAddress = (caller: Pick<RequestContext, 'clientAddress' | 'response'>) => Promise<void>;

interface Waiting {
  readonly resolve: (taken: Taken) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The rates of each address. Requests that arrive while one is being counted are counted together after it: they use
 * one connection to the database, and requests of other addresses do not wait for them.
 */
export function createCheckAddress(accounts: Accounts, allowances: readonly Allowance[]): CheckAddress {
  const waiting = new Map<string, Waiting[]>();
  const mostAtOnce = Math.min(100, ...allowances.map(({ burst }) => Math.floor(burst)));

  async function count(network: string, some: readonly Waiting[]): Promise<void> {
    const taken = await takeOfAddress(accounts, network, { allowances, count: some.length });
    if (taken.waitMs === null || some.length === 1) {
      for (const { resolve } of some) resolve(taken);
      return;
    }
    // Not enough for all of them: the first ones are allowed.
    let last: Taken | null = null;
    for (const { resolve } of some) {
      if (last === null || last.waitMs === null)
        last = await takeOfAddress(accounts, network, { allowances, count: 1 });
      resolve(last);
    }
  }

  async function countAll(network: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) {
      const some = line.splice(0, mostAtOnce);
      await count(network, some).catch((error: unknown) => {
        for (const { reject } of some) reject(error);
      });
    }
    waiting.delete(network);
  }

  return async ({ clientAddress, response }) => {
    const network = addressBucket(clientAddress);
    const taken = await new Promise<Taken>((resolve, reject) => {
      const line = waiting.get(network);
      if (line) {
        line.push({ resolve, reject });
        return;
      }
      const begun = [{ resolve, reject }];
      waiting.set(network, begun);
      void countAll(network, begun);
    });
    setRateHeaders(response, statusesOf(allowances, taken));
    if (taken.waitMs === null) return;
    const retryAfterSeconds = Math.min(60, Math.max(1, Math.ceil(taken.waitMs / 1000)));
    throw systemError('rateLimited', { retryAfterSeconds }, { fields: 'the rate of this address' });
  };
}

/** The buckets after the one that refused were not used, and none of them is closer to its end. */
function statusesOf(allowances: readonly Allowance[], { left }: Taken): RateStatus[] {
  return allowances.map((rate, at) => {
    const { burst, perSecond } = rate;
    const remaining = left[at] ?? (at === left.length ? 0 : burst);
    return {
      policy: at === 0 ? 'address' : `address-${Math.round(burst / perSecond)}s`,
      rate,
      remaining: Math.floor(remaining),
      wholeMs: ((burst - remaining) * 1000) / perSecond,
    };
  });
}
