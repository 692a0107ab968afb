import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { codeOf, httpHarness } from './http-harness.ts';

const { http, select, folder, running } = httpHarness();
/** What only this server adds: its files, its tables and its ids of settings. */
const OURS =
  /pipe-\d|(?<!INTO )OUTFILE|INFILE|\/spool|dev\/shm|_(?:file|input)_[0-9a-f]{8}|chdb_client_name|TabSeparated\. Exp/;
/** It uses no processor, so that the engine is free for the rest. */
const QUERY = 'SELECT /* mine */ sleepEachRow(0.1) FROM numbers(1e6)  SETTINGS max_block_size = 1 FORMAT TSV';
const SLOW = { body: QUERY };
const json = (text: string): unknown[] => {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as unknown);
};

// Invariant (Tools): Answers, errors and system tables of the embedded ClickHouse show the clients' ids
// and SQL, never its files, ids or rewriting
test.each([
  ['', 'waiting'],
  [' ASYNC', 'waiting'],
  [' SYNC', 'finished'],
  [' TEST', 'unknown_status'],
])('KILL QUERY…%s answers with the id and the text of the client', async (mode, status) => {
  await running('slow', SLOW);
  const where = "WHERE query_id = 'slow' AND query LIKE '%mine%'";
  const answer = await select(`KILL QUERY ${where}${mode} FORMAT JSONEachRow`);
  expect(json(answer)).toEqual([{ kill_status: status, query_id: 'slow', user: 'default', query: QUERY }]);
});

test('KILL QUERY answers in the default format, and with nothing if no query matches', async () => {
  const { ended } = await running('slow', SLOW);
  expect(await select("KILL QUERY WHERE query_id = 'nobody' SYNC")).toBe('');
  const search = { default_format: 'JSONCompactEachRow', param_id: 'slow' };
  const reply = await http({ search, body: 'KILL QUERY WHERE query_id = {id:String} SYNC' });
  expect(json(reply.text)).toEqual([['finished', 'slow', 'default', QUERY]]);
  expect(reply.headers['x-clickhouse-format']).toBe('JSONCompactEachRow');
  expect(codeOf(await ended)).toBe('394');
});

test('KILL QUERY spares its own query and those that do not match', async () => {
  await running('slow', SLOW);
  expect(await select("KILL QUERY WHERE query LIKE 'KILL%' SYNC")).toBe('');
  expect(codeOf(await http({ body: 'KILL QUERY WHERE nonsense = 1' }))).toBe('47');
  expect(await select('SELECT query_id FROM system.processes ORDER BY elapsed DESC LIMIT 1')).toBe('slow\n');
});

test('a log_comment of the client is its own and does not protect a query from KILL', async () => {
  const { ended } = await running('commented', { ...SLOW, search: { log_comment: 'mine' } });
  const comment = "SELECT Settings['log_comment'] FROM system.processes WHERE query_id = 'commented'";
  expect(await select(comment)).toBe('mine\n');
  await select("KILL QUERY WHERE query_id = 'commented' SYNC");
  await expect(ended).resolves.toMatchObject({ headers: { 'x-clickhouse-exception-code': '394' } });
});

test.each([
  'SELECT query_id, initial_query_id, query FROM system.processes FORMAT JSONEachRow',
  'SELECT `processes`.query_id, initial_query_id, query FROM `system` . "processes" FORMAT JSONEachRow',
  'SELECT query_id, p.initial_query_id, query FROM (SELECT * FROM system.processes) p FORMAT JSONEachRow',
  'SHOW PROCESSLIST FORMAT JSONEachRow',
])('%s shows the ids and texts of clients', async (sql) => {
  await running('slow', {
    search: { param_least: '1' },
    body: `${QUERY.replace('1e6', '1e6 + {least:UInt8}')}`,
  });
  const rows = json(await select(sql));
  const id = 'slow';
  const query = QUERY.replace('1e6', '1e6 + {least:UInt8}');
  expect(rows).toContainEqual(expect.objectContaining({ query_id: id, initial_query_id: id, query }));
  expect(rows).toContainEqual(expect.objectContaining({ query: sql }));
  expect(rows).toHaveLength(2);
});

test('a session in the database system reads the same rows', async () => {
  const search = { session_id: 'in-system' };
  await http({ search, body: 'USE system' });
  const sql = 'SELECT query_id, query FROM processes';
  const twice = async (): Promise<string> =>
    (await http({ search: { ...search, query_id: 'me' }, body: sql })).text;
  expect([await twice(), await twice()]).toEqual([`me\t${sql}\n`, `me\t${sql}\n`]);
  expect(codeOf(await http({ body: "SELECT count() FROM merge('system', '^processes$')" }))).toBe('48');
});

test('a view cannot keep what system.processes shows', async () => {
  expect(codeOf(await http({ body: 'CREATE VIEW v AS SELECT query_id FROM system.processes' }))).toBe('48');
});

test('errors, EXPLAIN and temporary tables show what the client wrote', async () => {
  mkdirSync(join(folder.path, 'user_files'), { recursive: true });
  writeFileSync(join(folder.path, 'user_files', 'own.csv'), '1,2\n');
  const answers = await Promise.all(
    [
      "SELECT nope FROM file('own.csv', CSV, 'a UInt8, b UInt8')",
      "SELECT * FROM file('own.csv', CSV, 'a UInt8, b UInt8') FORMAT Nope",
      "EXPLAIN SYNTAX SELECT a FROM file('own.csv', CSV, 'a UInt8, b UInt8')",
      "EXPLAIN SELECT a FROM file('own.csv', CSV, 'a UInt8, b UInt8')",
      "SELECT name, create_table_query FROM system.tables WHERE is_temporary AND (SELECT 1 FROM file('own.csv') LIMIT 1) = 1",
      'EXPLAIN AST SELECT 1',
      'SELECT 1 FORMAT',
      'SELECT 1 SETTINGS nope = 1',
      'SELECT x FROM nope',
      'SELECT 1 WHERE',
      'SELECT (1',
      'INSERT INTO t (a FORMAT CSV 1',
      'SHOW CREATE TABLE nope',
      "INSERT INTO nope SELECT * FROM input('x UInt8') FORMAT CSV 1",
      "INSERT INTO FUNCTION null('x UInt8') SELECT nope FROM input('x UInt8') FORMAT CSV 1",
    ].map((body) => http({ body })),
  );
  for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toMatch(OURS);
  expect(answers[0]?.text).toMatch(/FROM file\('own\.csv', CSV, 'a UInt8, b UInt8'\)/);
  expect(answers[5]?.text).toBe(
    'SelectWithUnionQuery (children 1)\n ExpressionList (children 1)\n  SelectQuery (children 1)\n   ExpressionList (children 1)\n    Literal UInt64_1\n',
  );
});

/** Without an end, or about ClickHouse itself. */
const OTHERS = /^system\.(?:numbers|zeros|primes|generate|one$|unicode|licenses)/;
/** They quote the documentation of ClickHouse, which mentions files. */
const DESCRIBING =
  /^system\.(?:settings|completions|keywords|formats|data_type_families|documentation|functions|table_engines|table_functions|disk_types)$/;

/** What another client's failed query contained. */
const NEEDLE = 'needle-of-another-client';

/** The lines of an answer that a client may not see. */
function forbidden(text: string): string[] {
  const files = new RegExp(RegExp.escape(folder.path) + String.raw`/(?!data\b)`);
  const hash = /[0-9A-F]{64}/;
  return text
    .split('\n')
    .filter((line) => [OURS, files, hash, new RegExp(NEEDLE)].some((one) => one.test(line)));
}

test('no table of the engine shows the files, ids or statements of this server, or those of other clients', async () => {
  await running('slow', SLOW);
  expect(codeOf(await http({ body: `SELECT toUInt8('${NEEDLE}')` }))).toBe('6');
  const databases = "database IN ('system', 'information_schema')";
  const tables = (await select(`SELECT database || '.' || name FROM system.tables WHERE ${databases}`))
    .trim()
    .split('\n');
  const shown: string[] = [];
  const search = { query_id: 'me', output_format_json_escape_forward_slashes: '0' };
  for (const table of tables.filter((name) => !OTHERS.test(name) && !DESCRIBING.test(name))) {
    const { text } = await http({ search, body: `SELECT * FROM ${table} LIMIT 5000 FORMAT JSONEachRow` });
    for (const row of forbidden(text)) shown.push(`${table}: ${row.slice(0, 300)}`);
    for (const [, id] of text.matchAll(/"(?:initial_)?query_id":"([^"]*)"/g))
      if (!['', 'me', 'slow'].includes(id ?? '')) shown.push(`${table}: ${id}`);
  }
  expect(shown).toEqual([]);
  expect(tables.length).toBeGreaterThan(130);
}, 120_000);

const ABOUT_SERVER =
  /server|query_?id|setting|macro|certificate|profile|role|user|host|fqdn|port$|file|path|uuid|connection|kernel|build|version|revision|uptime|shard|zookeeper|transaction|^tid$|display/i;

test('no function shows the files, ids or statements of this server', async () => {
  const names = (await select('SELECT name FROM system.functions WHERE is_aggregate = 0')).trim().split('\n');
  const asked = names.filter((name) => ABOUT_SERVER.test(name));
  const shown: string[] = [];
  for (const name of asked)
    for (const argument of ['', "'path'"]) {
      const { text } = await http({ search: { query_id: 'me' }, body: `SELECT ${name}(${argument})` });
      for (const row of forbidden(text)) shown.push(`${name}(${argument}): ${row.slice(0, 300)}`);
    }
  expect(shown).toEqual([]);
  expect(asked.length).toBeGreaterThan(50);
}, 120_000);
