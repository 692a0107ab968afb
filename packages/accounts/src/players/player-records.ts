import type { InRealm } from '../store/in-realm.ts';

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

interface RecordsOf<Place> {
  readonly accountId: string;
  readonly after: Place | null;
  readonly limit: number;
}

/** Newest first, including ended ones. */
export async function findPlayerSessions(
  people: InRealm,
  { accountId, after, limit }: RecordsOf<{ readonly startedMs: number; readonly id: string }>,
): Promise<PlayerSession[]> {
  const rows = await people.rows<SessionRow>(
    `${sessions} AND (s.started, s.id) < ($3::timestamptz, $4) ORDER BY s.started DESC, s.id DESC LIMIT $5`,
    [accountId, after === null ? 'infinity' : new Date(after.startedMs), after?.id ?? '', limit],
  );
  return rows.map(sessionOf);
}

export async function findPlayerSession(
  people: InRealm,
  { accountId, sessionId }: { readonly accountId: string; readonly sessionId: string },
): Promise<PlayerSession | null> {
  const [row] = await people.rows<SessionRow>(`${sessions} AND s.id = $3`, [accountId, sessionId]);
  return row ? sessionOf(row) : null;
}

interface SessionRow {
  readonly id: string;
  readonly role: string;
  readonly amr: readonly string[];
  readonly started: Date;
  readonly proven: Date;
  readonly expires: Date;
  readonly ended: Date | null;
  readonly end_reason: string | null;
  readonly client_address: string;
}

const sessions = `
SELECT s.id, s.role, s.amr, s.started, s.proven, s.expires, s.ended, s.end_reason, s.client_address
FROM auth.sessions s WHERE s.realm = $1 AND s.account_id = $2`;

function sessionOf(row: SessionRow): PlayerSession {
  return {
    id: row.id,
    role: row.role,
    amr: row.amr,
    startedMs: row.started.getTime(),
    provenMs: row.proven.getTime(),
    expiresMs: row.expires.getTime(),
    endedMs: row.ended?.getTime() ?? null,
    endReason: row.end_reason,
    clientAddress: row.client_address,
  };
}

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
export async function findPlayerIdentities(
  people: InRealm,
  { accountId, after, limit }: RecordsOf<{ readonly linkedMs: number; readonly id: string }>,
): Promise<PlayerIdentity[]> {
  const rows = await people.rows<Omit<PlayerIdentity, 'linkedMs'> & { readonly linked: Date }>(
    `SELECT id, provider, tenant, subject, display_name AS "displayName", linked FROM auth.identities
     WHERE realm = $1 AND account_id = $2 AND (linked, id) > ($3::timestamptz, $4::uuid)
     ORDER BY linked, id LIMIT $5`,
    [accountId, after === null ? '-infinity' : new Date(after.linkedMs), after?.id ?? noId, limit],
  );
  return rows.map(({ linked, ...identity }) => ({ ...identity, linkedMs: linked.getTime() }));
}

const noId = '00000000-0000-0000-0000-000000000000';
