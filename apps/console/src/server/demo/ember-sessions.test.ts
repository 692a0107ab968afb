import { expect, test } from 'vitest';
import { createEmberPlayers, eventsPerSession, pastDays } from './ember-players.ts';
import { crashingBuild, crashingGpu, pastSessions, slowHours, slowRegion } from './ember-sessions.ts';

const dayMs = 86_400_000;
const endMs = Date.UTC(2026, 10, 22, 12);
const players = createEmberPlayers();
const sessions = players.flatMap((player) => pastSessions(player, endMs));
const events = sessions.flatMap((session) =>
  session.events.map((event) => ({ ...event, player: session.player })),
);
const accepted = events.filter(({ isFaulty }) => !isFaulty);

test('the past has 108,000 accepted events of 600 players in 30 days', () => {
  expect(accepted).toHaveLength(108_000);
  expect(sessions).toHaveLength(3_600);
  expect(
    sessions.every((session) => session.events.filter((each) => !each.isFaulty).length === eventsPerSession),
  ).toBe(true);
  expect(Math.min(...events.map(({ atMs }) => atMs))).toBeGreaterThan(endMs - pastDays * dayMs);
  expect(Math.max(...events.map(({ atMs }) => atMs))).toBeLessThan(endMs);
});

test('equal arguments give equal events', () => {
  expect(pastSessions(players[41] ?? raise(), endMs)).toEqual(pastSessions(players[41] ?? raise(), endMs));
});

test.each(['00:00', '00:20', '05:00', '12:00', '23:59'])(
  'at %s, 38 % of the players are back on the next calendar day, and 14 % after seven days',
  (clock) => {
    const atMs = Date.parse(`2026-11-22T${clock}Z`);
    const dayOf = (ms: number) => Math.floor(ms / dayMs);
    const today = dayOf(atMs);
    const daysOf = players.map(
      (player) =>
        new Set(
          pastSessions(player, atMs).flatMap(({ events: all }) => all.map((event) => dayOf(event.atMs))),
        ),
    );
    for (const [day, share] of [
      [1, 0.38],
      [7, 0.14],
    ] as const) {
      const known = daysOf.filter((days) => Math.min(...days) + day < today);
      const back = known.filter((days) => days.has(Math.min(...days) + day));
      expect(back.length / known.length).toBeGreaterThan(share - 0.02);
      expect(back.length / known.length).toBeLessThan(share + 0.02);
    }
  },
);

test.each(['00:00', '03:00', '23:59'])('at %s, the past is within 30 days', (clock) => {
  const atMs = Date.parse(`2026-11-22T${clock}Z`);
  const times = players
    .flatMap((player) => pastSessions(player, atMs))
    .flatMap((session) => session.events.map((event) => event.atMs))
    .toSorted((a, b) => a - b);
  expect(times.at(0)).toBeGreaterThan(atMs - pastDays * dayMs + 10 * 60_000);
  expect(times.at(-1)).toBeLessThan(atMs);
});

test('step 4 of the tutorial loses 35 % of the players', () => {
  const reached = (step: number) =>
    new Set(
      events
        .filter(({ type, event }) => type === 'tutorial_step' && event['step'] === step)
        .map(({ player }) => player),
    ).size;
  expect(1 - reached(4) / reached(3)).toBeGreaterThan(0.3);
  expect(1 - reached(4) / reached(3)).toBeLessThan(0.4);
  expect(reached(3) / reached(2)).toBeGreaterThan(0.9);
});

test('one build crashes on one GPU, and only in the last two days', () => {
  const crashes = events.filter(({ type }) => type === 'crash');
  const known = crashes.filter(
    ({ event }) => event['build'] === crashingBuild && event['gpu'] === crashingGpu,
  );
  expect(known.length).toBeGreaterThan(10);
  expect(known.every(({ atMs }) => atMs >= endMs - 2 * dayMs)).toBe(true);
});

test('the ranked queue of one region is slow at night', () => {
  const waits = (isSlow: boolean) => {
    const seconds = events
      .filter(
        ({ type, event }) =>
          type === 'match_finished' && event['queue'] === 'ranked' && event['region'] === slowRegion,
      )
      .filter(({ atMs }) => slowHours.includes(new Date(atMs).getUTCHours()) === isSlow)
      .map(({ event }) => Number(event['waited_seconds']));
    return seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
  };
  expect(waits(true)).toBeGreaterThan(5 * waits(false));
});

test('3 % of the players spend most', () => {
  const spent = (isBig: boolean) =>
    events
      .filter(({ type, player }) => type === 'purchase' && player.isBigSpender === isBig)
      .reduce((sum, { event }) => sum + Number(event['price_cents']), 0);
  expect(players.filter(({ isBigSpender }) => isBigSpender).length / players.length).toBeCloseTo(0.03, 2);
  expect(spent(true)).toBeGreaterThan(2 * spent(false));
});

test('an old build sends levels as text', () => {
  const faulty = events.filter(({ isFaulty }) => isFaulty);
  expect(faulty.length).toBeGreaterThan(100);
  expect(faulty.every(({ type, event }) => type === 'level_up' && typeof event['level'] === 'string')).toBe(
    true,
  );
});

function raise(): never {
  throw new Error('there is no such player');
}
