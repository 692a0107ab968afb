import { expect, test } from 'vitest';
import { createEmberPlayers } from './ember-players.ts';
import type { EmberEvent } from './ember-sessions.ts';
import { sendPast } from './send-past.ts';

const endMs = Date.UTC(2026, 10, 23);

test('sends the newest sessions of the demo first, and never two of a player at once', async () => {
  const players = createEmberPlayers().slice(0, 40);
  const starts: number[] = [];
  const open = new Set<string>();
  let sent = 0;
  await sendPast({
    client: {
      async signIn({ deviceId }) {
        expect(open.has(deviceId)).toBe(false);
        open.add(deviceId);
        return deviceId;
      },
      async send(deviceId: string, events: readonly EmberEvent[]) {
        starts.push(events[0]?.atMs ?? 0);
        open.delete(deviceId);
        return 'sent' as const;
      },
    },
    players,
    endMs,
    onSent: (events) => {
      sent += events;
    },
  });
  expect(sent).toBe(40 * 6 * 30);
  const isLastDay = (atMs: number) => atMs >= endMs - 86_400_000;
  const lastDay = starts.filter(isLastDay).length;
  expect(lastDay).toBeGreaterThan(0);
  // Eight sessions are sent at once, so an older one can overtake a few others.
  expect(starts.slice(0, lastDay + 8).filter(isLastDay)).toHaveLength(lastDay);
});
