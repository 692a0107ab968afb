import { objectNotFound, systemError } from '@tickrate/contract';
import type { Postgres } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { unlinkDevices } from '../people/identities.ts';
import { dropSecondFactor } from '../second-factor/second-factors.ts';
import { endSessions } from '../sign-in/sessions.ts';
import { type InRealm, inRealm } from '../store/in-realm.ts';
import { findPlayerSession, type PlayerSession } from './player-records.ts';
import { type Player, playerVersion, readPlayer } from './players.ts';

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

/** Replaces an existing ban. Ends all sessions, everywhere within a second. Throws 3001 and 3004. */
export function banPlayer(db: Postgres, banning: Banning): Promise<Player> {
  const { accountId, version, reason, expiresMs, nowMs } = banning;
  return changePlayer(db, banning, async (people, player) => {
    if (playerVersion(player) !== version) throw systemError('objectChanged');
    const expires = expiresMs === null ? null : new Date(expiresMs);
    await people.rows('SELECT auth.ban_account($2, $1, $3, $4, $5)', [
      accountId,
      reason,
      expires,
      new Date(nowMs),
    ]);
  });
}

/** A player who is not banned stays unbanned. Throws 3001. */
export function unbanPlayer(db: Postgres, act: PlayerAct): Promise<Player> {
  return changePlayer(db, act, async (people) => {
    await people.rows('SELECT auth.unban_account($2, $1)', [act.accountId]);
  });
}

/** Deletes the second factor, the recovery codes and all trusted devices; the player gets a mail. Throws 3001. */
export function resetSecondFactor(
  db: Postgres,
  deps: Pick<Accounts, 'newId' | 'now'>,
  act: PlayerAct,
): Promise<Player> {
  return changePlayer(db, act, async (people, { hasSecondFactor }) => {
    const { accountId } = act;
    await dropSecondFactor(people, accountId);
    if (hasSecondFactor) await queueSecurityMail(deps, people, { accountId, kind: 'second-factor-removed' });
  });
}

/** Returns the player after the change. */
function changePlayer(
  db: Postgres,
  { projectId, accountId }: PlayerAct,
  work: (people: InRealm, player: Player) => Promise<void>,
): Promise<Player> {
  return db.transaction(async (tx) => {
    const people = inRealm(tx, projectId);
    await people.rows('SELECT FROM auth.accounts WHERE realm = $1 AND id = $2 FOR UPDATE', [accountId]);
    await work(people, await readPlayer(people, accountId));
    return readPlayer(people, accountId);
  });
}

const endReason = 'administrator';

/** Ends all sessions of a player, and unlinks its devices. Throws 3001. */
export function endPlayerSessions(
  db: Postgres,
  { projectId, accountId, nowMs }: PlayerAct,
): Promise<{ readonly ended: number; readonly unlinkedDevices: number }> {
  return db.transaction(async (tx) => {
    const people = inRealm(tx, projectId);
    await readPlayer(people, accountId);
    const unlinkedDevices = await unlinkDevices(people, { accountId, keepOf: null, nowMs });
    const ended = await endSessions(people, { accountId, sessionId: null, reason: endReason, nowMs });
    return { ended, unlinkedDevices };
  });
}

/** Ends one session, and returns it. A session that has ended stays as it is. Throws 3001. */
export function endPlayerSession(
  db: Postgres,
  { projectId, accountId, sessionId, nowMs }: PlayerAct & { readonly sessionId: string },
): Promise<PlayerSession> {
  return db.transaction(async (tx) => {
    const people = inRealm(tx, projectId);
    await readPlayer(people, accountId);
    await endSessions(people, { accountId, sessionId, reason: endReason, nowMs });
    const session = await findPlayerSession(people, { accountId, sessionId });
    if (session !== null) return session;
    throw objectNotFound('session', sessionId);
  });
}
