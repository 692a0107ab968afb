import { milliseconds } from '@tickrate/postgres';
import type { InRealm } from '../store/in-realm.ts';
import { noId, type PageBy } from '../store/page.ts';

export interface PlayerSession {
  readonly id: string;
  readonly role: string;
  /** The proofs, by RFC 8176: `pwd`, `otp`, a provider. */
  readonly amr: readonly string[];
  readonly startedMs: number;
  /** When credentials were last proven. */
  readonly provenMs: number;
  readonly expiresMs: number;
  readonly endedMs: number | null;
  readonly endReason: string | null;
  readonly clientAddress: string;
}

/** Newest first, including ended ones. */
export function findPlayerSessions(
  people: InRealm,
  { accountId, after, limit }: PageBy<'startedMs'> & { readonly accountId: string },
): Promise<PlayerSession[]> {
  return people.rows<PlayerSession>(
    `${sessions} AND (s.started, s.id) < ($3::timestamptz, $4) ORDER BY s.started DESC, s.id DESC LIMIT $5`,
    [accountId, after === null ? 'infinity' : new Date(after.startedMs), after?.id ?? '', limit],
  );
}

export async function findPlayerSession(
  people: InRealm,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<PlayerSession | null> {
  const [session] = await people.rows<PlayerSession>(`${sessions} AND s.id = $3`, [accountId, sessionId]);
  return session ?? null;
}

const sessions = `
SELECT s.id, s.role, s.amr, ${milliseconds('s.started')} AS "startedMs", ${milliseconds('s.proven')} AS "provenMs",
  ${milliseconds('s.expires')} AS "expiresMs", ${milliseconds('s.ended')} AS "endedMs", s.end_reason AS "endReason",
  s.client_address AS "clientAddress"
FROM auth.sessions s WHERE s.realm = $1 AND s.account_id = $2`;

/** Identifies the player at a platform. */
export interface PlayerIdentity {
  readonly id: string;
  readonly provider: string;
  readonly tenant: string;
  readonly subject: string;
  readonly displayName: string | null;
  readonly linkedMs: number;
}

/** In the order of linking. */
export function findPlayerIdentities(
  people: InRealm,
  { accountId, after, limit }: PageBy<'linkedMs'> & { readonly accountId: string },
): Promise<PlayerIdentity[]> {
  return people.rows<PlayerIdentity>(
    `SELECT id, provider, tenant, subject, display_name AS "displayName", ${milliseconds('linked')} AS "linkedMs"
     FROM auth.identities
     WHERE realm = $1 AND account_id = $2 AND (linked, id) > ($3::timestamptz, $4::uuid)
     ORDER BY linked, id LIMIT $5`,
    [accountId, after === null ? '-infinity' : new Date(after.linkedMs), after?.id ?? noId, limit],
  );
}
