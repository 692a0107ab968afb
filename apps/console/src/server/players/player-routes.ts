import {
  banPlayer as banAccount,
  findPlayers,
  findPlayersByAddress,
  findPlayersByPlatform,
  inRealm,
  type Player,
  type PlayerChange,
  readAddress,
  resetSecondFactor,
  unbanPlayer as unbanAccount,
} from '@tickrate/accounts';
import { closedObject, parameterInvalid, parameterMissing, systemError } from '@tickrate/contract';
import Type from 'typebox';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';
import { type ManagedCall, type ManagedRoute, managed } from '../calls/managed.ts';
import { readPage } from '../calls/pages.ts';
import { playerNotFound, playerOf, showPlayer } from './player-of-project.ts';
import {
  banPlayer,
  getPlayer,
  listPlayers,
  resetPlayerSecondFactor,
  unbanPlayer,
} from './player-operations.ts';
import { createPlayerRecordRoutes } from './player-record-routes.ts';
import { playerId } from './player-schemas.ts';

const place = closedObject({ createdMs: Type.Integer(), id: playerId });

export function createPlayerRoutes(parts: ConsoleParts): ManagedRoute[] {
  return [...finding(parts), ...createPlayerRecordRoutes(parts), ...changing(parts)];
}

function finding({ accounts, now }: ConsoleParts): ManagedRoute[] {
  return [
    managed(listPlayers, async ({ caller, query }) => {
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
    managed(getPlayer, async ({ caller, params: { accountId } }) =>
      showPlayer(await playerOf(accounts, caller, accountId), now()),
    ),
  ];
}

type Filter =
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'platform'; readonly provider: string; readonly subject: string };

function filterOf({ emailAddress, provider, subject, state }: ManagedCall<typeof listPlayers>['query']) {
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

function changing({ accounts, now, newId }: ConsoleParts): ManagedRoute[] {
  const actOf = ({ projectId }: Caller, accountId: string) => ({ projectId, accountId, nowMs: now() });

  return [
    managed(banPlayer, async ({ caller, params: { accountId }, body: { version, reason, expires } }) => {
      const act = actOf(caller, accountId);
      const expiresMs = expiryOf(expires ?? null, act.nowMs);
      if (/\p{Cc}/u.test(reason) || !reason.isWellFormed())
        throw parameterInvalid('reason', 'must be plain text');
      return changed(await banAccount(accounts, { ...act, version, reason, expiresMs }), act);
    }),
    managed(unbanPlayer, async ({ caller, params: { accountId } }) => {
      const act = actOf(caller, accountId);
      return changed(await unbanAccount(accounts, act), act);
    }),
    managed(resetPlayerSecondFactor, async ({ caller, params: { accountId } }) => {
      const act = actOf(caller, accountId);
      return changed(await resetSecondFactor(accounts, { ...act, mailId: newId() }), act);
    }),
  ];

  function changed(
    change: PlayerChange,
    { accountId, nowMs }: { readonly accountId: string; readonly nowMs: number },
  ) {
    if (change === 'changed') throw systemError('objectChanged');
    if (change === 'unknown') throw playerNotFound(accountId);
    return showPlayer(change, nowMs);
  }
}

function expiryOf(given: string | null, nowMs: number): number | null {
  if (given === null) return null;
  const expiresMs = Date.parse(given);
  if (expiresMs > nowMs) return expiresMs;
  throw parameterInvalid('expires', 'has passed');
}
