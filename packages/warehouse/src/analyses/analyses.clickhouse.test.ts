import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestType, frameOf, type TestType } from '../test-rows.ts';
import { createWarehouse } from '../warehouse.ts';
import type { AnalysisResult } from './analyses.ts';
import type { Condition } from './analysis-sql.ts';
import type { BreakdownRequest } from './breakdown.ts';
import type { FunnelRequest } from './funnel.ts';
import type { PlayerStreamRequest } from './player-stream.ts';
import type { RetentionRequest } from './retention-curve.ts';
import type { SessionLengthRequest } from './session-length.ts';
import type { DistinctPlayersRequest, VolumeRequest } from './time-series.ts';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
const { analyses } = warehouse;
const projectId = 'p-analyses0001';
const rowsOf = async <Row>(asked: Promise<AnalysisResult<Row>>): Promise<Row[]> => {
  const result = await asked;
  if (result.kind !== 'rows') throw new Error('the analysis has no rows', { cause: result });
  return result.rows;
};
const asker = { projectId };
const utc = { timeZone: 'UTC', types: [], where: [], split: null };
/** Each analysis with the defaults of its requests. */
const ask = {
  volume: (request: Omit<VolumeRequest, keyof typeof utc> & Partial<VolumeRequest>) =>
    rowsOf(analyses.volume(asker, { ...utc, ...request })),
  distinctPlayers: (
    request: Omit<DistinctPlayersRequest, keyof typeof utc> & Partial<DistinctPlayersRequest>,
  ) => rowsOf(analyses.distinctPlayers(asker, { ...utc, ...request })),
  sessionLength: (request: Omit<SessionLengthRequest, 'timeZone'> & Partial<SessionLengthRequest>) =>
    rowsOf(analyses.sessionLength(asker, { ...utc, ...request })),
  funnel: (request: Omit<FunnelRequest, 'timeZone' | 'split'> & Partial<FunnelRequest>) =>
    rowsOf(analyses.funnel(asker, { ...utc, ...request })),
  retention: (request: Omit<RetentionRequest, 'timeZone'> & Partial<RetentionRequest>) =>
    rowsOf(analyses.retention(asker, { ...utc, ...request })),
  breakdown: (request: Omit<BreakdownRequest, 'timeZone'> & Partial<BreakdownRequest>) =>
    rowsOf(analyses.breakdown(asker, { ...utc, ...request })),
  playerStream: (request: Omit<PlayerStreamRequest, 'timeZone'>) =>
    rowsOf(analyses.playerStream(asker, { ...utc, ...request })),
};

const start = createTestType('session_start', 1, { country: { type: 'string' } });
const level = createTestType('level_up', 1, {
  level: { type: 'integer' },
  hard: { type: 'boolean' },
  hero: { type: 'object', properties: { name: { type: 'string' } } },
});
const buy = createTestType('purchase', 1, {
  price: { type: 'number' },
  offered: { type: 'string', format: 'date-time' },
});

/*
 * The whole data set. 2026-11-02 is a Monday.
 *
 * ann  Mon 2   10:00 start PL · 10:10 level 1 · 10:20 level 2 (hard) · 10:30 purchase 5
 *      Tue 3   09:00 start PL
 *      Mon 9   09:00 start PL
 * bob  Mon 2   12:00 start DE · 12:01 level 1 · 18:00 purchase 1 (six hours later)
 *      Wed 4   12:00 start DE · 12:30 level 2
 * cy   Tue 3   08:00 purchase 9 · 08:05 start (no country) · 08:10 level 1
 * dan  Sun 1   23:59 start PL (before the week)
 *      Mon 2   00:00 start PL
 */
const set: [who: string, day: number, time: string, type: TestType, event: object][] = [
  ['ann', 2, '10:00', start, { country: 'PL' }],
  ['ann', 2, '10:10', level, { level: 1, hero: { name: 'Ada' } }],
  ['ann', 2, '10:20', level, { level: 2, hard: true, hero: { name: 'Ada' } }],
  ['ann', 2, '10:30', buy, { price: 5 }],
  ['ann', 3, '09:00', start, { country: 'PL' }],
  ['ann', 9, '09:00', start, { country: 'PL' }],
  ['bob', 2, '12:00', start, { country: 'DE' }],
  ['bob', 2, '12:01', level, { level: 1, hard: false, hero: { name: 'Bo' } }],
  ['bob', 2, '18:00', buy, { price: 1 }],
  ['bob', 4, '12:00', start, { country: 'DE' }],
  ['bob', 4, '12:30', level, { level: 2 }],
  ['cy', 3, '08:00', buy, { price: 9, offered: '2026-11-03T09:59:00+02:00' }],
  ['cy', 3, '08:05', start, {}],
  ['cy', 3, '08:10', level, { level: 1 }],
  ['dan', 1, '23:59', start, { country: 'PL' }],
  ['dan', 2, '00:00', start, { country: 'PL' }],
];
const day = (n: number) => Date.UTC(2026, 10, n);
const firstWeek = { fromMs: day(2), toMs: day(9) };
const at = (n: number) => `2026-11-${String(n).padStart(2, '0')}T00:00:00Z`;

beforeAll(async () => {
  await warehouse.migrate();
  for (const [project, copies] of [
    [projectId, set],
    ['p-analyses0002', set.slice(0, 3)],
  ] as const) {
    for (const [who, date, time, type, event] of copies) {
      await store({
        project,
        who,
        type,
        event,
        atMs: Date.parse(`2026-11-${String(date).padStart(2, '0')}T${time}Z`),
      });
    }
  }
});
afterAll(async () => {
  await warehouse.close();
});

interface Stored {
  readonly project: string;
  readonly who: string;
  readonly type: TestType;
  readonly event: object;
  readonly atMs: number;
}

async function store({ project, who, type, event, atMs }: Stored): Promise<void> {
  const chunkId = randomUUID();
  const day = new Date(atMs).toISOString().slice(0, 10);
  const rows = type.encode([{ event, occurredMs: atMs }], {
    chunkId,
    projectId: project,
    accountId: who,
    sessionId: `${who} ${day}`,
    receivedMs: atMs + 1_000,
  });
  const outcome = await warehouse.insertRows({ body: [frameOf(rows)], token: chunkId });
  expect(outcome.kind).toBe('stored');
}

// Invariant (Queries): The built-in analyses return what was calculated by hand
test('volume counts by arrival where it is asked to: a second after each event', async () => {
  const tenPastTen = day(2) + 610 * 60_000;
  const arrived = { fromMs: tenPastTen + 500, toMs: tenPastTen + 1_500, per: 'day', types: [] } as const;
  expect(await ask.volume(arrived)).toEqual([]);
  expect(await ask.volume({ ...arrived, by: 'received' })).toEqual([
    { at: at(2), type: 'level_up', events: 1 },
  ]);
});

test('volume counts events of each type in each period', async () => {
  expect(await ask.volume({ ...firstWeek, per: 'day', types: [] })).toEqual([
    { at: at(2), type: 'level_up', events: 3 },
    { at: at(2), type: 'purchase', events: 2 },
    { at: at(2), type: 'session_start', events: 3 },
    { at: at(3), type: 'level_up', events: 1 },
    { at: at(3), type: 'purchase', events: 1 },
    { at: at(3), type: 'session_start', events: 2 },
    { at: at(4), type: 'level_up', events: 1 },
    { at: at(4), type: 'session_start', events: 1 },
  ]);
  const purchases = { ...firstWeek, per: 'week', types: ['purchase'] } as const;
  expect(await ask.volume(purchases)).toEqual([{ at: at(2), type: 'purchase', events: 3 }]);
  const hours = await ask.volume({
    fromMs: day(2),
    toMs: day(3),
    per: 'hour',
    types: ['level_up'],
  });
  expect(hours).toEqual([
    { at: '2026-11-02T10:00:00Z', type: 'level_up', events: 2 },
    { at: '2026-11-02T12:00:00Z', type: 'level_up', events: 1 },
  ]);
});

test('players are counted once per day, week and month', async () => {
  const all = { fromMs: day(1), toMs: day(30) };
  expect(await ask.distinctPlayers({ ...all, per: 'day' })).toEqual([
    { at: at(1), players: 1 },
    { at: at(2), players: 3 },
    { at: at(3), players: 2 },
    { at: at(4), players: 1 },
    { at: at(9), players: 1 },
  ]);
  expect(await ask.distinctPlayers({ ...all, per: 'week' })).toEqual([
    { at: '2026-10-26T00:00:00Z', players: 1 },
    { at: at(2), players: 4 },
    { at: at(9), players: 1 },
  ]);
  expect(await ask.distinctPlayers({ ...all, per: 'month' })).toEqual([{ at: at(1), players: 4 }]);
});

test('a session lasts from its first event to its last', async () => {
  // On Monday: ann 30 min, bob 6 h, dan 0. On Tuesday: ann 0, cy 10 min. On Wednesday: bob 30 min.
  expect(await ask.sessionLength(firstWeek)).toEqual([
    { at: at(2), sessions: 3, meanSeconds: 7_800, medianSeconds: 1_800, p90Seconds: 17_640 },
    { at: at(3), sessions: 2, meanSeconds: 300, medianSeconds: 300, p90Seconds: 540 },
    { at: at(4), sessions: 1, meanSeconds: 1_800, medianSeconds: 1_800, p90Seconds: 1_800 },
  ]);
});

test('a funnel counts players who took the steps in order and in time', async () => {
  const step = (type: string, ...where: Condition[]) => ({
    type,
    where,
  });
  const steps = [step('session_start'), step('level_up'), step('purchase')];
  const hour = { ...firstWeek, steps, windowSeconds: 3600 };
  // All four start. Ann, bob and cy reach a level within an hour. Only ann buys within an hour; cy bought before.
  expect(await ask.funnel(hour)).toEqual([
    { step: 1, players: 4 },
    { step: 2, players: 3 },
    { step: 3, players: 1 },
  ]);
  const players = async (request: Parameters<typeof ask.funnel>[0]) =>
    (await ask.funnel(request)).map((row) => row.players);
  expect(await players({ ...hour, windowSeconds: 6 * 3600 })).toEqual([4, 3, 2]);
  const level2 = step('level_up', { member: 'level', is: 'greaterOrEqual', value: 2 });
  expect(await players({ ...hour, steps: [steps[0] ?? level2, level2] })).toEqual([4, 2]);
  // Ann reaches two levels within an hour. One level is never two steps.
  expect(await players({ ...hour, steps: [step('level_up'), step('level_up')] })).toEqual([3, 1]);
  const hard = step('level_up', { member: 'hard', is: 'equal', value: true });
  const polish = step('session_start', { member: 'country', is: 'equal', value: 'PL' });
  expect(await players({ ...hour, steps: [polish, hard] })).toEqual([2, 1]);
  const ada = step('level_up', { member: 'hero.name', is: 'equal', value: 'Ada' });
  expect(await players({ ...hour, steps: [polish, ada] })).toEqual([2, 1]);
});

test('retention counts the returning players of each first period', async () => {
  // First events: dan on Sunday; ann and bob on Monday; cy on Tuesday.
  expect(await ask.retention({ fromMs: day(1), toMs: day(9), per: 'day', periods: 7 })).toEqual([
    { cohort: at(1), players: 1, returned: [1, 0, 0, 0, 0, 0, 0] },
    { cohort: at(2), players: 2, returned: [1, 1, 0, 0, 0, 0, 1] },
    { cohort: at(3), players: 1, returned: [0, 0, 0, 0, 0, 0, 0] },
  ]);
  // Dan's first event was in the previous week, so dan does not count in the first week.
  expect(await ask.retention({ ...firstWeek, per: 'week', periods: 1 })).toEqual([
    { cohort: at(2), players: 3, returned: [1] },
  ]);
});

test('a breakdown counts the values of a member and the events without it', async () => {
  const countries = { ...firstWeek, type: 'session_start', member: 'country', where: [], mostValues: 10 };
  expect(await ask.breakdown(countries)).toEqual([
    { value: 'PL', events: 3, players: 2 },
    { value: 'DE', events: 2, players: 1 },
    { value: null, events: 1, players: 1 },
  ]);
  expect(await ask.breakdown({ ...countries, mostValues: 1 })).toHaveLength(1);
  const heroes = {
    ...firstWeek,
    type: 'level_up',
    member: 'hero.name',
    mostValues: 10,
    where: [{ member: 'level', is: 'less', value: 2 }] as const,
  };
  expect(await ask.breakdown(heroes)).toEqual([
    { value: 'Ada', events: 1, players: 1 },
    { value: 'Bo', events: 1, players: 1 },
    { value: null, events: 1, players: 1 },
  ]);
});

test("the stream of a player contains the player's events, newest first", async () => {
  const events = await ask.playerStream({ ...firstWeek, accountId: 'cy', mostEvents: 3 });
  expect(events).toEqual([
    {
      eventId: expect.any(String),
      type: 'level_up',
      version: 1,
      sessionId: 'cy 2026-11-03',
      occurred: '2026-11-03T08:10:00.000Z',
      received: '2026-11-03T08:10:01.000Z',
      event: { level: 1 },
    },
    expect.objectContaining({ type: 'session_start', event: {} }),
    expect.objectContaining({ event: { price: 9, offered: '2026-11-03T07:59:00.000Z' } }),
  ]);
});

test('names and values are never SQL', async () => {
  const hostile = "x') OR 1 = 1 -- `";
  const request = { ...firstWeek, type: hostile, member: hostile, mostValues: 5 };
  const where = [{ member: hostile, is: 'equal', value: hostile }] as const;
  expect(await ask.breakdown({ ...request, where })).toEqual([]);
  const player = { ...firstWeek, accountId: hostile, mostEvents: 5 };
  expect(await ask.playerStream(player)).toEqual([]);
});
