import { setTimeout } from 'node:timers/promises';
import { claimTokenChecks, isTokenBeingChecked, releaseTokenCheck } from '@tickrate/accounts';
import type { TokenVerdict } from '../providers/provider.ts';
import type { Ground, SignIn } from './sign-in.ts';

/** A little longer than a platform is given: who claimed has an answer by then, or is gone. */
const claimMs = 10_000;
/** As long together as a platform is given. No connection is held in between. */
const pausesMs = [25, 50, 100, 200, ...Array.from({ length: 19 }, () => 400)];

/** Who shows a token of this sender to its platform, when several processes were sent it at once. */
export function createTokenChecks(
  { db, keyring, now }: Ground,
  { principal, clientAddress }: Pick<SignIn, 'principal' | 'clientAddress'>,
) {
  const nameOf = (hash: string) => keyring.mac('token check', principal.keyId, clientAddress, hash);

  return {
    /** Resolves with those of the tokens that the caller is to show, and has to release unless it remembers them. */
    async claim(hashes: readonly string[]): Promise<ReadonlySet<string>> {
      if (hashes.length === 0) return new Set();
      const named = new Map(hashes.map((hash) => [nameOf(hash).toString('hex'), hash]));
      const names = [...named.keys()].map((name) => Buffer.from(name, 'hex'));
      const mine = await claimTokenChecks(db, names, { nowMs: now(), untilMs: now() + claimMs });
      return new Set([...named].filter(([name]) => mine.has(name)).map(([, hash]) => hash));
    },

    /** What somebody else finds out; null when that came to nothing and the caller has to ask by itself. */
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
