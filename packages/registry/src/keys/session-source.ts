import { limits } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { PrincipalSource } from './principal.ts';

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
