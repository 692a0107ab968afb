import { randomBytes, randomUUID } from 'node:crypto';
import { createTcpProxy, freshClickHouse, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { runOn } from '../test-project.ts';
import { createTestType, frameOf } from '../test-rows.ts';
import { createWarehouse, type WarehouseOptions } from '../warehouse.ts';

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

test('rows that are sent repeatedly with the same token are stored once', async () => {
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

test('two concurrent attempts with the same token store the rows once', async () => {
  const chunkId = randomUUID();
  const insert = { body: [frameOf(rowsOf(5_000, chunkId))], token: chunkId };
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => warehouse.insertRows(insert)));
  // A concurrent attempt can answer for this one, or request a later retry. It never stores the rows twice.
  expect(outcomes.map(({ kind }) => kind)).toContain('stored');
  expect(await stored(chunkId)).toBe(5_000);
});

test('consecutive frames are stored completely and in one part', async () => {
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

test("a batch larger than the reader's block is still one block that is stored once", async () => {
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

test('an empty batch is stored immediately', async () => {
  expect(await warehouse.insertRows({ body: [], token: randomUUID() })).toEqual({ kind: 'stored' });
});

test('bytes that are not a row are reported with the index of the row, and nothing is stored', async () => {
  const chunkId = randomUUID();
  const unreadable = rowsOf(1, chunkId);
  // The code of the first member's type: 0xff means nothing.
  unreadable[unreadable.lastIndexOf('level') + 5] = 0xff;
  const body = [rowsOf(120, chunkId), unreadable, rowsOf(30, chunkId)].map(frameOf);
  expect(await warehouse.insertRows({ body, token: chunkId })).toMatchObject({ kind: 'data', row: 120 });
  expect(await stored(chunkId)).toBe(0);
});

test('truncated rows are a fault of the data', async () => {
  const chunkId = randomUUID();
  const rows = rowsOf(10, chunkId);
  const body = [frameOf(rows.subarray(0, rows.length - 3))];
  expect(await warehouse.insertRows({ body, token: chunkId })).toMatchObject({ kind: 'data' });
  expect(await stored(chunkId)).toBe(0);
});

test('a frame that is not zstd is a fault of the data', async () => {
  const chunkId = randomUUID();
  const body = [frameOf(rowsOf(10, chunkId)), randomBytes(500)];
  expect(await warehouse.insertRows({ body, token: chunkId })).toMatchObject({ kind: 'data' });
  expect(await stored(chunkId)).toBe(0);
});

test('a missing table is a fault of the schema, also with a large body', async () => {
  const nowhere = warehouseAt(url, { database: `${database}_nowhere` });
  const body = [frameOf(randomBytes(4_000_000))];
  expect(await nowhere.insertRows({ body, token: 'x' })).toMatchObject({ kind: 'schema' });
});

test('a dropped column is a fault of the schema', async () => {
  const other = warehouseAt(url, { database: `${database}_dropped` });
  await other.migrate();
  onTestFinished(() => runOn(url, `DROP DATABASE ${database}_dropped SYNC`));
  await runOn(url, `ALTER TABLE ${database}_dropped.events DROP COLUMN sdk_name`);
  const body = [frameOf(rowsOf(1, randomUUID()))];
  expect(await other.insertRows({ body, token: 'x' })).toMatchObject({ kind: 'schema', code: '16' });
});

test('an insert on an unavailable server is retried', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const other = warehouseAt(proxy.url);
  proxy.refuse();
  const insert = { body: [frameOf(rowsOf(1, randomUUID()))], token: randomUUID() };
  expect(await other.insertRows(insert)).toMatchObject({
    kind: 'transient',
    // The connection is reset before the first write, or between two of them.
    code: expect.stringMatching(/^(?:ECONNRESET|EPIPE)$/),
    known: true,
  });
  proxy.open();
  expect(await other.insertRows(insert)).toEqual({ kind: 'stored' });
});

test('an insert on a hanging server ends at the timeout, and a retry stores the rows once', async () => {
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

test('an insert whose server is killed is retried', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const other = warehouseAt(proxy.url);
  proxy.freeze();
  const insert = { body: [frameOf(rowsOf(50, randomUUID()))], token: randomUUID() };
  const outcome = other.insertRows(insert);
  await waitUntil(() => proxy.connections() > 0, { what: 'the insert to be running' });
  proxy.cut();
  expect(await outcome).toMatchObject({ kind: 'transient', known: true });
});

test('an insert that the caller aborts is retried', async () => {
  const signal = AbortSignal.abort();
  const insert = { body: [frameOf(rowsOf(1, randomUUID()))], token: 'x', signal };
  expect(await warehouse.insertRows(insert)).toMatchObject({ kind: 'transient', code: 'CANCELLED' });
});
