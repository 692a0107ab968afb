import { beforeAll, expect, test } from 'vitest';
import { type ManagedProject, startStoredWorld } from '../../testing/console-harness.ts';

const { world, clickhouse } = await startStoredWorld();
let mine: ManagedProject;

/*
 * ann  Mon 2  10:00 start DE · 10:05 level 1 · 10:20 level 2
 *      Tue 3  10:00 start DE
 * bob  Mon 2  11:00 start PL · 11:05 level 1
 *      Wed 4  11:00 start PL
 * cy   Mon 2  12:00 start (no country)
 * dan  Mon 9  00:30 start FR
 */
const events: [who: string, at: string, type: string, data: object][] = [
  ['ann', '02 10:00', 'session_start', { country: 'DE' }],
  ['ann', '02 10:05', 'level_up', { level: 1 }],
  ['ann', '02 10:20', 'level_up', { level: 2 }],
  ['ann', '03 10:00', 'session_start', { country: 'DE' }],
  ['bob', '02 11:00', 'session_start', { country: 'PL' }],
  ['bob', '02 11:05', 'level_up', { level: 1 }],
  ['bob', '04 11:00', 'session_start', { country: 'PL' }],
  ['cy', '02 12:00', 'session_start', {}],
  ['dan', '09 00:30', 'session_start', { country: 'FR' }],
];

beforeAll(async () => {
  mine = await world.project();
  const rows = events.map(([who, at, type, data]) => ({
    project: mine.projectId,
    type,
    version: 1,
    key_kind: 'session',
    account_id: who,
    data,
    ...{
      session_id: `${who} ${at.slice(0, 2)}`,
      event_id: crypto.randomUUID(),
      chunk_id: crypto.randomUUID(),
    },
    received: `2026-11-${at}:01`,
    occurred: `2026-11-${at}:00`,
  }));
  await clickhouse.run(
    `INSERT INTO events FORMAT JSONEachRow ${rows.map((row) => JSON.stringify(row)).join('\n')}`,
  );
});

const week = { from: '2026-11-02T00:00:00Z', to: '2026-11-09T00:00:00Z' };
const steps = [
  { type: 'session_start' },
  { type: 'level_up' },
  { type: 'level_up', where: [{ member: 'level', is: 'greater', value: 1 }] },
];

function ask(path: string, body: object, key = mine.key) {
  return world.send({ method: 'POST', path: `/v1/analyses/${path}`, key, body: { ...week, ...body } });
}

const everyAnalysis: [name: string, body: object][] = [
  ['volume', { per: 'hour', timeZone: 'Asia/Kolkata' }],
  ['volume', { per: 'day', types: ['session_start'], split: { member: 'country', mostValues: 1 } }],
  ['players', { per: 'week', timeZone: 'America/Havana' }],
  ['players', { per: 'day', where: [{ member: 'country', is: 'notEqual', value: "D'E\\`" }] }],
  ['session-length', { timeZone: 'Europe/Berlin' }],
  ['funnel', { steps, windowSeconds: 3600 }],
  ['funnel', { steps, windowSeconds: 3600, split: { member: 'country' } }],
  ['retention', { per: 'day', periods: 3, timeZone: 'Europe/Berlin' }],
  ['breakdown', { type: 'session_start', member: 'country' }],
  ['player', { accountId: 'ann' }],
];

// Invariant (Queries): The SQL of an analysis returns the same rows as a customer's query
test.each(everyAnalysis)('the SQL of the analysis %s %j returns the same figures', async (name, body) => {
  const { body: answer } = await ask(name, { ...body, sql: true });
  expect(answer.results.length).toBeGreaterThan(0);
  const { status, body: queried } = await world.send({
    method: 'POST',
    path: '/v1/query',
    key: mine.key,
    body: { sql: answer.sql },
  });
  expect([status, queried.data]).toEqual([200, answer.results.map(asQueried)]);
});

/** A query writes whole numbers of 64 bits as strings, and so those of an event. */
function asQueried<R extends { event?: object }>(row: R): R {
  if (row.event === undefined) return row;
  const quoted = Object.entries(row.event).map(([name, value]) => [
    name,
    Number.isInteger(value) ? String(value) : value,
  ]);
  return { ...row, event: Object.fromEntries(quoted) };
}

test('a split has a row for each frequent value, one for events without it, and one for the rest', async () => {
  const split = { member: 'country', mostValues: 2 };
  const whole = { ...split, mostValues: 3 };
  const { body } = await ask('players', { per: 'week', types: ['session_start'], split: whole });
  expect(body.results).toEqual([
    { at: week.from, split: null, isRest: false, players: 1 },
    { at: week.from, split: 'DE', isRest: false, players: 1 },
    { at: week.from, split: 'PL', isRest: false, players: 1 },
  ]);
  const one = await ask('volume', {
    per: 'week',
    types: ['session_start'],
    split: { member: 'country', mostValues: 1 },
  });
  expect(one.body.results).toEqual([
    { at: week.from, type: 'session_start', split: 'DE', isRest: false, events: 2 },
    { at: week.from, type: 'session_start', split: null, isRest: true, events: 3 },
  ]);
  const funnel = await ask('funnel', { steps, windowSeconds: 3600, split });
  expect(funnel.body.results.filter((row: { step: number }) => row.step === 2)).toEqual([
    { step: 2, split: 'DE', isRest: false, players: 1 },
    { step: 2, split: 'PL', isRest: false, players: 1 },
    { step: 2, split: null, isRest: true, players: 0 },
  ]);
});

test('an analysis compares with the whole days before, in its time zone', async () => {
  const body = { from: '2026-11-08T23:00:00Z', to: '2026-11-15T23:00:00Z', timeZone: 'Europe/Berlin' };
  const { body: answer } = await ask('players', { ...body, per: 'week', compare: true });
  expect(answer).toEqual({
    cost: { ms: expect.any(Number), rows: 18 },
    results: [{ at: '2026-11-08T23:00:00Z', players: 1 }],
    before: {
      from: '2026-11-01T23:00:00.000Z',
      to: '2026-11-08T23:00:00.000Z',
      results: [{ at: '2026-11-01T23:00:00Z', players: 3 }],
    },
  });
  const clocks = { from: '2026-10-25T23:00:00Z', to: '2026-10-26T23:00:00Z', timeZone: 'Europe/Berlin' };
  const longer = await ask('players', { ...clocks, per: 'day', compare: true });
  expect(longer.body.before).toMatchObject({
    from: '2026-10-24T22:00:00.000Z',
    to: '2026-10-25T23:00:00.000Z',
  });
});

test('an unknown time zone is rejected, and names match in any case', async () => {
  for (const timeZone of ['Mars/Olympus', '+01:00', 'posixrules', "UTC') OR 1 --"]) {
    expect((await ask('players', { per: 'day', timeZone })).body).toMatchObject({
      code: 1003,
      data: { parameterName: 'timeZone' },
    });
  }
  expect((await ask('players', { per: 'day', timeZone: 'europe/berlin' })).status).toBe(200);
});

test.each([
  ['volume/players', { types: ['level_up'] }, ['ann', 'bob']],
  [
    'volume/players',
    { types: ['session_start'], part: { member: 'country', values: ['DE'], isRest: true } },
    ['bob', 'cy'],
  ],
  [
    'volume/players',
    { types: ['session_start'], part: { member: 'country', values: ['PL', null], isRest: true } },
    ['ann'],
  ],
  ['volume/players', { part: { member: 'country', values: [null] } }, ['ann', 'bob', 'cy']],
  ['volume/players', { part: { member: 'country', values: ['PL', "D'E"] } }, ['bob']],
  ['breakdown/players', { type: 'session_start', member: 'country', value: 'DE' }, ['ann']],
  ['breakdown/players', { type: 'session_start', member: 'country', value: null }, ['cy']],
  ['funnel/players', { steps, windowSeconds: 3600, step: 1 }, ['ann', 'bob', 'cy']],
  ['funnel/players', { steps, windowSeconds: 3600, step: 3 }, ['ann']],
  ['funnel/players', { steps, windowSeconds: 3600, step: 3, which: 'lost' }, ['bob']],
  ['retention/players', { per: 'day', cohort: week.from, period: 0 }, ['ann', 'bob', 'cy']],
  ['retention/players', { per: 'day', cohort: week.from, period: 2 }, ['bob']],
])('the players behind %s %j are listed in pages', async (path, body, players) => {
  const found: string[] = [];
  let cursor: string | null | undefined;
  while (cursor !== null) {
    const page = await ask(path, { ...body, limit: 1, cursor });
    expect(page.status).toBe(200);
    found.push(...page.body.results.map((row: { accountId: string }) => row.accountId));
    cursor = page.body.next;
  }
  expect(found).toEqual(players);
});

test('players behind a figure require the scope for personal data', async () => {
  const { key } = await world.project(['queries:read']);
  const body = { types: ['level_up'] };
  expect((await ask('volume/players', body, key)).body).toMatchObject({
    code: 2006,
    data: { parameterName: 'personal:read' },
  });
});

test('a split and a condition by a personal member require the scope for personal data', async () => {
  const { key, projectId } = await world.project(['queries:read']);
  await world.registry.declareEventType({
    projectId,
    name: 'joined',
    declaration: { type: 'object', properties: { nick: { type: 'string', 'x-personal': true } } },
  });
  const where = [{ member: 'nick', is: 'equal', value: 'x' }];
  for (const [name, body] of [
    ['volume', { per: 'day', split: { member: 'nick' } }],
    ['volume', { per: 'day', where }],
    ['players', { per: 'day', where }],
    ['funnel', { steps, windowSeconds: 60, split: { member: 'nick' } }],
  ] as const) {
    expect((await ask(name, body, key)).body).toMatchObject({ code: 2006 });
  }
});
