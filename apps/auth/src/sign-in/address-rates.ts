import { type Allowance, takeFrom } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import { addressBucket } from '@tickrate/platform';
import type { Ground } from './sign-in.ts';

/** Resolves when this client address may ask once more; throws 6002 when it asks too often. */
export type CheckAddress = (clientAddress: string) => Promise<void>;

interface Waiting {
  readonly resolve: (waitMs: number | null) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * How often each address may. Its requests that come while one is being counted are counted together after it: however
 * many there are, they hold one connection to the database, and nobody else waits behind them.
 */
export function createCheckAddress(ground: Ground, allowances: readonly Allowance[]): CheckAddress {
  const waiting = new Map<string, Waiting[]>();
  const mostAtOnce = Math.min(100, ...allowances.map(({ burst }) => Math.floor(burst)));

  function take(network: string, count: number): Promise<number | null> {
    const asked = allowances.map((allowance) => ({
      bucket: ground.keyring.mac('address', network, String(allowance.burst)),
      allowance,
    }));
    return takeFrom(ground.db, asked, { nowMs: ground.now(), count });
  }

  async function count(network: string, some: readonly Waiting[]): Promise<void> {
    const waitMs = await take(network, some.length);
    if (waitMs === null || some.length === 1) {
      for (const { resolve } of some) resolve(waitMs);
      return;
    }
    // Not enough for all of them: the first ones get what there is.
    let refused: number | null = null;
    for (const { resolve } of some) {
      refused ??= await take(network, 1);
      resolve(refused);
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

  return async (clientAddress) => {
    const network = addressBucket(clientAddress);
    const waitMs = await new Promise<number | null>((resolve, reject) => {
      const line = waiting.get(network);
      if (line) {
        line.push({ resolve, reject });
        return;
      }
      const begun = [{ resolve, reject }];
      waiting.set(network, begun);
      void countAll(network, begun);
    });
    if (waitMs === null) return;
    const retryAfterSeconds = Math.min(60, Math.max(1, Math.ceil(waitMs / 1000)));
    throw systemError('rateLimited', { retryAfterSeconds }, { fields: 'the rate of this address' });
  };
}
