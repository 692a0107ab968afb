import { createHash } from 'node:crypto';
import type { Address } from '../people/address.ts';
import type { InRealm } from '../store/in-realm.ts';

/** An account of a project, as its administrators see it. Never a secret. */
export interface Player {
  readonly id: string;
  readonly emailAddress: string | null;
  readonly emailVerified: boolean;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly locale: string | null;
  readonly createdMs: number;
  /** The last sign-in; null if it is longer ago than sessions are kept. */
  readonly lastSignInMs: number | null;
  readonly hasPassword: boolean;
  readonly hasSecondFactor: boolean;
  readonly providers: readonly string[];
  /** Archived: it has no sign-in method, and is deleted unless it is restored. */
  readonly isArchived: boolean;
  /** Including an expired one. */
  readonly ban: Ban | null;
}

interface Ban {
  readonly reason: string;
  readonly sinceMs: number;
  /** Null: forever. */
  readonly expiresMs: number | null;
}

/** Covers all editable members: an edit is applied only to the version that the caller read. */
export function playerVersion({ id, ban }: Player): string {
  const seen = JSON.stringify([id, ban?.reason, ban?.sinceMs, ban?.expiresMs]);
  return createHash('sha256').update(seen).digest('base64url').slice(0, 16);
}

interface PlayerPage {
  /** Only accounts that are banned at this time. */
  readonly bannedAtMs: number | null;
  readonly after: { readonly createdMs: number; readonly id: string } | null;
  readonly limit: number;
}

/** Newest account first. */
export async function findPlayers(
  people: InRealm,
  { bannedAtMs, after, limit }: PlayerPage,
): Promise<Player[]> {
  const place = [after === null ? 'infinity' : new Date(after.createdMs), after?.id ?? '', limit];
  const [isBanned, values] =
    bannedAtMs === null
      ? ['', place]
      : [
          'AND a.banned IS NOT NULL AND (a.ban_expires IS NULL OR a.ban_expires > $5)',
          [...place, new Date(bannedAtMs)],
        ];
  const rows = await people.rows<PlayerRow>(
    `${players} AND (a.created, a.id) < ($2::timestamptz, $3) ${isBanned}
     ORDER BY a.created DESC, a.id DESC LIMIT $4`,
    values,
  );
  return rows.map(playerOf);
}

export async function findPlayer(people: InRealm, id: string): Promise<Player | null> {
  const [row] = await people.rows<PlayerRow>(`${players} AND a.id = $2`, [id]);
  return row ? playerOf(row) : null;
}

/** The display name, or else the address, of each of these accounts that has one. */
export async function findPlayerNames(
  people: InRealm,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await people.rows<{ id: string; name: string | null }>(
    `SELECT a.id, COALESCE(a.display_name, a.email) AS name FROM auth.accounts a
     WHERE a.realm = $1 AND a.id = ANY($2)`,
    [ids],
  );
  return new Map(rows.flatMap(({ id, name }) => (name === null ? [] : [[id, name] as const])));
}

/** At most one, whether the address is proven or not. */
export async function findPlayersByAddress(people: InRealm, { folded }: Address): Promise<Player[]> {
  const rows = await people.rows<PlayerRow>(`${players} AND a.email_folded = $2`, [folded]);
  return rows.map(playerOf);
}

/** Several if the platform numbers its users for each of its tenants. */
export async function findPlayersByPlatform(
  people: InRealm,
  { provider, subject }: { readonly provider: string; readonly subject: string },
): Promise<Player[]> {
  const rows = await people.rows<PlayerRow>(
    `${players} AND a.id IN (
       SELECT i.account_id FROM auth.identities i WHERE i.realm = $1 AND i.provider = $2 AND i.subject = $3)
     ORDER BY a.created DESC, a.id DESC LIMIT ${mostByPlatform}`,
    [provider, subject],
  );
  return rows.map(playerOf);
}

const mostByPlatform = 100;

interface PlayerRow {
  readonly id: string;
  readonly email: string | null;
  readonly email_verified: Date | null;
  readonly display_name: string | null;
  readonly avatar_url: string | null;
  readonly locale: string | null;
  readonly created: Date;
  readonly archived: Date | null;
  readonly ban_reason: string | null;
  readonly banned: Date | null;
  readonly ban_expires: Date | null;
  readonly last_sign_in: Date | null;
  readonly has_password: boolean;
  readonly has_second_factor: boolean;
  readonly providers: readonly string[];
}

const players = `
SELECT a.id, a.email, a.email_verified, a.display_name, a.avatar_url, a.locale, a.created, a.archived,
  a.ban_reason, a.banned, a.ban_expires,
  (SELECT max(s.started) FROM auth.sessions s WHERE s.account_id = a.id) AS last_sign_in,
  EXISTS (SELECT FROM auth.passwords p WHERE p.account_id = a.id) AS has_password,
  EXISTS (SELECT FROM auth.totps t WHERE t.account_id = a.id) AS has_second_factor,
  ARRAY(SELECT DISTINCT i.provider FROM auth.identities i WHERE i.account_id = a.id ORDER BY 1) AS providers
FROM auth.accounts a WHERE a.realm = $1`;

function playerOf(row: PlayerRow): Player {
  return {
    id: row.id,
    emailAddress: row.email,
    emailVerified: row.email_verified !== null,
    displayName: row.display_name,
    avatarUrl: row.avatar_url,
    locale: row.locale,
    createdMs: row.created.getTime(),
    lastSignInMs: row.last_sign_in?.getTime() ?? null,
    hasPassword: row.has_password,
    hasSecondFactor: row.has_second_factor,
    providers: row.providers,
    isArchived: row.archived !== null,
    ban: row.banned && {
      reason: row.ban_reason ?? '',
      sinceMs: row.banned.getTime(),
      expiresMs: row.ban_expires?.getTime() ?? null,
    },
  };
}
