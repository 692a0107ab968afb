import { randomUUID } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { freshClickHouse, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestProject, runOn } from '../test-project.ts';
import { createTestType } from '../test-rows.ts';
import { createWarehouse } from '../warehouse.ts';
import type { QueryFormat } from './query-format.ts';

const { url, database } = await freshClickHouse();
const { warehouse, projectId, store, applyView, drop } = createTestProject({
  url,
  database,
  newId: randomUUID,
});
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' } });
const mebibyte = 1024 * 1024;

beforeAll(async () => {
  await warehouse.migrate();
  await store(levelUp, { level: 1 }, { level: 2 });
  await applyView(levelUp);
});
afterAll(() => drop());

async function bytesOf(sql: string, format: QueryFormat): Promise<{ contentType: string; bytes: Buffer }> {
  const result = await warehouse.runQuery({ projectId, sql, format });
  if (result.kind !== 'rows') throw new Error(JSON.stringify(result));
  const parts: Buffer[] = [];
  for await (const part of result.stream) parts.push(Buffer.from(part));
  return { contentType: result.contentType, bytes: Buffer.concat(parts) };
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Memory without garbage, because the engine decides when to collect it. */
function heldBytes(): number {
  collectGarbage();
  return process.memoryUsage().arrayBuffers;
}

const levels = 'SELECT level FROM level_up ORDER BY level';

// Invariant (Queries): A query does not run where ClickHouse could show it rows of other projects
test('a result is available in every format', async () => {
  const json = await bytesOf(levels, 'JSON');
  expect(JSON.parse(json.bytes.toString()).data).toEqual([{ level: '1' }, { level: '2' }]);
  const lines = await bytesOf(levels, 'JSONEachRow');
  expect(lines.bytes.toString()).toBe('{"level":"1"}\n{"level":"2"}\n');
  expect(lines.contentType).toBe('application/x-ndjson; charset=utf-8');
  expect((await bytesOf(levels, 'CSV')).bytes.toString()).toBe('"level"\n1\n2\n');
  expect((await bytesOf(levels, 'Parquet')).bytes.subarray(0, 4).toString()).toBe('PAR1');
  expect((await bytesOf(levels, 'Arrow')).bytes.subarray(0, 6).toString()).toBe('ARROW1');
  const plain = await bytesOf("SELECT repeat('ab', 5000) AS a", 'Arrow');
  expect(plain.bytes.includes('ab'.repeat(5_000))).toBe(true);
});

test('a list of events is read as the type that dynamicType() names', async () => {
  const items = { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } };
  const bought = createTestType('items_bought', 1, {
    tags: { type: 'array', items: { type: 'string' } },
    items,
  });
  await store(bought, { tags: ['rare', 'new'], items: [{ id: 'sword' }] });
  const ofType = "FROM events WHERE type = 'items_bought'";
  const types = await bytesOf(
    `SELECT dynamicType(data.tags) AS tags, dynamicType(data.items) AS items ${ofType}`,
    'JSONEachRow',
  );
  const { tags, items: objects } = JSON.parse(types.bytes.toString());
  expect({ tags, objects }).toEqual({ tags: 'Array(String)', objects: 'Array(Tuple(id Nullable(String)))' });
  const lists = await bytesOf(
    `SELECT data.tags.:\`${tags}\` AS tags, data.items.:\`${objects}\` AS items ${ofType}`,
    'JSONEachRow',
  );
  expect(JSON.parse(lists.bytes.toString())).toEqual({ tags: ['rare', 'new'], items: [{ id: 'sword' }] });
});

test('a large result is streamed without buffering', async () => {
  const result = await warehouse.runQuery({
    projectId,
    sql: "SELECT repeat('x', 1000) AS x FROM numbers(300000)",
    format: 'JSONEachRow',
  });
  if (result.kind !== 'rows') throw new Error(JSON.stringify(result));
  let bytes = 0;
  let mostHeld = 0;
  let looks = 0;
  for await (const part of result.stream) {
    bytes += part.length;
    if (bytes < looks * 30 * mebibyte) continue;
    looks += 1;
    mostHeld = Math.max(mostHeld, heldBytes());
  }
  expect(bytes).toBe(300_000 * '{"x":""}\n'.length + 300_000 * 1000);
  expect(mostHeld).toBeLessThan(100 * mebibyte);
});

async function runningQueries(mark: string): Promise<number> {
  const rows = await warehouse.query<{ n: string }>(
    'SELECT count() AS n FROM system.processes WHERE query LIKE {mark:String} AND query NOT LIKE {own:String}',
    { parameters: { mark: `%${mark}%`, own: '%system.processes%' } },
  );
  return Number(rows[0]?.n);
}

test('a client that disconnects ends the query at the server', async () => {
  const sql = "SELECT 'left midway' AS x, number FROM numbers(8000000)";
  const result = await warehouse.runQuery({ projectId, sql, format: 'CSV' });
  if (result.kind !== 'rows') throw new Error(JSON.stringify(result));
  expect(await runningQueries('left midway')).toBe(1);
  result.stream.destroy();
  await waitUntil(async () => (await runningQueries('left midway')) === 0, { what: 'the end of the query' });
});

test('a signal ends a query before its answer', async () => {
  const cancel = new AbortController();
  const sql =
    "SELECT count() AS n, 'cancelled early' AS x FROM numbers(1900000000) WHERE sipHash64(number) = 1";
  const asked = warehouse.runQuery({ projectId, sql, format: 'CSV', signal: cancel.signal });
  asked.catch(() => undefined);
  await waitUntil(async () => (await runningQueries('cancelled early')) === 1, { what: 'the query' });
  cancel.abort(new Error('enough'));
  await expect(asked).rejects.toThrow('enough');
  await waitUntil(async () => (await runningQueries('cancelled early')) === 0, { what: 'its end' });
});

test.each([
  ['tooLong', { mostSeconds: 1 }, 'SELECT count() AS n FROM numbers(1900000000) WHERE sipHash64(number) = 1'],
  ['tooManyRows', { mostRows: 5 }, 'SELECT number FROM numbers(6)'],
  ['tooManyRows', { mostRowsRead: 5 }, 'SELECT count() AS n FROM numbers(6)'],
  ['tooMuchMemory', { mostMemoryBytes: 10 * mebibyte }, 'SELECT arraySum(range(10000000)) AS s, 1 AS a'],
] as const)('a query beyond its limits is reported: %s %j', async (reason, queryLimits, sql) => {
  const strict = createWarehouse({ clickhouseUrl: url, database, queryLimits });
  onTestFinished(() => strict.close());
  const result = await strict.runQuery({ projectId, sql, format: 'CSV' });
  expect(result).toMatchObject({ kind: 'refused', reason });
});

test('a project has a limit of concurrent queries and does not block others', async () => {
  const strict = createWarehouse({ clickhouseUrl: url, database, queryLimits: { mostAtOnce: 1, waitMs: 0 } });
  onTestFinished(() => strict.close());
  const slow = { projectId, sql: 'SELECT number FROM numbers(8000000)', format: 'CSV' } as const;
  const first = await strict.runQuery(slow);
  expect(await strict.runQuery(slow)).toEqual({ kind: 'busy', retryAfterSeconds: 1 });
  const quick = { projectId: 'p-000000000000', sql: 'SELECT 1 AS a', format: 'CSV' } as const;
  const other = await strict.runQuery(quick);
  expect(other.kind).toBe('rows');
  for (const result of [first, other]) if (result.kind === 'rows') result.stream.destroy();
  const isFree = async () => {
    const result = await strict.runQuery({ ...slow, sql: 'SELECT 1 AS a' });
    if (result.kind === 'rows') result.stream.destroy();
    return result.kind === 'rows';
  };
  await waitUntil(isFree, { what: 'a free place' });
});

test('a query that cannot be interrupted fails as too long, and its owner cannot query for a minute', async () => {
  const limits = { mostSeconds: 1, mostAtOnce: 1, waitMs: 0 };
  const strict = createWarehouse({
    clickhouseUrl: url,
    database,
    queryTimeoutMs: 1_000,
    queryLimits: limits,
  });
  onTestFinished(() => strict.close());
  const [list, quick] = ['range(60000)', { projectId, sql: 'SELECT 1 AS a', format: 'CSV' }] as const;
  const sql = `SELECT 'endless', arrayLevenshteinDistance(${list}, arrayReverse(${list})) AS d`;
  const result = await strict.runQuery({ ...quick, sql });
  expect(result).toMatchObject({ kind: 'refused', reason: 'tooLong' });
  expect(await runningQueries('endless')).toBe(1);
  expect(await strict.runQuery(quick)).toEqual({ kind: 'busy', retryAfterSeconds: 60 });
  const ofAnother = await strict.runQuery({ ...quick, owner: 'another' });
  expect(ofAnother.kind).toBe('rows');
  if (ofAnother.kind === 'rows') ofAnother.stream.resume();
}, 90_000);

test('an unavailable ClickHouse is reported as unavailable', async () => {
  const away = createWarehouse({ clickhouseUrl: 'http://127.0.0.1:1', database });
  onTestFinished(() => away.close());
  const result = await away.runQuery({ projectId, sql: 'SELECT 1', format: 'CSV' });
  expect(result).toEqual({ kind: 'unavailable' });
});

test('a query does not run if the server could show it rows of others, and the reason is reported', async () => {
  // A database that the configuration of the engine does not name.
  const elsewhere = `other_${database}`;
  await runOn(url, `CREATE DATABASE ${elsewhere}`);
  onTestFinished(() => runOn(url, `DROP DATABASE ${elsewhere} SYNC`));
  const hindrances: string[] = [];
  const other = createWarehouse({
    clickhouseUrl: url,
    database: elsewhere,
    querySecret: 'a secret',
    onHindrance: (reason) => hindrances.push(reason),
  });
  onTestFinished(() => other.close());
  await other.migrate();
  const unseen = { projectId: 'p-unseen000000', sql: 'SELECT 1', format: 'JSON' } as const;
  onTestFinished(() => runOn(url, 'DROP DATABASE IF EXISTS project_p_unseen000000 SYNC'));
  expect([await other.runQuery(unseen), await other.runQuery(unseen)]).toEqual([
    { kind: 'unavailable' },
    { kind: 'unavailable' },
  ]);
  const reason = 'the server stores no users except those in its configuration';
  expect(hindrances).toEqual([reason, reason]);
  expect(await other.findQueryHindrance()).toBe(reason);
});
