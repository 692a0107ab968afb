import { randomUUID } from 'node:crypto';
import { startClickHouseServer, startQueryEngine, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { connectClickHouse } from '../../clickhouse.ts';
import { createTestProject, runOn } from '../../test-project.ts';
import { createTestType } from '../../test-rows.ts';
import { createWarehouse } from '../../warehouse.ts';
import { createMirrorTables } from './mirror-tables.ts';

const storing = await startClickHouseServer();
const engine = await startQueryEngine({ queryLimitMs: 2_000, readsFrom: storing.dataDir });
const database = 'tickrate';
const newProject = () => createTestProject({ url: storing.url, database, newId: randomUUID });
const { drop, warehouse: first } = newProject();
const warehouse = createWarehouse({
  clickhouseUrl: storing.url,
  queryUrl: engine.url,
  database,
  queryLimits: { mostSeconds: 1 },
});
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' } });
const wider = createTestType('level_up', 2, { level: { type: 'integer' }, score: { type: 'number' } });

beforeAll(() => first.migrate());
afterAll(async () => {
  await warehouse.close();
  await drop();
  await engine.stop();
  await storing.stop();
});

const levels = 'SELECT level FROM level_up ORDER BY level';

/** A project with two events that queries see, and what its queries answer. */
async function storeLevels() {
  const project = newProject();
  onTestFinished(project.drop);
  await project.store(levelUp, { level: 1 }, { level: 2 });
  await project.applyView(levelUp);
  const ask = async (sql: string) => {
    const result = await warehouse.runQuery({ projectId: project.projectId, sql, format: 'CSV' });
    if (result.kind !== 'rows') return JSON.stringify(result);
    return (await Array.fromAsync(result.stream)).join('');
  };
  await waitUntil(async () => (await ask(levels)) === '"level"\n1\n2\n', { what: 'the events' });
  return { ...project, ask };
}

// Invariant (Queries): A project is prepared for queries when the console starts or a page of it opens,
// not by its first query
// Invariant (Queries): Queries see events within two seconds of storage, and write to none of the files
test('queries see stored events within two seconds, and the current views', async () => {
  const { ask, store, applyView } = await storeLevels();
  await store(wider, { level: 3, score: 7 });
  await applyView(levelUp, wider);
  await waitUntil(async () => (await ask(levels)) === '"level"\n1\n2\n3\n', { what: 'the new event' });
  expect(await ask('SELECT score FROM level_up WHERE level = 3')).toBe('"score"\n7\n');
  expect(await ask('SELECT count() AS n FROM events')).toBe('"n"\n3\n');
});

test('a project is prepared before its first query: the engine has its views', async () => {
  const other = newProject();
  await other.applyView(levelUp);
  await warehouse.prepareQueries(other.projectId);
  const server = connectClickHouse({ url: engine.url, maxConnections: 1 });
  const sql = `SELECT name FROM system.tables WHERE database = '${other.viewDatabase}' ORDER BY name`;
  const views = await server.rows<{ name: string }>(sql, { timeoutMs: 10_000 });
  await server.close();
  await other.drop();
  expect(views.map(({ name }) => name)).toEqual(expect.arrayContaining(['events', 'level_up']));
});

test('without queries the engine does not follow the stored events, and the next query sees them all', async () => {
  const { store, viewDatabase } = await storeLevels();
  const [source, target] = [storing, engine].map(({ url }) => connectClickHouse({ url, maxConnections: 1 }));
  onTestFinished(async () => void (await Promise.all([source?.close(), target?.close()])));
  if (source === undefined || target === undefined) throw new Error('no connection');
  const place = { database, cluster: null };
  const mirrorTables = createMirrorTables({ source, target, place, timeoutMs: 10_000, idleMs: 1 });
  const tables = `SELECT name FROM system.tables WHERE database = '${database}' AND name = 'events'`;
  await mirrorTables(viewDatabase);
  await waitUntil(async () => (await target.rows(tables, { timeoutMs: 10_000 })).length === 0, {
    what: 'the rest',
  });
  await store(levelUp, { level: 5 });
  await mirrorTables(viewDatabase);
  const count = await target.rows(`SELECT count() AS n FROM ${viewDatabase}.level_up`, { timeoutMs: 10_000 });
  expect(count).toEqual([{ n: '3' }]);
});

// Invariant (Queries): A query that starts after a finished erasure sees none of the erased events
test('merges of the first server are visible, its old parts stay readable, and no later query sees what it removed', async () => {
  const { ask } = await storeLevels();
  const before = await ask('SELECT count() AS n FROM level_up');
  await runOn(storing.url, `OPTIMIZE TABLE ${database}.events FINAL`);
  expect(await ask('SELECT count() AS n FROM level_up')).toBe(before);
  await runOn(
    storing.url,
    `ALTER TABLE ${database}.events DELETE WHERE data.level = 1 SETTINGS mutations_sync = 1`,
  );
  expect(await ask(levels)).toBe('"level"\n2\n');
});

test('the server for queries never writes to the files that it reads', async () => {
  const { ask } = await storeLevels();
  await ask(levels);
  const insert = `INSERT INTO ${database}.events (project) VALUES ('x')`;
  await expect(runOn(engine.url, insert)).rejects.toThrow(/readonly/);
  await expect(runOn(engine.url, `OPTIMIZE TABLE ${database}.events FINAL`)).rejects.toThrow();
  await expect(runOn(engine.url, `TRUNCATE TABLE ${database}.events`)).rejects.toThrow();
});
