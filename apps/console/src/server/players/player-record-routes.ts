import {
  endPlayerSession as endSession,
  endPlayerSessions as endSessions,
  findPlayerIdentities,
  findPlayerSessions,
  inRealm,
  type PlayerSession,
} from '@tickrate/accounts';
import { closedObject, systemError } from '@tickrate/contract';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { playerNotFound, playerOf } from './player-of-project.ts';
import {
  endPlayerSession,
  endPlayerSessions,
  listPlayerIdentities,
  listPlayerSessions,
} from './player-operations.ts';

const linkPlace = closedObject({ linkedMs: Type.Integer(), id: recordId });
const startPlace = closedObject({ startedMs: Type.Integer(), id: Type.String({ maxLength: 30 }) });

export function createPlayerRecordRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [...reading(parts), ...ending(parts)];
}

function reading({ accounts, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(listPlayerIdentities, async ({ caller, params: { accountId }, query }) => {
      await playerOf(accounts, caller, accountId);
      const people = inRealm(accounts, caller.projectId);
      return readPage(query, {
        place: linkPlace,
        read: (after, limit) => findPlayerIdentities(people, { accountId, after, limit }),
        show: withTimes,
      });
    }),
    managed(listPlayerSessions, async ({ caller, params: { accountId }, query }) => {
      await playerOf(accounts, caller, accountId);
      const people = inRealm(accounts, caller.projectId);
      const nowMs = now();
      return readPage(query, {
        place: startPlace,
        read: (after, limit) => findPlayerSessions(people, { accountId, after, limit }),
        show: (session) => showSession(session, nowMs),
      });
    }),
  ];
}

function ending({ accounts, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(endPlayerSession, async ({ caller, params: { accountId, sessionId } }) => {
      const { projectId } = caller;
      const nowMs = now();
      const session = await endSession(accounts, { projectId, accountId, sessionId, nowMs });
      if (session === 'unknownPlayer') throw playerNotFound(accountId);
      if (session === 'unknownSession')
        throw systemError('objectNotFound', { objectType: 'session', invalidIdentifier: sessionId });
      return showSession(session, nowMs);
    }),
    managed(endPlayerSessions, async ({ caller, params: { accountId } }) => {
      const outcome = await endSessions(accounts, { projectId: caller.projectId, accountId, nowMs: now() });
      if (outcome === 'unknown') throw playerNotFound(accountId);
      return outcome;
    }),
  ];
}

function showSession(session: PlayerSession, nowMs: number) {
  return { ...withTimes(session), state: stateOf(session, nowMs) };
}

function stateOf({ endedMs, expiresMs }: PlayerSession, nowMs: number) {
  if (endedMs !== null) return 'ended' as const;
  return expiresMs <= nowMs ? ('expired' as const) : ('live' as const);
}
