import { expect, test } from 'vitest';
import { scratchFolder } from '../../scratch-folder.ts';
import { openEngine } from '../engine/engine.ts';
import { dropRefusedTables } from '../serve.ts';
import { DATABASE_ENGINES, REFUSED_TABLE_FUNCTIONS, TABLE_ENGINES, TABLE_FUNCTIONS } from '../sql/sources.ts';
import { codeOf, httpHarness } from './http-harness.ts';

const { http, select } = httpHarness();

async function namesOf(table: string): Promise<string[]> {
  return (await select(`SELECT name FROM system.${table}`)).trim().split('\n');
}

async function codes(statements: readonly string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const body of statements) found.push([body, codeOf(await http({ body }))]);
  return found;
}

const refused = (statements: readonly string[]): unknown[] => statements.map((body) => [body, '48']);

// Invariant (Tools): No table that a client creates keeps the embedded ClickHouse from its next start
// Invariant (Tools): The embedded ClickHouse serves listed engines and table functions only; a new one of
// the engine fails a test
test('the server rejects every engine of tables that is not in its list', async () => {
  const others = (await namesOf('table_engines')).filter((name) => !TABLE_ENGINES.includes(name));
  const statements = others.map((name) => `CREATE TABLE x (a UInt8) ENGINE = ${name}('a', 'b')`);
  expect(statements.length).toBeGreaterThan(30);
  expect(await codes(statements)).toEqual(refused(statements));
});

test('the server rejects every engine of databases that is not in its list', async () => {
  const known = [...(await namesOf('database_engines')), 'Overlay', 'Lazy', 'Shared'];
  const statements = known
    .filter((name) => !DATABASE_ENGINES.includes(name))
    .map((name) => `CREATE DATABASE x ENGINE = ${name}('system', 'b')`);
  expect(await codes(statements)).toEqual(refused(statements));
});

test('every table function of the engine is either allowed or rejected', async () => {
  const known = await namesOf('table_functions');
  expect([...TABLE_FUNCTIONS, ...REFUSED_TABLE_FUNCTIONS]).toEqual(expect.arrayContaining(known));
  const statements = known
    .filter((name) => !TABLE_FUNCTIONS.includes(name))
    .flatMap((name) => [`SELECT * FROM ${name}('a', 'b')`, `INSERT INTO FUNCTION ${name}('a') SELECT 1`]);
  expect(await codes(statements)).toEqual(refused(statements));
});

const HIDDEN = [
  "CREATE TABLE x ENGINE=Alias('system','processes')",
  "CREATE TABLE x ENGINE Alias('system','processes')",
  "CREATE TABLE x ENGINE = `Ali\\Nas`('system','processes')",
  'CREATE TABLE x (a UInt8) /**/ eNgInE /**/ = /**/ "al\\x69as"(system, processes)',
  "CREATE TEMPORARY TABLE x ENGINE=Alias('system','processes')",
  "CREATE OR REPLACE TABLE x ENGINE=Alias('system','processes')",
  "REPLACE TABLE x ENGINE=Alias('system','processes')",
  "ATTACH TABLE x UUID '00000000-0000-4000-8000-000000000007' ENGINE=Alias('system','processes')",
  "CREATE MATERIALIZED VIEW x ENGINE=Alias('system','processes') AS SELECT 1 AS a",
  'CREATE TABLE x (a UInt8) ENGINE = {e:Identifier}',
  "CREATE TABLE x AS loop('system', 'processes')",
  "SELECT * FROM `ur\\Nl`('http://127.0.0.1:9/', CSV, 'a String')",
  "SELECT * FROM eval('SELECT 1') SETTINGS allow_experimental_eval_table_function = 1",
  "SELECT * FROM view(SELECT * FROM remote('127.0.0.1', system.one))",
];

test('no way of writing an engine or a table function passes the list', async () => {
  expect(await codes(HIDDEN)).toEqual(refused(HIDDEN));
});

test('the engines and names that clients need still work', async () => {
  const tables = TABLE_ENGINES.filter((name) => name !== 'GraphiteMergeTree').map((name, i) => {
    const rest = name.endsWith('MergeTree') ? 'ORDER BY a' : '';
    const ofName = new Map([
      ['Join', '(ANY, LEFT, a)'],
      ['CollapsingMergeTree', '(s)'],
      ['VersionedCollapsingMergeTree', '(s, v)'],
    ]);
    return `CREATE TABLE t${i} (a UInt8, s Int8, v UInt8) ENGINE = ${name}${ofName.get(name) ?? ''} ${rest}`;
  });
  const statements = [
    ...tables,
    'CREATE DATABASE kept ENGINE = Atomic',
    'CREATE DATABASE held ENGINE = Memory',
    'CREATE TABLE url (engine String, a UInt8) ENGINE = Memory',
    "INSERT INTO url (engine, a) SELECT 'x', 1",
    'CREATE TABLE IF NOT EXISTS remote (a UInt8) ENGINE = Memory AS SELECT number FROM numbers(3)',
    'CREATE VIEW engines AS SELECT engine FROM system.tables',
    "CREATE VIEW chosen AS SELECT engine AS e FROM system.tables WHERE engine = 'MergeTree' AND engine IN ('Log')",
    'CREATE MATERIALIZED VIEW mv ENGINE = MergeTree ORDER BY a AS SELECT a FROM t0',
    'CREATE TABLE copied AS t0',
    "SELECT * FROM values('a UInt8', 1) AS a, zeros(2) AS b",
    'SELECT count() FROM generateSeries(1, 2)',
  ];
  expect(await codes(statements)).toEqual(statements.map((body) => [body, undefined]));
});

test('a table from an earlier start with such an engine is dropped for good, and no other one', async () => {
  const folder = scratchFolder();
  const engine = await openEngine({ folder: folder.path, memoryLimitBytes: 1024 ** 3 });
  const connection = engine.connect();
  for (const sql of [
    'CREATE DATABASE old',
    "CREATE TABLE old.`a '` ENGINE = Alias('system', 'processes')",
    "CREATE TABLE old.merged (a UInt8) ENGINE = Merge('system', '.*')",
    'CREATE TABLE old.kept (a UInt8) ENGINE = MergeTree ORDER BY a',
    'CREATE VIEW old.seen AS SELECT a FROM old.kept',
    'CREATE MATERIALIZED VIEW old.filled ENGINE = Log AS SELECT a FROM old.kept',
  ])
    await connection.query(sql, 'Null');
  const lines: string[] = [];
  await dropRefusedTables(connection, (line) => lines.push(line));
  const left =
    "SELECT name FROM system.tables WHERE database = 'old' AND name NOT LIKE '.inner%' ORDER BY name";
  expect(Buffer.from((await connection.query(left, 'CSV')).bytes).toString()).toBe(
    '"filled"\n"kept"\n"seen"\n',
  );
  expect(lines.join()).toContain('engine Alias');
  await expect(connection.query('UNDROP TABLE old.merged', 'Null')).rejects.toThrow();
  await connection.close();
  engine.close();
  folder.remove();
});

test.each([
  'CREATE TABLE x (a Int8, CONSTRAINT c CHECK (SELECT 1)) ENGINE = Memory',
  'CREATE TABLE x (a Int8, CONSTRAINT c ASSUME (a = (SELECT 1))) ENGINE = Memory',
  'CREATE TABLE x (a Int8, CONSTRAINT c CHECK a IN (WITH 1 AS b SELECT b)) ENGINE = Memory',
  'CREATE TABLE x (a Int8, CONSTRAINT c CHECK (FROM numbers(1) SELECT 1)) ENGINE = Memory',
  'ALTER TABLE system.one ADD CONSTRAINT c CHECK ( /* */ SELECT 1)',
  'CREATE TABLE x (a Int8, d Date) ENGINE = MergeTree ORDER BY a TTL d DELETE WHERE a IN (SELECT 1)',
  'ALTER TABLE system.one MODIFY TTL d + INTERVAL (SELECT 1) DAY',
  'CREATE TABLE x (a Int8, d Date TTL d + INTERVAL (SELECT 1) DAY) ENGINE = MergeTree ORDER BY a',
])('%s is refused: no server could load the table again', async (body) => {
  expect(codeOf(await http({ body }))).toBe('48');
});

test('a table with a constraint can be filled from a subquery', async () => {
  const body =
    'CREATE TEMPORARY TABLE x (a UInt8, CONSTRAINT c CHECK a < 9) ENGINE = Memory AS SELECT a FROM (SELECT 1 AS a)';
  expect((await http({ body, search: { session_id: 'filled' } })).status).toBe(200);
});

test.each([
  'SET ROLE tickrate_masked',
  'SET /**/ role NONE',
  'SET DEFAULT ROLE ALL TO default',
  'ALTER TABLE system.one FREEZE',
  "ALTER TABLE system.one FREEZE PARTITION tuple() WITH NAME 'x'",
  "ALTER TABLE system.one DELETE WHERE 1, FREEZE WITH NAME 'x'",
])('%s is refused', async (body) => {
  expect(codeOf(await http({ body }))).toBe('48');
});

test('a column can be called freeze', async () => {
  const search = { session_id: 'freeze' };
  for (const body of [
    'CREATE TEMPORARY TABLE cold (a UInt8) ENGINE = MergeTree ORDER BY a',
    'ALTER TABLE cold ADD COLUMN freeze UInt8',
    'ALTER TABLE cold DROP COLUMN freeze',
  ])
    expect((await http({ search, body })).status).toBe(200);
});
