import { type KeyKind, limits } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import { milliseconds } from '../store/milliseconds.ts';

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

/**
 * Finds principals by the hex of the SHA-256 of their key, many in one call. Leaves out revoked and unknown keys.
 * Rejects if it cannot read them.
 */
export type PrincipalSource = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Principal>>;

const findKeys = `
SELECT encode(hash, 'hex') AS hash, id AS "keyId", line AS "keyLine", kind, project_id AS "projectId", scopes, origins,
       NULL AS "sessionId", NULL AS "accountId", ${milliseconds('expires')} AS "expiresMs", NULL AS "lateEventsUntilMs"
FROM registry.keys
WHERE hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) AS h) AND revoked IS NULL`;

/** Public and administrative keys in their current state in the registry. */
export function createKeySource(db: Queryable): PrincipalSource {
  return async (hashes) => {
    const rows = await db.query<Principal & { readonly hash: string }>(findKeys, [hashes]);
    return new Map(rows.map(({ hash, ...principal }) => [hash, principal]));
  };
}

interface SessionKeyRow {
  readonly hash: string;
  readonly session_id: string;
  readonly account_id: string;
  readonly project_id: string;
  readonly scopes: string[];
  readonly expires: Date;
  readonly ended: Date | null;
  readonly barred: boolean;
}

const findSessionKeys = `
SELECT encode(hash, 'hex') AS hash, session_id, account_id, project_id, scopes, expires, ended, barred
FROM registry.session_keys
WHERE hash = ANY (SELECT decode(h, 'hex') FROM unnest($1::text[]) AS h)`;

/**
 * The keys of sessions, which the exchange issues and ends. An ended key has an expiry far in the past, for every
 * clock.
 */
export function createSessionSource(db: Queryable): PrincipalSource {
  return async (hashes) => {
    const rows = await db.query<SessionKeyRow>(findSessionKeys, [hashes]);
    return new Map(
      rows.map((row) => [
        row.hash,
        {
          keyId: row.session_id,
          keyLine: null,
          kind: 'session',
          projectId: row.project_id,
          scopes: row.scopes,
          origins: null,
          sessionId: row.session_id,
          accountId: row.account_id,
          expiresMs: row.ended === null ? row.expires.getTime() : 0,
          lateEventsUntilMs: lateEventsUntil(row),
        },
      ]),
    );
  };
}

/**
 * A session with scopes belongs to an administrator. It may do more than send events, so it accepts nothing after its
 * end.
 */
function lateEventsUntil({ barred, scopes, expires, ended }: SessionKeyRow): number | null {
  if (barred || scopes.length > 0) return null;
  return Math.min(expires.getTime(), ended?.getTime() ?? Number.POSITIVE_INFINITY) + limits.lateEventsMs;
}
