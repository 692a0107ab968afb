import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestType, frameOf } from '../test-rows.ts';
import { createWarehouse } from '../warehouse.ts';
import type { AnalysisResult } from './analyses.ts';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
const { analyses } = warehouse;
const asker = { projectId: 'p-timezones001' };
const beat = createTestType('beat', 1, { n: { type: 'integer' } });

/** Each range contains a change of the clocks of its zone, or a zone whose hours start at the half hour. */
const ranges = [
  ['Europe/Berlin', '2026-03-27T00:00:00Z'],
  ['Europe/Berlin', '2026-10-23T00:00:00Z'],
  ['America/New_York', '2026-10-30T00:00:00Z'],
  // Its clocks change at midnight.
  ['America/Havana', '2026-10-30T00:00:00Z'],
  ['Asia/Beirut', '2026-03-27T00:00:00Z'],
  // Its clocks change by half an hour.
  ['Australia/Lord_Howe', '2026-04-03T00:00:00Z'],
  ['Asia/Kolkata', '2026-05-01T00:00:00Z'],
  ['Pacific/Kiritimati', '2026-05-01T00:00:00Z'],
] as const;
const halfHourMs = 1_800_000;
const days = 4;
const starting = [...new Set(ranges.map(([, from]) => Date.parse(from)))];
const instantsFrom = (fromMs: number) => Array.from({ length: days * 48 }, (_, n) => fromMs + n * halfHourMs);
const instants = starting.flatMap(instantsFrom);

beforeAll(async () => {
  await warehouse.migrate();
  for (const fromMs of starting) {
    const chunkId = randomUUID();
    const events = instantsFrom(fromMs).map((occurredMs, n) => ({ event: { n }, occurredMs }));
    const rows = beat.encode(events, {
      chunkId,
      projectId: asker.projectId,
      accountId: 'ann',
      sessionId: 's',
      receivedMs: fromMs + days * 48 * halfHourMs,
    });
    expect((await warehouse.insertRows({ body: [frameOf(rows)], token: chunkId })).kind).toBe('stored');
  }
});
afterAll(() => warehouse.close());

async function rowsOf<Row>(asked: Promise<AnalysisResult<Row>>): Promise<Row[]> {
  const result = await asked;
  if (result.kind !== 'rows') throw new Error('the analysis has no rows', { cause: result });
  return result.rows;
}

const starts = {
  day: (at: Temporal.ZonedDateTime) => at.startOfDay(),
  week: (at: Temporal.ZonedDateTime) => at.subtract({ days: at.dayOfWeek - 1 }).startOfDay(),
  month: (at: Temporal.ZonedDateTime) => at.with({ day: 1 }).startOfDay(),
} as const;

// Invariant (Queries): Days, weeks and months of an analysis start at midnight of its time zone, also when
// the clocks change
test.each(ranges)('days, weeks and months start at midnight in %s from %s', async (timeZone, from) => {
  const fromMs = Date.parse(from);
  const range = { fromMs, toMs: fromMs + days * 48 * halfHourMs, timeZone };
  for (const per of ['day', 'week', 'month'] as const) {
    const expected = new Map<string, number>();
    for (const ms of instants.filter((at) => at >= range.fromMs && at < range.toMs)) {
      const at = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
      const start = starts[per](at).toInstant().toString();
      expected.set(start, (expected.get(start) ?? 0) + 1);
    }
    const rows = await rowsOf(analyses.volume(asker, { ...range, per, types: [], where: [], split: null }));
    expect(new Map(rows.map(({ at, events }) => [at, events]))).toEqual(expected);
  }
});

test('the hour that a change of the clocks repeats is two hours', async () => {
  const [fromMs, toMs] = [Date.parse('2026-10-25T00:00:00Z'), Date.parse('2026-10-25T03:00:00Z')];
  const rows = await rowsOf(
    analyses.volume(asker, {
      fromMs,
      toMs,
      timeZone: 'Europe/Berlin',
      per: 'hour',
      types: [],
      where: [],
      split: null,
    }),
  );
  expect(rows.map(({ at, events }) => [at, events])).toEqual([
    ['2026-10-25T00:00:00Z', 2],
    ['2026-10-25T01:00:00Z', 2],
    ['2026-10-25T02:00:00Z', 2],
  ]);
});

test('players return on the next day of their zone, also after a day of 25 hours', async () => {
  const rows = await rowsOf(
    analyses.retention(asker, {
      fromMs: Date.parse('2026-03-01T00:00:00Z'),
      toMs: Date.parse('2026-11-30T00:00:00Z'),
      timeZone: 'Europe/Berlin',
      per: 'day',
      periods: 4,
    }),
  );
  expect(rows).toEqual([{ cohort: '2026-03-26T23:00:00Z', players: 1, returned: [1, 1, 1, 1] }]);
});

test('a time zone has the spelling of the database', async () => {
  expect(await analyses.findTimeZone('europe/BERLIN')).toBe('Europe/Berlin');
  expect(await analyses.findTimeZone('Mars/Olympus')).toBe(null);
});

test('ClickHouse knows the time zones of browsers', async () => {
  const found = await Promise.all(
    Intl.supportedValuesOf('timeZone').map(async (name) => [name, await analyses.findTimeZone(name)]),
  );
  // The newest of them all. Requests with it fail with 1003.
  const younger = ['America/Coyhaique'];
  expect(found.filter(([name, spelling]) => name !== spelling)).toEqual(younger.map((name) => [name, null]));
});
