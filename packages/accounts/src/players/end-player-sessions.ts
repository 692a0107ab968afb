import type { Postgres } from '@tickrate/postgres';
import { unlinkDevices } from '../people/identities.ts';
import { endSessions } from '../sign-in/sessions/sessions.ts';
import { inRealm } from '../store/in-realm.ts';
import type { PlayerAct } from './player-acts.ts';
import { findPlayerSession, type PlayerSession } from './player-records.ts';
import { findPlayer } from './players.ts';

export interface PlayerSessionsEnded {
  readonly ended: number;
  readonly unlinkedDevices: number;
}

const reason = 'administrator';

/** Ends all sessions of a player, and unlinks its devices. */
export function endPlayerSessions(
  db: Postgres,
  { projectId, accountId, nowMs }: PlayerAct,
): Promise<PlayerSessionsEnded | 'unknown'> {
  return db.transaction(async (tx) => {
    const people = inRealm(tx, projectId);
    if ((await findPlayer(people, accountId)) === null) return 'unknown';
    const unlinkedDevices = await unlinkDevices(people, { accountId, keepOf: null, nowMs });
    return {
      ended: await endSessions(people, { accountId, sessionId: null, reason, nowMs }),
      unlinkedDevices,
    };
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
    await endSessions(people, { accountId, sessionId, reason, nowMs });
    return (await findPlayerSession(people, { accountId, sessionId })) ?? 'unknownSession';
  });
}
