import { type KeyKind, limits } from '@tickrate/contract';
import { milliseconds, type Queryable } from '@tickrate/postgres';

/** The caller that a key identifies. */
export interface Principal {
  readonly keyId: string;
  /** The first key of its rotation line. Null for a session. */
  readonly keyLine: string | null;
  readonly kind: KeyKind;
  readonly projectId: string;
  readonly scopes: readonly string[];
  /** The web origins that can use the key. Null means any. */
  readonly origins: readonly string[] | null;
  readonly sessionId: string | null;
  readonly accountId: string | null;
  /** The key is rejected from this time. */
  readonly expiresMs: number | null;
  /** Until this time, a player's ended session may still send events. Null for any other key, and after a ban. */
  readonly lateEventsUntilMs: number | null;
}

/** Public and administrative keys in their current state. */
const findKeys = `
SELECT encode(hash, 'hex') AS hash, id AS "keyId", line AS "keyLine", kind, project_id AS "projectId", scopes, origins,
       NULL AS "sessionId", NULL AS "accountId", ${milliseconds('expires')} AS "expiresMs", NULL AS "lateEventsUntilMs"
FROM registry.keys
WHERE hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) AS h) AND revoked IS NULL`;

/**
 * The keys of sessions, which the exchange issues and ends. An ended key has an expiry far in the past, for every
 * clock. A session with scopes belongs to an administrator. It may do more than send events, so it accepts nothing after
 * its end.
 */
const findSessionKeys = `
SELECT encode(hash, 'hex') AS hash, session_id AS "keyId", NULL AS "keyLine", 'session' AS kind, project_id AS "projectId",
       scopes, NULL AS origins, session_id AS "sessionId", account_id AS "accountId",
       CASE WHEN ended IS NULL THEN ${milliseconds('expires')} ELSE 0 END AS "expiresMs",
       CASE WHEN NOT barred AND scopes = '{}'
         THEN ${milliseconds('least(expires, ended)')} + ${limits.lateEventsMs} END AS "lateEventsUntilMs"
FROM registry.session_keys
WHERE hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) AS h)`;

/**
 * Finds principals by the hex of the SHA-256 of their key, many in one call. Leaves out revoked and unknown keys.
 * Rejects if it cannot read them.
 */
export function createPrincipalSource(db: Queryable, of: 'keys' | 'sessions') {
  return async (hashes: readonly string[]): Promise<ReadonlyMap<string, Principal>> => {
    const sql = of === 'keys' ? findKeys : findSessionKeys;
    const rows = await db.query<Principal & { readonly hash: string }>(sql, [hashes]);
    return new Map(rows.map(({ hash, ...principal }) => [hash, principal]));
  };
}
