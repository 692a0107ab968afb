import { type Database, findPlayer, inRealm, type Player, playerVersion } from '@tickrate/accounts';
import { systemError } from '@tickrate/contract';
import type { Caller } from '../calls/caller.ts';
import { withTimes } from '../calls/fields.ts';

/** A player of the caller's project. Throws 3001. */
export async function playerOf(
  accounts: Database,
  { projectId }: Caller,
  accountId: string,
): Promise<Player> {
  const player = await findPlayer(inRealm(accounts, projectId), accountId);
  if (player === null) throw playerNotFound(accountId);
  return player;
}

export function playerNotFound(accountId: string): Error {
  return systemError('objectNotFound', { objectType: 'player', invalidIdentifier: accountId });
}

export function showPlayer(player: Player, nowMs: number) {
  const { createdMs, lastSignInMs: lastSeenMs, ban: given, isArchived, ...rest } = player;
  const isOver = given !== null && given.expiresMs !== null && given.expiresMs <= nowMs;
  const ban = isOver ? null : given;
  return {
    ...withTimes({ ...rest, createdMs, lastSeenMs }),
    state: stateOf(isArchived, ban !== null),
    ban: ban && withTimes(ban),
    version: playerVersion(player),
  };
}

function stateOf(isArchived: boolean, isBanned: boolean) {
  if (isArchived) return 'archived' as const;
  return isBanned ? ('banned' as const) : ('active' as const);
}
