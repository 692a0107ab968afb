import { createHash } from 'node:crypto';
import type { DemoClient } from './demo-client.ts';
import type { EmberPlayer } from './ember-players.ts';
import { pastSessions } from './ember-sessions.ts';

export interface PastOptions {
  readonly client: DemoClient;
  readonly players: readonly EmberPlayer[];
  /** The end of the last day. Sending again with the same end stores nothing twice. */
  readonly endMs: number;
  readonly onSent: (events: number) => void;
}

/** Concurrent players. More would take the place of real requests. */
const atOnce = 8;

/** Sends all past sessions, each with a session of its own. */
export async function sendPast({ client, players, endMs, onSent }: PastOptions): Promise<void> {
  const left = [...players];
  const send = async () => {
    for (let player = left.shift(); player !== undefined; player = left.shift()) {
      for (const [n, { events }] of pastSessions(player, endMs).entries()) {
        const key = await client.signIn(player);
        const ids = events.map((_, at) => eventIdOf(`${player.deviceId} ${endMs} ${n} ${at}`));
        await client.send(key, events, ids);
        onSent(events.filter(({ isFaulty }) => !isFaulty).length);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
}

/** A UUID of version 8. */
function eventIdOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
