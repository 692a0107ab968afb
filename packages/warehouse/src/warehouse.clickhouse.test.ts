import { randomUUID } from 'node:crypto';
import { createTcpProxy, freshClickHouse } from '@tickrate/testkit';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { isOfAccount } from './reading/account-events.ts';
import { alterEvents } from './removal/run-mutation.ts';
import { createEventsTable } from './table/events-table.ts';
import { createHistory, migrations } from './table/migrate-warehouse.ts';
import { createTestType, frameOf } from './test-rows.ts';
import { createTypedView } from './views/typed-view.ts';
import { createWarehouse } from './warehouse.ts';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
afterAll(() => warehouse.close());

test('any number of processes can migrate concurrently and repeatedly', async () => {
  await Promise.all([warehouse.migrate(), warehouse.migrate(), warehouse.migrate()]);
  await warehouse.migrate();
  const done = await warehouse.query(`SELECT DISTINCT id, name FROM ${database}.migrations ORDER BY id`);
  expect(done).toEqual(migrations.map(({ id, name }) => ({ id, name })));
});

test('the statements for a cluster are valid SQL in ClickHouse', async () => {
  const place = { database: 'tickrate', cluster: "it's" };
  const view = { projectId: 'p-1', typeName: 'a.b', description: "it's", versions: [] };
  const account = { projectId: "p'", accountId: "u'", receivedUntilMs: 1 };
  const statements = [
    ...createHistory(place),
    ...createEventsTable(place),
    ...createTypedView(place, view, null),
    alterEvents(place, `DELETE IN PARTITION ID '202611' WHERE ${isOfAccount(account)}`),
  ];
  for (const statement of statements) {
    const [parsed] = await warehouse.query<{ sql: string }>('SELECT formatQuery({sql:String}) AS sql', {
      parameters: { sql: statement },
    });
    expect(parsed?.sql).toContain("ON CLUSTER `it's`");
  }
});

test('the server keeps the tokens of the last ten thousand inserts', async () => {
  await warehouse.migrate();
  const [table] = await warehouse.query<{ sql: string }>(
    'SELECT create_table_query AS sql FROM system.tables WHERE database = {db:String} AND name = {table:String}',
    { parameters: { db: database, table: 'events' } },
  );
  expect(table?.sql).toContain('non_replicated_deduplication_window = 10000');
});

test('the server shows its memory, which settings the user may not change, and the bytes of a day', async () => {
  await warehouse.migrate();
  expect(await warehouse.serverFacts()).toEqual({
    memoryLimitBytes: expect.any(Number),
    memoryBytes: expect.any(Number),
    fixedSettings: [],
  });
  const before = await warehouse.bytesOfDay();
  const type = createTestType('of-a-day', 1, { a: { type: 'integer' } });
  const sent = Array.from({ length: 100 }, (_, a) => ({ event: { a } }));
  const rows = type.encode(sent, { projectId: 'p-day', chunkId: randomUUID(), receivedMs: Date.now() });
  await warehouse.insertRows({ body: [frameOf(rows)], token: randomUUID() });
  const day = await warehouse.bytesOfDay();
  expect(day).toBeGreaterThan(before);
  const old = type.encode(sent, {
    projectId: 'p-day',
    chunkId: randomUUID(),
    receivedMs: Date.now() - 25 * 3_600_000,
  });
  await warehouse.insertRows({ body: [frameOf(old)], token: randomUUID() });
  const { bytes } = await warehouse.status();
  expect(await warehouse.bytesOfDay()).toBeLessThan(bytes);
});

test('a missing chunk is left out of the counts', async () => {
  await warehouse.migrate();
  const type = createTestType('counted', 1, { a: { type: 'integer' } });
  const [here, away] = [randomUUID(), randomUUID()];
  const rows = type.encode([{ event: { a: 1 } }, { event: {} }], { chunkId: here, projectId: 'p-counted' });
  await warehouse.insertRows({ body: [frameOf(rows)], token: here });
  expect(await warehouse.countByChunk([away, here])).toEqual(new Map([[here, 2]]));
  expect(await warehouse.countByChunk([])).toEqual(new Map());
  const many = [here, ...Array.from({ length: 4_500 }, () => randomUUID())];
  expect(await warehouse.countByChunk(many)).toEqual(new Map([[here, 2]]));
});

test('an invalid chunk id never reaches the server', async () => {
  await expect(warehouse.countByChunk(["') OR 1 = 1 --"])).rejects.toThrow(RangeError);
});

test('64-bit integers are read as exact text, and parameters are never SQL', async () => {
  const hostile = "'; DROP TABLE x -- \\ é\n";
  const rows = await warehouse.query(
    'SELECT {text:String} AS text, toInt64(-9223372036854775808) AS low, toUInt64(18446744073709551615) AS high',
    { parameters: { text: hostile } },
  );
  expect(rows).toEqual([{ text: hostile, low: '-9223372036854775808', high: '18446744073709551615' }]);
});

test('an answer with too many rows is a fault and is not truncated', async () => {
  const query = warehouse.query('SELECT number FROM numbers(100)', { mostRows: 10 });
  await expect(query).rejects.toMatchObject({ name: 'WarehouseFault', transient: false });
});

test('a fault has its code and whether a retry can help', async () => {
  const query = warehouse.query('SELECT 1 FROM nowhere.at_all');
  await expect(query).rejects.toMatchObject({ name: 'WarehouseFault', code: '81', transient: false });
});

test('reports the free space of the disk with the events', async () => {
  const { freeBytes, totalBytes } = await warehouse.diskLevel();
  expect(freeBytes).toBeGreaterThan(0);
  expect(totalBytes).toBeGreaterThanOrEqual(freeBytes);
});

test('a server that is away is reported as unavailable', async () => {
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const other = createWarehouse({ clickhouseUrl: proxy.url, database, pingTimeoutMs: 200 });
  onTestFinished(() => other.close());
  // A busy machine can need longer for a ping than the short timeout of this test.
  await expect.poll(() => other.ping()).toEqual({ ok: true, version: expect.stringMatching(/^\d+\.\d+/) });
  proxy.freeze();
  expect(await other.ping()).toMatchObject({ ok: false, code: 'TIMEOUT' });
  proxy.refuse();
  // The connection is reset before the request is written, or after it.
  const code = expect.stringMatching(/^(?:ECONNRESET|EPIPE)$/);
  await expect.poll(() => other.ping()).toMatchObject({ ok: false, code });
  await expect(other.query('SELECT 1')).rejects.toMatchObject({ name: 'WarehouseFault', transient: true });
});

test('the status reports the usage of table and disk', async () => {
  await warehouse.migrate();
  const type = createTestType('status', 1, { a: { type: 'integer' } });
  const chunkId = randomUUID();
  const rows = type.encode([{ event: { a: 1 } }], { chunkId, projectId: 'p-status' });
  await warehouse.insertRows({ body: [frameOf(rows)], token: chunkId });
  const status = await warehouse.status();
  expect(status.rows).toBeGreaterThan(0);
  expect(status.bytes).toBeGreaterThan(0);
  expect(status.parts).toBeGreaterThanOrEqual(status.partsOfFullestPartition);
  expect(status.partsOfFullestPartition).toBeGreaterThan(0);
  expect(status.diskFreeBytes).toBeGreaterThan(0);
  expect(status.diskTotalBytes).toBeGreaterThan(status.diskFreeBytes);
});
