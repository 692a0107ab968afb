import { setTimeout as delay } from 'node:timers/promises';
import type { DemoClient } from './demo-client.ts';
import { type EmberPlayer, eventsPerSession } from './ember-players.ts';
import { type EmberEvent, emberSession } from './ember-sessions.ts';
import { createRandom } from './random.ts';

export interface LiveOptions {
  readonly client: Pick<DemoClient, 'signIn' | 'send'>;
  readonly players: readonly [EmberPlayer, ...EmberPlayer[]];
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onFault: (error: unknown) => void;
}

const liveEventsPerSecond = 40;
const sessionMs = 300_000;
const playing = (liveEventsPerSecond * sessionMs) / 1_000 / eventsPerSession;
const tickMs = 250;

/** Plays until the signal fires: so many players at a time that they send the rate together. Never rejects. */
export async function playLive({ client, players, now, signal, onFault }: LiveOptions): Promise<void> {
  const random = createRandom(now() & 0x7fff_ffff);
  const busy = new Set<EmberPlayer>();

  /** The first players are in the middle of their sessions, so that the rate is right from the start. */
  async function play(player: EmberPlayer, lengthMs: number): Promise<void> {
    const startMs = now() - (sessionMs - lengthMs);
    const { events } = emberSession(player, {
      startMs,
      lengthMs: sessionMs,
      isFirst: false,
      isAfterRelease: true,
      random,
    });
    const left = events.filter(({ atMs }) => atMs >= now());
    const key = await client.signIn(player);
    if (key === null) return;
    for (let due = take(left, now()); left.length > 0 || due.length > 0; due = take(left, now())) {
      if (due.length > 0) {
        if ((await client.send(key, due)) === 'ended') return;
      } else await delay(tickMs, undefined, { signal });
    }
  }

  const running = new Set<Promise<void>>();
  let isFirst = true;
  while (!signal.aborted) {
    while (busy.size < playing) {
      const player = random.pick(players);
      if (busy.has(player)) continue;
      busy.add(player);
      const lengthMs = isFirst ? random.whole(tickMs, sessionMs) : sessionMs;
      const played = play(player, lengthMs)
        .catch((error: unknown) => (signal.aborted ? undefined : onFault(error)))
        .finally(() => {
          busy.delete(player);
          running.delete(played);
        });
      running.add(played);
    }
    isFirst = false;
    await delay(tickMs, undefined, { signal }).catch(() => undefined);
  }
  await Promise.all(running);
}

function take(left: EmberEvent[], nowMs: number): EmberEvent[] {
  const next = left.findIndex(({ atMs }) => atMs > nowMs);
  return left.splice(0, next < 0 ? left.length : next);
}
