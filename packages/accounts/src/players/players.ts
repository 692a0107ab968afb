import { createHash } from 'node:crypto';
import { objectNotFound } from '@tickrate/contract';
import { milliseconds } from '@tickrate/postgres';
import { type Account, accountColumns } from '../people/accounts.ts';
import type { Address } from '../people/address.ts';
import type { InRealm } from '../store/in-realm.ts';
import type { PageBy } from '../store/page.ts';

/** An account of a project, as its administrators see it. */
export interface Player extends Account {
  /** The last sign-in; null if it is longer ago than sessions are kept. */
  readonly lastSignInMs: number | null;
  /** Archived: it has no sign-in method, and is deleted unless it is restored. */
  readonly isArchived: boolean;
}

/** Covers all editable members: an edit is applied only to the version that the caller read. */
export function playerVersion({ id, ban }: Player): string {
  const seen = JSON.stringify([id, ban?.reason, ban?.sinceMs, ban?.expiresMs]);
  return createHash('sha256').update(seen).digest('base64url').slice(0, 16);
}

interface PlayerPage extends PageBy<'createdMs'> {
  /** Only accounts that are banned at this time. */
  readonly bannedAtMs: number | null;
}

/** Newest account first. */
export function findPlayers(people: InRealm, { bannedAtMs, after, limit }: PlayerPage): Promise<Player[]> {
  const place = [after === null ? 'infinity' : new Date(after.createdMs), after?.id ?? '', limit];
  const [isBanned, values] =
    bannedAtMs === null
      ? ['', place]
      : [
          'AND a.banned IS NOT NULL AND (a.ban_expires IS NULL OR a.ban_expires > $5)',
          [...place, new Date(bannedAtMs)],
        ];
  return people.rows<Player>(
    `${players} AND (a.created, a.id) < ($2::timestamptz, $3) ${isBanned}
     ORDER BY a.created DESC, a.id DESC LIMIT $4`,
    values,
  );
}

export async function findPlayer(people: InRealm, id: string): Promise<Player | null> {
  const [player] = await people.rows<Player>(`${players} AND a.id = $2`, [id]);
  return player ?? null;
}

/** Throws 3001. */
export async function readPlayer(people: InRealm, id: string): Promise<Player> {
  const player = await findPlayer(people, id);
  if (player === null) throw objectNotFound('player', id);
  return player;
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
export function findPlayersByAddress(people: InRealm, { folded }: Address): Promise<Player[]> {
  return people.rows<Player>(`${players} AND a.email_folded = $2`, [folded]);
}

/** Several if the platform numbers its users for each of its tenants. */
export function findPlayersByPlatform(
  people: InRealm,
  { provider, subject }: { readonly provider: string; readonly subject: string },
): Promise<Player[]> {
  return people.rows<Player>(
    `${players} AND a.id IN (
       SELECT i.account_id FROM auth.identities i WHERE i.realm = $1 AND i.provider = $2 AND i.subject = $3)
     ORDER BY a.created DESC, a.id DESC LIMIT ${mostByPlatform}`,
    [provider, subject],
  );
}

const mostByPlatform = 100;

const players = `
SELECT ${accountColumns}, a.archived IS NOT NULL AS "isArchived",
  (SELECT ${milliseconds('max(s.started)')} FROM auth.sessions s WHERE s.account_id = a.id) AS "lastSignInMs"
FROM auth.accounts a WHERE a.realm = $1`;
