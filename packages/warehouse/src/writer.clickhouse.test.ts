import { randomBytes, randomUUID } from 'node:crypto';
import { createTcpProxy, freshClickHouse, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runOn } from './test-project.ts';
import { createTestType, frameOf } from './test-rows.ts';
import { createWarehouse, type WarehouseOptions } from './warehouse.ts';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' }, zone: { type: 'string' } });

beforeAll(() => warehouse.migrate());
afterAll(() => warehouse.close());

function rowsOf(count: number, chunkId: string, projectId = 'p-writer'): Buffer {
  const events = Array.from({ length: count }, (_, level) => ({
    event: { level, zone: `zone ${level % 7}` },
  }));
  return levelUp.encode(events, { chunkId, projectId });
}

async function stored(chunkId: string): Promise<number> {
  return (await warehouse.countByChunk([chunkId])).get(chunkId) ?? 0;
}

function warehouseAt(clickhouseUrl: string, options: Partial<WarehouseOptions> = {}) {
  const other = createWarehouse({ clickhouseUrl, database, ...options });
  onTestFinished(() => other.close());
  return other;
}

test('rows are stored once however often they are sent with the same token', async () => {
  const chunkId = randomUUID();
  const insert = { body: [frameOf(rowsOf(100, chunkId))], token: chunkId };
  expect(await warehouse.insertRows(insert)).toEqual({ kind: 'stored' });
  expect(await warehouse.insertRows(insert)).toEqual({ kind: 'stored' });
  expect(await stored(chunkId)).toBe(100);
});

test('the same rows with another token are stored again', async () => {
  const chunkId = randomUUID();
  const body = [frameOf(rowsOf(10, chunkId))];
  for (const token of [`${chunkId}/0`, `${chunkId}/1`]) {
    expect(await warehouse.insertRows({ body, token })).toEqual({ kind: 'stored' });
  }
  expect(await stored(chunkId)).toBe(20);
});

test('two attempts at once with the same token store the rows once', async () => {
  const chunkId = randomUUID();
  const insert = { body: [frameOf(rowsOf(5_000, chunkId))], token: chunkId };
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => warehouse.insertRows(insert)));
  // An attempt that is under way elsewhere may answer for this one, or ask for a later retry; it never stores twice.
  expect(outcomes.map(({ kind }) => kind)).toContain('stored');
  expect(await stored(chunkId)).toBe(5_000);
});

test('frames that stand one behind another are stored in full and in one part', async () => {
  const chunkIds = Array.from({ length: 40 }, () => randomUUID());
  const body = chunkIds.map((chunkId) => frameOf(rowsOf(250, chunkId, 'p-frames')));
  expect(await warehouse.insertRows({ body, token: 'frames' })).toEqual({ kind: 'stored' });
  const counts = await warehouse.countByChunk(chunkIds);
  expect([...counts.values()]).toEqual(chunkIds.map(() => 250));
  const parts = await warehouse.query<{ parts: string }>(
    `SELECT uniqExact(_part) AS parts FROM ${database}.events WHERE project = 'p-frames'`,
  );
  expect(parts).toEqual([{ parts: '1' }]);
});

test('a batch of more rows than the reader takes at a time is still one block that is stored once', async () => {
  const chunkId = randomUUID();
  const insert = { body: [frameOf(rowsOf(150_000, chunkId))], token: chunkId };
  await warehouse.insertRows(insert);
  await warehouse.insertRows(insert);
  expect(await stored(chunkId)).toBe(150_000);
});

test('rows of two months are stored once, in a partition each', async () => {
  const chunkId = randomUUID();
  const months = [Date.UTC(2026, 0, 31), Date.UTC(2026, 1, 1)].map((receivedMs) =>
    levelUp.encode([{ event: { level: 1 } }], { chunkId, projectId: 'p-months', receivedMs }),
  );
  const insert = { body: months.map(frameOf), token: chunkId };
  await warehouse.insertRows(insert);
  await warehouse.insertRows(insert);
  expect(await stored(chunkId)).toBe(2);
});

test('no rows are stored at once', async () => {
  expect(await warehouse.insertRows({ body: [], token: randomUUID() })).toEqual({ kind: 'stored' });
});

test('bytes that are no row are told with the index of the row, and nothing is stored', async () => {
  const chunkId = randomUUID();
  const unreadable = rowsOf(1, chunkId);
  // The code of the first member's type: 0xff means nothing.
  unreadable[unreadable.lastIndexOf('level') + 5] = 0xff;
  const body = [rowsOf(120, chunkId), unreadable, rowsOf(30, chunkId)].map(frameOf);
  expect(await warehouse.insertRows({ body, token: chunkId })).toMatchObject({ kind: 'data', row: 120 });
  expect(await stored(chunkId)).toBe(0);
});

test('rows that end in the middle are a fault of the data', async () => {
  const chunkId = randomUUID();
  const rows = rowsOf(10, chunkId);
  const body = [frameOf(rows.subarray(0, rows.length - 3))];
  expect(await warehouse.insertRows({ body, token: chunkId })).toMatchObject({ kind: 'data' });
  expect(await stored(chunkId)).toBe(0);
});

test('a frame that is no zstd is a fault of the data', async () => {
  const chunkId = randomUUID();
  const body = [frameOf(rowsOf(10, chunkId)), randomBytes(500)];
  expect(await warehouse.insertRows({ body, token: chunkId })).toMatchObject({ kind: 'data' });
  expect(await stored(chunkId)).toBe(0);
});

test('a table that is missing is a fault of the schema, also when the body is large', async () => {
  const nowhere = warehouseAt(url, { database: `${database}_nowhere` });
  const body = [frameOf(randomBytes(4_000_000))];
  expect(await nowhere.insertRows({ body, token: 'x' })).toMatchObject({ kind: 'schema' });
});

test('a column that was dropped is a fault of the schema', async () => {
  const other = warehouseAt(url, { database: `${database}_dropped` });
  await other.migrate();
  onTestFinished(() => runOn(url, `DROP DATABASE ${database}_dropped SYNC`));
  await runOn(url, `ALTER TABLE ${database}_dropped.events DROP COLUMN sdk_name`);
  const body = [frameOf(rowsOf(1, randomUUID()))];
  expect(await other.insertRows({ body, token: 'x' })).toMatchObject({ kind: 'schema', code: '16' });
});

test('a server that is away is worth another attempt', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const other = warehouseAt(proxy.url);
  proxy.refuse();
  const insert = { body: [frameOf(rowsOf(1, randomUUID()))], token: randomUUID() };
  expect(await other.insertRows(insert)).toMatchObject({
    kind: 'transient',
    code: 'ECONNRESET',
    known: true,
  });
  proxy.open();
  expect(await other.insertRows(insert)).toEqual({ kind: 'stored' });
});

test('a server that hangs is given up after the timeout, and another attempt stores the rows once', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const other = warehouseAt(proxy.url, { insertTimeoutMs: 300 });
  const chunkId = randomUUID();
  const insert = { body: [frameOf(rowsOf(50, chunkId))], token: chunkId };
  proxy.freeze();
  expect(await other.insertRows(insert)).toMatchObject({ kind: 'transient', code: 'TIMEOUT', known: true });
  proxy.open();
  expect(await warehouse.insertRows(insert)).toEqual({ kind: 'stored' });
  expect(await stored(chunkId)).toBe(50);
});

test('an insert whose server is killed is worth another attempt', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const other = warehouseAt(proxy.url);
  proxy.freeze();
  const insert = { body: [frameOf(rowsOf(50, randomUUID()))], token: randomUUID() };
  const outcome = other.insertRows(insert);
  await waitUntil(() => proxy.connections() > 0, { what: 'the insert to be under way' });
  proxy.cut();
  expect(await outcome).toMatchObject({ kind: 'transient', known: true });
});

test('an insert that the caller gives up is worth another attempt', async () => {
  const signal = AbortSignal.abort();
  const insert = { body: [frameOf(rowsOf(1, randomUUID()))], token: 'x', signal };
  expect(await warehouse.insertRows(insert)).toMatchObject({ kind: 'transient', code: 'CANCELLED' });
});
