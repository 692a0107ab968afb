import {
  banPlayer,
  endPlayerSession,
  endPlayerSessions,
  findPlayerIdentities,
  findPlayerSessions,
  findPlayers,
  findPlayersByAddress,
  findPlayersByPlatform,
  inRealm,
  type Player,
  type PlayerSession,
  readAddress,
  readPlayer,
  resetSecondFactor,
  unbanPlayer,
} from '@tickrate/accounts';
import { closedObject, parameterInvalid, parameterMissing } from '@tickrate/contract';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';
import { recordId, withTimes } from '../calls/fields.ts';
import { type ManagedCall, type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { showPlayer } from './player-of-project.ts';
import { playerOperations as operations } from './player-operations.ts';
import { playerId } from './player-schemas.ts';

const place = closedObject({ createdMs: Type.Integer(), id: playerId });
const linkPlace = closedObject({ linkedMs: Type.Integer(), id: recordId });
const startPlace = closedObject({ startedMs: Type.Integer(), id: Type.String({ maxLength: 30 }) });

export function createPlayerRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [...finding(parts), ...reading(parts), ...ending(parts), ...changing(parts)];
}

function finding({ accounts, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.listPlayers, async ({ caller, query }) => {
      const people = inRealm(accounts, caller.projectId);
      const nowMs = now();
      const show = (player: Player) => showPlayer(player, nowMs);
      const by = filterOf(query);
      if (by?.kind === 'address') {
        const found = await findPlayersByAddress(people, readAddress(by.text));
        return { results: found.map(show), next: null };
      }
      if (by?.kind === 'platform') {
        return { results: (await findPlayersByPlatform(people, by)).map(show), next: null };
      }
      const bannedAtMs = query.state === 'banned' ? nowMs : null;
      return readPage(query, {
        place,
        read: (after, limit) => findPlayers(people, { bannedAtMs, after, limit }),
        show,
      });
    }),
    managed(operations.getPlayer, async ({ caller, params: { accountId } }) =>
      showPlayer(await readPlayer(inRealm(accounts, caller.projectId), accountId), now()),
    ),
  ];
}

type Filter =
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'platform'; readonly provider: string; readonly subject: string };

function filterOf({
  emailAddress,
  provider,
  subject,
  state,
}: ManagedCall<typeof operations.listPlayers>['query']) {
  const filters: Filter[] = [];
  if (emailAddress !== undefined) filters.push({ kind: 'address', text: emailAddress });
  if (provider !== undefined || subject !== undefined) {
    if (provider === undefined) throw parameterMissing('provider');
    if (subject === undefined) throw parameterMissing('subject');
    filters.push({ kind: 'platform', provider, subject });
  }
  if (filters.length + (state === undefined ? 0 : 1) > 1) {
    throw parameterInvalid('emailAddress', 'use one filter at a time');
  }
  return filters[0] ?? null;
}

function reading({ accounts, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(operations.listPlayerIdentities, async ({ caller, params: { accountId }, query }) => {
      const people = inRealm(accounts, caller.projectId);
      await readPlayer(people, accountId);
      return readPage(query, {
        place: linkPlace,
        read: (after, limit) => findPlayerIdentities(people, { accountId, after, limit }),
        show: withTimes,
      });
    }),
    managed(operations.listPlayerSessions, async ({ caller, params: { accountId }, query }) => {
      const people = inRealm(accounts, caller.projectId);
      await readPlayer(people, accountId);
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
    managed(operations.endPlayerSession, async ({ caller, params: { accountId, sessionId } }) => {
      const { projectId } = caller;
      const nowMs = now();
      const session = await endPlayerSession(accounts, { projectId, accountId, sessionId, nowMs });
      return showSession(session, nowMs);
    }),
    managed(operations.endPlayerSessions, ({ caller: { projectId }, params: { accountId } }) =>
      endPlayerSessions(accounts, { projectId, accountId, nowMs: now() }),
    ),
  ];
}

function showSession(session: PlayerSession, nowMs: number) {
  return { ...withTimes(session), state: stateOf(session, nowMs) };
}

function stateOf({ endedMs, expiresMs }: PlayerSession, nowMs: number) {
  if (endedMs !== null) return 'ended' as const;
  return expiresMs <= nowMs ? ('expired' as const) : ('live' as const);
}

function changing({ accounts, now, newId }: ConsoleParts): ManagedRoute[] {
  const actOf = ({ projectId }: Caller, accountId: string) => ({ projectId, accountId, nowMs: now() });

  return [
    managed(
      operations.banPlayer,
      async ({ caller, params: { accountId }, body: { version, reason, expires } }) => {
        const act = actOf(caller, accountId);
        const expiresMs = expiryOf(expires ?? null, act.nowMs);
        if (/\p{Cc}/u.test(reason) || !reason.isWellFormed())
          throw parameterInvalid('reason', 'must be plain text');
        return showPlayer(await banPlayer(accounts, { ...act, version, reason, expiresMs }), act.nowMs);
      },
    ),
    managed(operations.unbanPlayer, async ({ caller, params: { accountId } }) => {
      const act = actOf(caller, accountId);
      return showPlayer(await unbanPlayer(accounts, act), act.nowMs);
    }),
    managed(operations.resetPlayerSecondFactor, async ({ caller, params: { accountId } }) => {
      const act = actOf(caller, accountId);
      return showPlayer(await resetSecondFactor(accounts, { newId, now }, act), act.nowMs);
    }),
  ];
}

function expiryOf(given: string | null, nowMs: number): number | null {
  if (given === null) return null;
  const expiresMs = Date.parse(given);
  if (expiresMs > nowMs) return expiresMs;
  throw parameterInvalid('expires', 'has passed');
}
