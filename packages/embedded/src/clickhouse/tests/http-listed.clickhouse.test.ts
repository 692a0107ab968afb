import { expect, test } from 'vitest';
import { codeOf, httpHarness } from './http-harness.ts';

const { http } = httpHarness();

const codes = async (statements: readonly string[], search = {}): Promise<unknown[]> => {
  const found: unknown[] = [];
  for (const body of statements) found.push([body, codeOf(await http({ body, search }))]);
  return found;
};
const all = (statements: readonly string[], code: string | undefined): unknown[] =>
  statements.map((body) => [body, code]);

// Invariant (Tools): No `SYSTEM` statement on the embedded ClickHouse stops or changes the product's
// engine, and no name of a table starts a program
test('no SYSTEM statement stops or changes the engine of the product', async () => {
  const refused = [
    ...['MERGES', 'TTL MERGES', 'MOVES', 'FETCHES', 'VIEWS', 'CLEANUP', 'LISTEN HTTP'].flatMap((what) => [
      `SYSTEM STOP ${what}`,
      `SYSTEM START ${what}`,
    ]),
    "SYSTEM DROP REPLICA 'cache'",
    'SYSTEM SYNC FILE CACHE',
    'SYSTEM ENABLE FAILPOINT x',
    'SYSTEM SUSPEND FOR 1 SECOND',
    'SYSTEM',
  ];
  expect(await codes(refused)).toEqual(all(refused, '48'));
  const served = ['SYSTEM FLUSH LOGS', 'system drop mark cache', 'SYSTEM CLEAR QUERY CACHE'];
  expect(await codes(served)).toEqual(all(served, undefined));
});

test('no statement makes the engine start a program for system.models', async () => {
  const refused = [
    "SELECT * FROM merge('system', '^models$')",
    "SELECT * FROM merge('system', '^one$')",
    "SELECT * FROM merge('sys' 'tem', '^models$')",
    "CREATE VIEW v AS SELECT 1 FROM merge('^models$')",
    "CREATE VIEW v AS SELECT 1 FROM merge(currentDatabase(), '^models$')",
  ];
  expect(await codes(refused)).toEqual(all(refused, '48'));
  const there = ["SELECT * FROM merge('^models$')", 'SELECT * FROM models', 'DESCRIBE `mo\\x64els`'];
  expect(await codes(there, { database: 'system' })).toEqual(all(there, '48'));
  const session_id = 'in-system';
  await http({ body: 'USE system', search: { session_id } });
  expect(await codes(there, { session_id })).toEqual(all(there, '48'));
  expect(await codes(['SELECT * FROM one', 'SELECT 1 AS models'], { database: 'tickrate' })).toEqual([
    ['SELECT * FROM one', '60'],
    ['SELECT 1 AS models', undefined],
  ]);
});

test('a function that calls file() is rejected when it is created', async () => {
  const refused = [
    'CREATE FUNCTION f AS x -> file(x)',
    'CREATE OR REPLACE FUNCTION f AS x -> `f\\x69le`(x)',
    'CREATE FUNCTION f AS x -> arrayMap(file, x)',
    'CREATE FUNCTION f AS x -> getServerSetting(x)',
  ];
  expect(await codes(refused)).toEqual(all(refused, '48'));
  const served = ['CREATE FUNCTION profile AS x -> x + 1', 'DROP FUNCTION profile'];
  expect(await codes(served)).toEqual(all(served, undefined));
});

test('file() of a path is rejected like a path outside user_files on a server', async () => {
  const reply = await http({ body: "SELECT file('/etc/passwd')" });
  expect(codeOf(reply)).toBe('291');
  expect(reply.text).toMatch(
    /^Code: 291\. DB::Exception: The function file\(\) is not supported.*\(DATABASE_ACCESS_DENIED\)/,
  );
});
