import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectClickHouse } from '../clickhouse.ts';
import { createTestType, frameOf, type TestChunk } from '../test-rows.ts';
import { createWarehouse } from '../warehouse.ts';
import { createEraser } from './eraser.ts';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
beforeAll(() => warehouse.migrate());
afterAll(() => warehouse.close());

const dayMs = 86_400_000;
const receivedMs = Date.UTC(2026, 5, 30, 23, 59);
const receivedUntilMs = receivedMs + 10 * dayMs;
const match = createTestType('match', 1, {
  level: { type: 'integer' },
  name: { type: 'string', 'x-personal': true },
  at: { type: 'string', format: 'date-time' },
  friends: {
    type: 'array',
    items: { type: 'object', properties: { mail: { type: 'string', 'x-personal': true } } },
  },
  counts: { type: 'object', additionalProperties: { type: 'integer' } },
});
const tick = createTestType('tick', 2, { n: { type: 'integer' } });
const types = [match, tick];

function personalPaths(type: string, version: number): ReadonlySet<string> | null {
  const found = types.find((each) => each.name === type && each.version === version);
  return found === undefined ? null : new Set(found.columns.filter((c) => c.personal).map((c) => c.path));
}

async function store(type: typeof match, chunk: Omit<TestChunk, 'chunkId'>, events: readonly object[]) {
  const chunkId = randomUUID();
  const rows = type.encode(
    events.map((event) => ({ event })),
    { chunkId, receivedMs, ...chunk },
  );
  const outcome = await warehouse.insertRows({ body: [frameOf(rows)], token: chunkId });
  expect(outcome.kind).toBe('stored');
}

let lastProject = 0;
/** Two accounts with the same events around the end of a month, and another project with the first account's id. */
async function twoAccounts() {
  const projectId = `p-${String(++lastProject).padStart(12, '0')}`;
  const events = [1, 2, 3].map((level) => ({
    level,
    name: `Ann'a \\ ${level}`,
    at: '2026-01-01T00:00:00.125Z',
    friends: [{ mail: 'b@c.d' }],
    counts: { a: 2 ** 40 },
  }));
  for (const accountId of ["u-a'nn", 'u-bob']) {
    await store(match, { projectId, accountId }, events);
    await store(tick, { projectId, accountId, receivedMs: receivedMs + dayMs }, [{ n: 1 }, {}]);
  }
  await store(tick, { projectId: `${projectId}x`, accountId: "u-a'nn" }, [{ n: 7 }]);
  const ann = { projectId, accountId: "u-a'nn", receivedUntilMs };
  return {
    projectId,
    ann,
    bob: { ...ann, accountId: 'u-bob' },
    elsewhere: { ...ann, projectId: `${projectId}x` },
  };
}

const both = new Map([
  ['match', 3],
  ['tick', 2],
]);

/** Every row of a project, identified by values that never change. */
function rowsOf(projectId: string) {
  return warehouse.query<Record<string, unknown>>(
    `SELECT type, event_id, account_id, session_id, toString(data) AS text, JSONAllPathsWithTypes(data) AS types
     FROM ${database}.events WHERE project = {project:String} ORDER BY type, event_id`,
    { parameters: { project: projectId } },
  );
}

test('only the events of one account are removed', async () => {
  const { projectId, ann, bob, elsewhere } = await twoAccounts();
  const others = (await rowsOf(projectId)).filter((row) => row['account_id'] === 'u-bob');
  expect(await warehouse.countAccount(ann)).toEqual(both);
  await warehouse.removeAccounts([ann]);
  await warehouse.removeAccounts([ann]);
  expect(await warehouse.countAccount(ann)).toEqual(new Map());
  expect(await warehouse.countAccount(bob)).toEqual(both);
  expect(await warehouse.countAccount(elsewhere)).toEqual(new Map([['tick', 1]]));
  expect(await rowsOf(projectId)).toEqual(others);
});

test('several accounts are removed together, each from its own project', async () => {
  const first = await twoAccounts();
  const second = await twoAccounts();
  await warehouse.removeAccounts([first.ann, second.bob]);
  for (const gone of [first.ann, second.bob]) expect(await warehouse.countAccount(gone)).toEqual(new Map());
  for (const kept of [first.bob, second.ann]) expect(await warehouse.countAccount(kept)).toEqual(both);
  expect(await warehouse.countAccount(first.elsewhere)).toEqual(new Map([['tick', 1]]));
  await warehouse.removeAccounts([]);
});

test('removed events are in no active part', async () => {
  const { ann } = await twoAccounts();
  await warehouse.removeAccounts([ann]);
  const [masked] = await warehouse.query<{ rows: string }>(
    `SELECT count() AS rows FROM ${database}.events WHERE account_id = {account:String} AND project = {project:String}
     SETTINGS apply_deleted_mask = 0`,
    { parameters: { account: ann.accountId, project: ann.projectId } },
  );
  expect(masked?.rows).toBe('0');
});

test('events that are received after the request stay', async () => {
  const { ann } = await twoAccounts();
  await warehouse.removeAccounts([{ ...ann, receivedUntilMs: receivedMs }]);
  expect(await warehouse.countAccount(ann)).toEqual(new Map([['tick', 2]]));
});

test('masked events keep their exact values and types, without personal data', async () => {
  const { projectId, ann, bob } = await twoAccounts();
  const before = await rowsOf(projectId);
  const name = randomUUID();
  expect(await warehouse.copyMasked(ann, { name, personalPaths })).toBe(5);
  expect(await warehouse.copyMasked(ann, { name, personalPaths })).toBe(5);
  await warehouse.removeAccounts([ann]);

  const after = await rowsOf(projectId);
  expect(after.map((row) => row['event_id'])).toEqual(before.map((row) => row['event_id']));
  expect(await warehouse.countAccount(ann)).toEqual(new Map());
  expect(await warehouse.countAccount(bob)).toEqual(both);
  const masked = after.filter((row) => row['account_id'] === '');
  expect(masked.map((row) => [row['type'], row['session_id']])).toEqual([
    ...Array.from({ length: 3 }, () => ['match', '']),
    ...Array.from({ length: 2 }, () => ['tick', '']),
  ]);
  expect(JSON.stringify(masked)).not.toMatch(/nn'a|b@c\.d/);
  const [first] = masked;
  expect(first?.['types']).toEqual({ at: 'DateTime64(3)', counts: 'Map(String, Int64)', level: 'Int64' });
});

test('an interrupted copy is completed without duplicates', async () => {
  const { projectId, ann } = await twoAccounts();
  const name = randomUUID();
  const stopping = new AbortController();
  const reading = { clickhouse: connected(), place: { database, cluster: null }, timeoutMs: 10_000 };
  const broken = createEraser(reading, {
    countByChunk: (ids) => warehouse.countByChunk(ids),
    async insertRows(insert) {
      await warehouse.insertRows(insert);
      stopping.abort(new Error('killed'));
      return { kind: 'transient', code: 'CANCELLED', known: true, message: 'no answer came' };
    },
  });
  await expect(broken.copyMasked(ann, { name, personalPaths, signal: stopping.signal })).rejects.toThrow(
    'killed',
  );
  await reading.clickhouse.close();
  await warehouse.copyMasked(ann, { name, personalPaths });
  await warehouse.removeAccounts([ann]);
  expect(await rowsOf(projectId)).toHaveLength(10);
});

test('an export contains every event once, in order, over any number of pages', async () => {
  const projectId = 'p-000000export';
  const account = { projectId, accountId: 'u-many', receivedUntilMs };
  const events = Array.from({ length: 2_300 }, (_, n) => ({ n }));
  await store(tick, { projectId, accountId: 'u-many' }, events);
  await store(match, { projectId, accountId: 'u-many', receivedMs: receivedMs - dayMs }, [
    { level: 2 ** 40, at: '2026-01-01T00:00:00.125Z', name: 'Ann' },
  ]);
  await store(tick, { projectId, accountId: 'u-other' }, [{ n: -1 }]);
  const pages: string[] = [];
  for await (const page of warehouse.exportAccount(account)) pages.push(page.toString());
  expect(pages.length).toBe(3);
  const lines = pages
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines[0]).toMatchObject({
    type: 'match',
    version: 1,
    received: '2026-06-29T23:59:00.000Z',
    sessionId: 'session-1',
    event: { level: 2 ** 40, at: '2026-01-01T00:00:00.125Z', name: 'Ann' },
  });
  const numbers = lines.slice(1).map((line) => Number(line.event.n));
  expect(numbers.sort((a, b) => a - b)).toEqual(events.map(({ n }) => n));
});

test('an account without an id is never counted, removed or exported', async () => {
  const nobody = { projectId: 'p-1', accountId: '', receivedUntilMs };
  await expect(warehouse.countAccount(nobody)).rejects.toThrow(RangeError);
  await expect(async () => warehouse.removeAccounts([nobody])).rejects.toThrow(RangeError);
  await expect(warehouse.exportAccount(nobody).next()).rejects.toThrow(RangeError);
});

function connected() {
  return connectClickHouse({ url, maxConnections: 2 });
}
