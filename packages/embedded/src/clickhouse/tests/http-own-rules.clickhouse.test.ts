import { expect, test } from 'vitest';
import { codeOf, httpHarness } from './http-harness.ts';

const { http, select } = httpHarness();
/** The bodies of the functions that this server replaces. */
const OUR_FUNCTIONS = /throwIf|getSetting|chdb_client_name|\w+ ->|\(\) ->/;

// Invariant (Tools): Errors, `EXPLAIN`, `SHOW` and system tables of the embedded ClickHouse show no rule
// or expression that the server adds, except the row policy of events; no statement waits for a program
// that the engine starts
test.each([
  "SELECT file('/etc/passwd')",
  'SELECT file()',
  "SELECT file('a', 'b')",
  "SELECT arrayMap(x -> file(x, 1), ['a'])",
  'SELECT getServerSetting()',
  "SELECT getServerSetting('path', 1) FROM numbers(1)",
  'SELECT queryID(1)',
  'SELECT initial_query_id(1, 2) FROM (SELECT 1)',
  "INSERT INTO FUNCTION null('x String') SELECT file()",
])('the error of %s shows no expression of this server', async (body) => {
  const reply = await http({ body });
  expect(codeOf(reply)).toMatch(/^(?:36|291|395)$/);
  expect(reply.text.replace(body, '').replace('arrayMap(x -> ', '')).not.toMatch(OUR_FUNCTIONS);
});

test.each([
  ['SELECT query_idd()', "Maybe you meant: ['query_id']"],
  ['SELECT fil(1)', "Maybe you meant: ['file']"],
])('the error of %s names each function once', async (body, hint) => {
  expect((await http({ body })).text).toContain(hint);
});

test.each([
  ['SELECT nope FROM system.processes', {}, /in scope SELECT nope FROM system\.processes[. ]/],
  ['SELECT nope FROM processes', { database: 'system' }, /in scope SELECT nope FROM processes[. ]/],
  [
    'SELECT p.nope FROM system.processes AS p INNER JOIN system . "processes" AS q USING (query_id)',
    {},
    /In scope SELECT p\.nope FROM system\.processes AS p INNER JOIN system\.processes AS q USING/i,
  ],
  ['SELECT 1 x y FROM system.processes', {}, /position 12 \(y\): y FROM system\.processes\. Expected/],
  ['SELECT 1 FROM system.processes x y', {}, /position 34 \(y\): y\. Expected/],
])('the error of %s names the table as its author did', async (body, search, shown) => {
  expect((await http({ search, body })).text).toMatch(shown);
});

test.each(['users', 'functions', 'settings', 'server_settings', 'grants', 'row_policies', 'processes'])(
  'no EXPLAIN shows the rule that hides rows of system.%s',
  async (table) => {
    for (const options of ['', 'PLAN', 'actions = 1', 'header = 1, pretty = 0', 'json = 1, actions = 1'])
      for (const source of [`system.${table}`, `merge('system', '^${table}$')`]) {
        const { text } = await http({ body: `EXPLAIN ${options} SELECT * FROM ${source}` });
        expect(text).not.toMatch(/Row-level|SQLUserDefined\\|NOT IN|startsWith|chdb_client_name/);
        expect(text).toMatch(/^Code: 48\. /);
      }
  },
);

test('EXPLAIN of other tables, and EXPLAIN that shows no rule, answers', async () => {
  await select('CREATE TABLE rows ENGINE = MergeTree ORDER BY a AS SELECT 1 AS a');
  expect(await select('EXPLAIN actions = 1 SELECT a FROM rows WHERE a = 1')).toContain('ReadFromMergeTree');
  expect(await select('EXPLAIN PIPELINE SELECT * FROM system.functions')).toContain('SystemOneBlock');
  expect(await select('EXPLAIN SYNTAX SELECT name FROM system.functions')).toContain('system.functions');
});

test('an EXPLAIN QUERY TREE inside another statement shows names only', async () => {
  const shown = (options: string): string =>
    `SELECT explain FROM (EXPLAIN QUERY TREE ${options} SELECT queryID())`;
  expect(codeOf(await http({ body: shown('') }))).toBe('48');
  expect(codeOf(await http({ body: shown('run_passes = 0, run_passes = 1') }))).toBe('48');
  expect(await select(shown('run_passes = 0'))).toContain('function_name: queryID');
});

test('system tables show the own user only', async () => {
  expect(await select('SELECT name FROM system.users')).toBe('default\n');
  expect(await select('SHOW USERS')).toBe('default\n');
  expect(await select("SELECT count() FROM system.users WHERE name != 'default'")).toBe('0\n');
  const names = [
    'grants',
    'role_grants',
    'settings_profile_elements',
    'settings_profiles',
    'quotas',
    'roles',
  ];
  for (const name of names) {
    const shown = await select(`SELECT * FROM system.${name}`);
    expect(shown).not.toContain('tickrate_rows');
    expect(shown).toContain('\n');
  }
});

test.each([
  'SHOW ACCESS',
  'SHOW CREATE USERS',
  'SHOW CREATE USER tickrate_rows',
  'show create /* */ row policy default ON system.processes',
  'SHOW CREATE POLICIES',
  'SHOW CREATE ROLE tickrate_reader',
  'SHOW CREATE SETTINGS PROFILE default',
  'SHOW CREATE QUOTA default',
  'SHOW GRANTS FOR tickrate_rows',
  'SHOW GRANTS FOR tickrate_everything',
])('%s is rejected', async (body) => {
  const reply = await http({ body });
  expect(codeOf(reply)).toBe('48');
  expect(reply.text).not.toMatch(/GRANT |SHA256|USING/);
});

test('SHOW of tables and of own grants answers', async () => {
  await select('CREATE TABLE shown (a UInt8) ENGINE = Memory');
  await select('CREATE VIEW shown_view AS SELECT a FROM shown');
  expect(await select('SHOW CREATE TABLE shown')).toContain('CREATE TABLE');
  expect(await select('SHOW CREATE shown')).toContain('CREATE TABLE');
  expect(await select('SHOW CREATE VIEW shown_view')).toContain('CREATE VIEW');
  expect(await select('SHOW CREATE DATABASE default')).toContain('CREATE DATABASE');
  expect(await select('SHOW TABLES')).toContain('shown\n');
  expect(codeOf(await http({ body: 'SHOW GRANTS' }))).toBeUndefined();
});

/** The engine would start a program for them, and wait half a minute for it. */
test.each([
  'SELECT * FROM system.models',
  "SELECT catboostEvaluate('/x', 1)",
  "SELECT * FROM odbc('DSN=x', 'd', 't')",
  "DESCRIBE jdbc('jdbc:x', 'd', 't')",
  "INSERT INTO FUNCTION odbc('DSN=x', 'd', 't') SELECT 1",
  "CREATE TABLE bridged (a UInt8) ENGINE = ODBC('DSN=x', 'd', 't')",
  "CREATE TABLE bridged ENGINE = `JDBC`('jdbc:x', 'd', 't')",
])('%s is rejected before the engine starts a program', async (body) => {
  expect(codeOf(await http({ body }))).toMatch(/^(?:48|497)$/);
});
