import { type Player, playerVersion } from '@tickrate/accounts';
import { withTimes } from '../calls/fields.ts';

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
