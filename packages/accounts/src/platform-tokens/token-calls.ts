import type { Queryable } from '@tickrate/postgres';
import type { AccountsDeps } from '../accounts-deps.ts';
import { findDeviceSecret } from '../credentials/devices.ts';
import { inRealm } from '../store/in-realm.ts';
import { findRememberedTokens, rememberToken } from './remembered-tokens.ts';
import { claimTokenChecks, isTokenBeingChecked, releaseTokenCheck } from './token-checks.ts';

/** A token is remembered for this exchange, and for this sender. */
export interface TokenSender {
  readonly exchangeId: string;
  readonly keyId: string;
  readonly clientAddress: string;
}

const rememberedMs = 10 * 60_000;
/** A little longer than the timeout of a platform: by then the claimer has an answer, or is gone. */
const claimMs = 10_000;

/** What is stored of the tokens of platforms. A token is named by the hex text of its hash. */
export function createTokenCalls(deps: AccountsDeps) {
  const { db } = deps;
  return {
    /** Records used tokens, for all processes. */
    spent: createStoredSpentTokens(db),

    /** Null for a device without an account: its secret is invalid, however it was unlinked. */
    findDeviceSecret: (realm: string, deviceId: string) => findDeviceSecret(inRealm(db, realm), deviceId),

    memoryOf: (sender: TokenSender) => createTokenMemory(deps, sender),
  };
}

function createTokenMemory({ db, now, keyring, box }: AccountsDeps, sender: TokenSender) {
  const { exchangeId, keyId, clientAddress } = sender;
  const scopes = [
    keyring.mac('token exchange', exchangeId),
    keyring.mac('token sender', keyId, clientAddress),
  ];
  const nameOf = (hash: string) => keyring.mac('token check', keyId, clientAddress, hash);
  return {
    /** The texts that were remembered with the accepted tokens, by hash. */
    async recall(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const rows = await findRememberedTokens(db, scopes, { hashes, nowMs: now() });
      return new Map(rows.map(({ hash, identity }) => [hash, box.open(identity)]));
    },

    remember: (hash: string, text: string) =>
      rememberToken(db, scopes, { hash, identity: box.seal(text), expiresMs: now() + rememberedMs }),

    /** Resolves with the tokens that the caller must show. The caller releases them unless it remembers them. */
    async claim(hashes: readonly string[]): Promise<ReadonlySet<string>> {
      if (hashes.length === 0) return new Set();
      const named = new Map(hashes.map((hash) => [nameOf(hash).toString('hex'), hash]));
      const names = [...named.keys()].map((name) => Buffer.from(name, 'hex'));
      const mine = await claimTokenChecks(db, names, { nowMs: now(), untilMs: now() + claimMs });
      return new Set([...named].filter(([name]) => mine.has(name)).map(([, hash]) => hash));
    },

    /** Whether a process shows it to its platform now. */
    isClaimed: (hash: string) => isTokenBeingChecked(db, nameOf(hash), now()),

    release: (hash: string) => releaseTokenCheck(db, nameOf(hash)),
  };
}

export type TokenMemory = ReturnType<ReturnType<typeof createTokenCalls>['memoryOf']>;

/** One-time tokens, for all processes: true for the first use. `hash` is hex. */
function createStoredSpentTokens(db: Queryable) {
  return {
    async spend(hash: string, expiresMs: number): Promise<boolean> {
      const spent = await db.query(
        `INSERT INTO auth.spent_tokens (hash, expires) VALUES (decode($1, 'hex'), $2)
         ON CONFLICT DO NOTHING RETURNING hash`,
        [hash, new Date(expiresMs)],
      );
      return spent.length > 0;
    },
  };
}
