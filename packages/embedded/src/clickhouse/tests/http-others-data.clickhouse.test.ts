import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { codeOf, httpHarness } from './http-harness.ts';

const { http, select, folder, running } = httpHarness();
const OTHERS_ROW = 'a-row-of-another-request';
/** It uses no processor. */
const SLOW = 'SELECT sleepEachRow(0.1) FROM numbers(1e6) SETTINGS max_block_size = 1';

beforeAll(() => {
  mkdirSync(join(folder.path, 'user_files'), { recursive: true });
  writeFileSync(join(folder.path, 'user_files', 'a.csv'), `1,${OTHERS_ROW}\n`);
});

// Invariant (Tools): No statement on the embedded ClickHouse reads temporary data or error texts of
// another request
test('KILL QUERY … SYNC of a query in a session answers when the query has ended', async () => {
  const search = { session_id: 'busy', query_id: 'in-session' };
  const ended = http({ search, body: SLOW });
  const found = "SELECT count() FROM system.processes WHERE query_id = 'in-session'";
  await expect.poll(() => select(found), { timeout: 20_000 }).toBe('1\n');
  expect(await select("KILL QUERY WHERE query_id = 'in-session' SYNC")).toContain('finished\tin-session');
  expect(codeOf(await ended)).toBe('394');
});

test('no table of system shows temporary tables of other requests', async () => {
  const search = { session_id: 'with a table' };
  const made = await http({
    search,
    body: `CREATE TEMPORARY TABLE secret_table (secret_column String, INDEX secret_index secret_column TYPE minmax)
      ENGINE = MergeTree PARTITION BY secret_column ORDER BY secret_column AS SELECT '${OTHERS_ROW}'`,
  });
  expect(made.status).toBe(200);
  await http({ search, body: `ALTER TABLE secret_table DELETE WHERE secret_column = '${OTHERS_ROW}-2'` });
  const telltale = "name IN ('database', 'table', 'partition', 'part_name', 'query', 'command', 'job')";
  const tables = await select(
    `SELECT DISTINCT table FROM system.columns WHERE database = 'system' AND ${telltale}`,
  );
  const revealing: string[] = [];
  for (const table of tables.trim().split('\n')) {
    const { text } = await http({ body: `SELECT * FROM system.${table} FORMAT JSONEachRow` });
    if (/secret_(?:table|column|index)|a-row-of-another|_temporary_and/.test(text)) revealing.push(table);
  }
  expect(revealing).toEqual([]);
});

test.each(['', ' SYNC', ' TEST'])('KILL QUERY%s accepts a subquery on system.processes', async (mode) => {
  await running('slow', { body: SLOW });
  const where = "query_id IN (SELECT query_id FROM system.processes WHERE query_id LIKE 'slo%')";
  expect(await select(`KILL QUERY WHERE ${where}${mode} FORMAT JSONEachRow`)).toContain('"query_id":"slow"');
});

test.each([
  [
    'KILL QUERY WHERE',
    '62',
    /^Code: 62. DB::Exception: Syntax error: failed at position 17 \(end of query\)/,
  ],
  ['KILL QUERY WHERE (SELECT 1', '62', /^Code: 62. DB::Exception: Syntax error: failed at position 18 /],
  ['KILL QUERY WHERE nope = 1', '47', /^Code: 47. DB::Exception: [^:]*`nope`\. \(UNKNOWN_IDENTIFIER/],
  ['KILL QUERY WHERE toUInt8(query) = 1 TEST', '6', /^Code: 6\. /],
  ['KILL QUERY WHERE 1 FORMAT Nope', '73', /Unknown format Nope/],
])('the error of %s is about the text of the client', async (body, number, text) => {
  await running('slow', { body: SLOW });
  const reply = await http({ body });
  expect(codeOf(reply)).toBe(number);
  expect(reply.text).toMatch(text);
  expect(reply.text).not.toMatch(/SELECT query_id|SELECT DISTINCT|processes/);
});

const NAMES = [
  "merge('_temporary_and_external_tables', '.*')",
  "`merge`(concat('_temporary_and', '_external_tables'), '.*')",
  "merge(REGEXP('temporary'), '.*')",
  'merge("_temporary_and_external_tables", \'.*\')',
  "merge('\\x5ftemporary_and_external_tables', '.*')",
  "remote('127.0.0.1', merge('_temporary_and_external_tables', '.*'))",
  '_temporary_and_external_tables.t',
];

const ATTEMPTS = [
  ...NAMES.map((name) => `SELECT * FROM ${name}`),
  ...NAMES.slice(0, 3).map((name) => `DESCRIBE ${name}`),
  "WITH concat('_temporary_and', '_external_tables') AS d SELECT * FROM merge(d, '.*')",
  "WITH concat('_temporary_and', '_external_tables') AS currentDatabase SELECT * FROM merge(currentDatabase, '.*')",
  "SELECT * FROM merge({d:String}, '.*')",
  'USE _temporary_and_external_tables',
  'USE {d:Identifier}',
  'CREATE TABLE {d:Identifier}.x (a UInt8) ENGINE = Memory; SELECT * FROM merge(".*")',
  "CREATE TABLE m1 (b String) ENGINE = Merge('_temporary_and_external_tables', '.*')",
  "CREATE TABLE m2 (b String) ENGINE=Merge(REGEXP('_t.*'), '.*')",
  "CREATE TABLE m3 (b String) ENGINE = `Merge`(concat('_temporary_and', '_external_tables'), '.*')",
  "CREATE TABLE m4 (b String) ENGINE = Merge('\\x5ftemporary_and_external_tables', '.*')",
  "CREATE TABLE m5 (b String) ENGINE = Buffer('_temporary_and_external_tables', 'x', 1, 1, 1, 1, 1, 1, 1)",
  "CREATE DATABASE m6 ENGINE = Overlay('_temporary_and_external_tables', 'default')",
  "ATTACH TABLE m7 UUID '00000000-0000-4000-8000-000000000007' (b String) ENGINE = Merge('_temporary_and_external_tables', '.*')",
  "SELECT * FROM loop('_temporary_and_external_tables', 'x')",
  "SELECT * FROM numbers(1) SETTINGS additional_result_filter = '1'",
  "SELECT * FROM numbers(1) SETTINGS additional_table_filters = {'system.one': '1'}",
  "SET allow_experimental_kusto_dialect = 1, dialect = 'kusto'",
];

test('no statement shows a temporary table of another request', async () => {
  const others =
    "numbers(1e6) n CROSS JOIN file('a.csv', CSV, 'a UInt8, b String') f SETTINGS max_block_size = 1";
  await running('reader', { body: `SELECT b, sleepEachRow(0.1) FROM ${others}` });
  const search = { session_id: 'reads', param_d: '_temporary_and_external_tables' };
  for (const body of ATTEMPTS) {
    const reply = await http({ search, body });
    expect([body, codeOf(reply)]).toEqual([body, expect.stringMatching(/^(?:48|62|452)$/)]);
    expect(reply.text).not.toContain(OTHERS_ROW);
  }
});

test('merge() reads the tables of a database in quotes, and of the current one', async () => {
  await select('CREATE DATABASE merged');
  await select('CREATE TABLE merged.one ENGINE = Memory AS SELECT 1 AS a');
  expect(await select("SELECT a FROM merge('merged', '.*')")).toBe('1\n');
  const search = { database: 'merged' };
  expect((await http({ search, body: "SELECT a FROM merge('.*')" })).text).toBe('1\n');
  expect((await http({ search, body: "SELECT a FROM merge(currentDatabase(), 'one')" })).text).toBe('1\n');
  const temporary = { database: '_temporary_and_external_tables' };
  expect(codeOf(await http({ search: temporary, body: "SELECT * FROM merge('.*')" }))).toBe('48');
});

test.each([
  ['EXPLAIN AST', 'Function file'],
  ['EXPLAIN SYNTAX', "FROM file('a.csv')"],
])('%s shows a call of file() as the client wrote it', async (explain, shown) => {
  const search = { default_format: 'TSVRaw' };
  expect((await http({ search, body: `${explain} SELECT * FROM file('a.csv')` })).text).toContain(shown);
});

const RULES = /chdb_client_name|SHA256|_tmp_|[0-9A-F]{64}/;

test.each(['', 'actions = 1', 'PLAN actions = 1, json = 1', 'PIPELINE', 'QUERY TREE', 'ESTIMATE'])(
  'EXPLAIN %s shows no table and no rule of this server',
  async (options) => {
    const explain = `EXPLAIN ${options} SELECT`;
    expect(codeOf(await http({ body: `${explain} * FROM file('a.csv')` }))).toBe('497');
    for (const source of ['system.processes', "merge('system', '^processes$')"]) {
      const { text } = await http({ body: `${explain} query FROM ${source}` });
      expect(text).not.toMatch(RULES);
      const inner = await http({ body: `SELECT * FROM (${explain} query FROM ${source})` });
      expect(inner.text).not.toMatch(RULES);
    }
  },
);

test('a plan inside another statement is rejected, and a query tree is not', async () => {
  for (const plan of [
    '(EXPLAIN SELECT 1)',
    '(EXPLAIN actions = 1 SELECT 1)',
    "viewExplain('EXPLAIN', '', (SELECT 1))",
  ])
    expect(codeOf(await http({ body: `SELECT * FROM ${plan}` }))).toBe('48');
  const tree = 'SELECT count() > 0 FROM (EXPLAIN QUERY TREE run_passes = 0 SELECT 1)';
  expect(await select(tree)).toBe('1\n');
});

test('a statement that names a table of other clients is rejected, and the table is empty in the database system', async () => {
  expect(codeOf(await http({ body: 'SELECT * FROM nope' }))).toBe('60');
  for (const table of ['errors', 'stack_trace', 'schema_inference_cache', 'query_cache']) {
    for (const body of [`SELECT * FROM system.${table}`, `CREATE VIEW v AS SELECT 1 FROM "system".${table}`])
      expect(codeOf(await http({ body }))).toBe('48');
    const there = await http({ search: { database: 'system' }, body: `SELECT count() FROM ${table}` });
    expect(there.text).toBe('0\n');
  }
});

test.each([
  'queryID',
  'query_id',
  'currentQueryID',
  'current_query_id',
  'initialQueryID',
  'initial_query_id',
])('%s() is the id of the client, also in a session', async (name) => {
  for (const search of [{ query_id: 'mine' }, { query_id: 'mine', session_id: 's' }]) {
    const reply = await http({ search, body: `SELECT ${name}() FORMAT TSVWithNames` });
    expect(reply.text).toBe(`${name}()\nmine\n`);
  }
  expect(codeOf(await http({ body: `CREATE OR REPLACE FUNCTION ${name} AS () -> 1` }))).toBe('609');
});

test('no setting and no function shows a file of this server', async () => {
  expect(codeOf(await http({ body: "SELECT getServerSetting('path')" }))).toBe('395');
  expect(await select("SELECT name FROM system.settings WHERE name = 'chdb_client_name'")).toBe('');
  expect(await select("SELECT name FROM system.server_settings WHERE value LIKE '/%'")).toBe('');
  expect(await select("SELECT count() FROM system.row_policies WHERE database = 'system'")).toBe('0\n');
  const own = { search: { max_threads: '1' }, body: 'SELECT Settings FROM system.processes' };
  expect((await http(own)).text).toBe("{'max_threads':'1'}\n");
});
