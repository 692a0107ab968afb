import { createHash } from 'node:crypto';
import { setImmediate as others } from 'node:timers/promises';
import type { DemoClient } from './demo-client.ts';
import type { EmberPlayer } from './ember-players.ts';
import { type EmberSession, pastSessions } from './ember-sessions.ts';

export interface PastOptions {
  readonly client: DemoClient;
  readonly players: readonly EmberPlayer[];
  /** The end of the last day. Sending again with the same end stores nothing twice. */
  readonly endMs: number;
  readonly onSent: (events: number) => void;
}

interface NumberedSession extends EmberSession {
  /** The position among the sessions of its player. */
  readonly n: number;
}

/** Concurrent sessions. More would take the place of real requests. */
const atOnce = 8;

/**
 * Sends all past sessions, each with a session of its own. The newest come first: pages show the last day, which is complete
 * within seconds.
 */
export async function sendPast({ client, players, endMs, onSent }: PastOptions): Promise<void> {
  const left = await oldestFirst(players, endMs);
  const last = new Map<EmberPlayer, Promise<void>>();
  const send = async ({ player, events, n }: NumberedSession) => {
    const key = await client.signIn(player);
    if (key === null) return;
    const ids = events.map((_, at) => eventIdOf(`${player.deviceId} ${endMs} ${n} ${at}`));
    if ((await client.send(key, events, ids)) === 'ended') return;
    onSent(events.filter(({ isFaulty }) => !isFaulty).length);
  };
  const sendRest = async () => {
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      const session = next;
      // One at a time for each player: auth gives identical sign-ins that overlap one session.
      const sent = (last.get(session.player) ?? Promise.resolve()).then(() => send(session));
      last.set(session.player, sent);
      await sent;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sendRest));
}

/** All sessions in the order of their starts. Other work of the process continues meanwhile. */
async function oldestFirst(players: readonly EmberPlayer[], endMs: number): Promise<NumberedSession[]> {
  const sessions: NumberedSession[] = [];
  for (const player of players) {
    sessions.push(...pastSessions(player, endMs).map((session, n) => ({ ...session, n })));
    await others();
  }
  return sessions.sort((one, other) => one.startMs - other.startMs);
}

/** A UUID of version 8. */
function eventIdOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
