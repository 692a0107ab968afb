import { expect, test } from 'vitest';
import { newPlayersPerDay } from './players.ts';
import {
  crashingBuild,
  crashingGpu,
  eventsOf,
  eventsPerSession,
  firstDayOf,
  pastDays,
  sessionsOfDay,
  slowHours,
  slowRegion,
} from './sessions.ts';

const dayMs = 86_400_000;
const startedMs = Date.UTC(2026, 10, 22, 12);
const firstDay = firstDayOf(startedMs);
// A month of the past, and a week after the start.
const days = Array.from({ length: pastDays + 8 }, (_, n) =>
  sessionsOfDay(firstDay + n, startedMs).map((session) => ({ session, events: eventsOf(session) })),
);
const played = days.flat();
const events = played.flatMap(({ session, events: all }) =>
  all.map((event) => ({ ...event, player: session.player })),
);

test('equal arguments give equal events', () => {
  const [first] = sessionsOfDay(firstDay + 5, startedMs);
  if (first === undefined) throw new Error('nobody plays');
  expect(eventsOf(first)).toEqual(eventsOf(first));
  expect(sessionsOfDay(firstDay + 5, startedMs)).toEqual(sessionsOfDay(firstDay + 5, startedMs));
});

test('the days after the start are as dense as those before', () => {
  const players = days.map((day) => day.length);
  for (const [n, count] of players.entries()) {
    const before = players[n - 1] ?? newPlayersPerDay;
    // From 40 players on the first day, the number grows slowly and never jumps.
    expect([n, Math.abs(count - before) <= Math.max(20, 0.15 * before)]).toEqual([n, true]);
  }
  expect(players.at(-1)).toBeGreaterThan(120);
  expect(players.at(-1)).toBeLessThan(200);
});

test('a session has its events within its day, and no player plays twice a day', () => {
  for (const [n, day] of days.entries()) {
    const startMs = (firstDay + n) * dayMs;
    expect(new Set(day.map(({ session }) => session.player.number)).size).toBe(day.length);
    for (const { session, events: all } of day) {
      expect(all.filter(({ isFaulty }) => !isFaulty)).toHaveLength(eventsPerSession);
      const times = all.map(({ atMs }) => atMs);
      expect(Math.min(...times)).toBeGreaterThanOrEqual(Math.max(startMs, session.startMs));
      expect(Math.max(...times)).toBeLessThan(Math.min(startMs + dayMs, session.endMs));
    }
  }
});

test('38 % of the players are back on the next day, 14 % after seven days, also today', () => {
  for (const [after, share] of [
    [1, 0.38],
    [7, 0.14],
  ] as const) {
    for (let day = after; day < days.length; day += 1) {
      const numbers = new Set(days[day]?.map(({ session }) => session.player.number));
      const cohort = Array.from({ length: newPlayersPerDay }, (_, n) => (day - after) * newPlayersPerDay + n);
      const back = cohort.filter((number) => numbers.has(number)).length / newPlayersPerDay;
      expect(Math.abs(back - share)).toBeLessThan(0.06);
    }
  }
});

test('step 4 of the tutorial loses 35 % of the players', () => {
  const reached = (step: number) =>
    new Set(
      events
        .filter(({ type, event }) => type === 'tutorial_step' && event['step'] === step)
        .map(({ player }) => player.number),
    ).size;
  expect(1 - reached(4) / reached(3)).toBeGreaterThan(0.3);
  expect(1 - reached(4) / reached(3)).toBeLessThan(0.4);
  expect(reached(3) / reached(2)).toBeGreaterThan(0.9);
});

test('one build crashes on one GPU, and only since the day before the start', () => {
  const known = events.filter(
    ({ type, event }) => type === 'crash' && event['build'] === crashingBuild && event['gpu'] === crashingGpu,
  );
  expect(known.length).toBeGreaterThan(10);
  expect(known.every(({ atMs }) => atMs >= startedMs - dayMs)).toBe(true);
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
  expect(spent(true)).toBeGreaterThan(2 * spent(false));
});

test('an old build sends levels as text', () => {
  const faulty = events.filter(({ isFaulty }) => isFaulty);
  expect(faulty.length).toBeGreaterThan(100);
  expect(faulty.every(({ type, event }) => type === 'level_up' && typeof event['level'] === 'string')).toBe(
    true,
  );
});
