import type { Postgres } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { unlinkDevices } from '../people/identities.ts';
import { dropSecondFactor } from '../second-factor/second-factors.ts';
import { endSessions } from '../sign-in/sessions.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { findPlayerSession, type PlayerSession } from './player-records.ts';
import { findPlayer, type Player, playerVersion } from './players.ts';

/** The player after the change, or the reason of the refusal. */
export type PlayerChange = Player | 'unknown' | 'changed';

interface PlayerAct {
  readonly projectId: string;
  readonly accountId: string;
  readonly nowMs: number;
}

interface Banning extends PlayerAct {
  /** From `playerVersion`. */
  readonly version: string;
  /** Shown to the player. */
  readonly reason: string;
  /** Null: forever. */
  readonly expiresMs: number | null;
}

/** Replaces an existing ban. Ends all sessions, everywhere within a second. */
export function banPlayer(db: Postgres, banning: Banning): Promise<PlayerChange> {
  const { accountId, version, reason, expiresMs, nowMs } = banning;
  return changePlayer(db, banning, async (people, player) => {
    if (playerVersion(player) !== version) return 'changed';
    const expires = expiresMs === null ? null : new Date(expiresMs);
    await people.rows('SELECT auth.ban_account($2, $1, $3, $4, $5)', [
      accountId,
      reason,
      expires,
      new Date(nowMs),
    ]);
    return null;
  });
}

/** A player who is not banned stays unbanned. */
export function unbanPlayer(db: Postgres, act: PlayerAct): Promise<PlayerChange> {
  return changePlayer(db, act, async (people) => {
    await people.rows('SELECT auth.unban_account($2, $1)', [act.accountId]);
    return null;
  });
}

/** Deletes the second factor, the recovery codes and all trusted devices; the player gets a mail. */
export function resetSecondFactor(
  db: Postgres,
  deps: Pick<Accounts, 'newId' | 'now'>,
  act: PlayerAct,
): Promise<PlayerChange> {
  return changePlayer(db, act, async (people, { hasSecondFactor }) => {
    const { accountId } = act;
    await dropSecondFactor(people, accountId);
    if (hasSecondFactor) await queueSecurityMail(deps, people, { accountId, kind: 'second-factor-removed' });
    return null;
  });
}

type Work = (people: InRealm, player: Player) => Promise<'changed' | null>;

function changePlayer(db: Postgres, { projectId, accountId }: PlayerAct, work: Work): Promise<PlayerChange> {
  return db.transaction(async (tx) => {
    const people = inRealm(tx, projectId);
    await people.rows('SELECT FROM auth.accounts WHERE realm = $1 AND id = $2 FOR UPDATE', [accountId]);
    const player = await findPlayer(people, accountId);
    if (player === null) return 'unknown';
    return (await work(people, player)) ?? (await findPlayer(people, accountId)) ?? 'unknown';
  });
}

const endReason = 'administrator';

/** Ends all sessions of a player, and unlinks its devices. */
export function endPlayerSessions(
  db: Postgres,
  { projectId, accountId, nowMs }: PlayerAct,
): Promise<{ readonly ended: number; readonly unlinkedDevices: number } | 'unknown'> {
  return db.transaction(async (tx) => {
    const people = inRealm(tx, projectId);
    if ((await findPlayer(people, accountId)) === null) return 'unknown';
    const unlinkedDevices = await unlinkDevices(people, { accountId, keepOf: null, nowMs });
    const ended = await endSessions(people, { accountId, sessionId: null, reason: endReason, nowMs });
    return { ended, unlinkedDevices };
  });
}

/** Ends one session, and returns it. A session that has ended stays as it is. */
export function endPlayerSession(
  db: Postgres,
  { projectId, accountId, sessionId, nowMs }: PlayerAct & { readonly sessionId: string },
): Promise<PlayerSession | 'unknownPlayer' | 'unknownSession'> {
  return db.transaction(async (tx) => {
    const people = inRealm(tx, projectId);
    if ((await findPlayer(people, accountId)) === null) return 'unknownPlayer';
    await endSessions(people, { accountId, sessionId, reason: endReason, nowMs });
    return (await findPlayerSession(people, { accountId, sessionId })) ?? 'unknownSession';
  });
}
