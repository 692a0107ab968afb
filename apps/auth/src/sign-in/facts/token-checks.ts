import { setTimeout } from 'node:timers/promises';
import { claimTokenChecks, isTokenBeingChecked, releaseTokenCheck } from '@tickrate/accounts';
import type { TokenVerdict } from '../../providers/provider.ts';
import type { Ground, SignIn } from '../sign-in.ts';

/** A little longer than the timeout of a platform: by then the claimer has an answer, or is gone. */
const claimMs = 10_000;
/** As long in total as the timeout of a platform. No connection is used in between. */
const pausesMs = [25, 50, 100, 200, ...Array.from({ length: 19 }, () => 400)];

/**
 * Decides which process shows a token of this sender to its platform, if several processes received it at the same
 * time.
 */
export function createTokenChecks(
  { db, keyring, now }: Ground,
  { principal, clientAddress }: Pick<SignIn, 'principal' | 'clientAddress'>,
) {
  const nameOf = (hash: string) => keyring.mac('token check', principal.keyId, clientAddress, hash);

  return {
    /** Resolves with the tokens that the caller must show. The caller releases them unless it remembers them. */
    async claim(hashes: readonly string[]): Promise<ReadonlySet<string>> {
      if (hashes.length === 0) return new Set();
      const named = new Map(hashes.map((hash) => [nameOf(hash).toString('hex'), hash]));
      const names = [...named.keys()].map((name) => Buffer.from(name, 'hex'));
      const mine = await claimTokenChecks(db, names, { nowMs: now(), untilMs: now() + claimMs });
      return new Set([...named].filter(([name]) => mine.has(name)).map(([, hash]) => hash));
    },

    /** The result of another process; null if there is none and the caller must ask by itself. */
    async awaitOther(hash: string, recall: () => Promise<TokenVerdict | null>): Promise<TokenVerdict | null> {
      for (const pauseMs of pausesMs) {
        const isUnderWay = await isTokenBeingChecked(db, nameOf(hash), now());
        const found = await recall();
        if (found || !isUnderWay) return found;
        await setTimeout(pauseMs);
      }
      return { status: 'unavailable', retryAfterSeconds: 1, detail: 'there was no verdict in time' };
    },

    release: (hash: string) => releaseTokenCheck(db, nameOf(hash)),
  };
}
