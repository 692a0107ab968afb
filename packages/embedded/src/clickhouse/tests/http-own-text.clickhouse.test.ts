import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { httpHarness, type Reply } from './http-harness.ts';

const { http, select, folder } = httpHarness();
/** What only this server adds: its files, its tables and its ids of settings. */
const OURS =
  /pipe-\d|(?<!INTO )OUTFILE|INFILE|\/spool|dev\/shm|_(?:file|input)_[0-9a-f]{8}|chdb_client_name|TabSeparated\. Exp/;
const QUERY = 'SELECT /* mine */ count() FROM numbers(1e12)  SETTINGS max_threads = 1 FORMAT TSV';
const code = ({ headers }: Reply): unknown => headers['x-clickhouse-exception-code'];
const json = (text: string): unknown[] => {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as unknown);
};

/** Runs a query until the test ends, and waits until the engine runs it. */
async function running(
  queryId: string,
  call: Parameters<typeof http>[0] = {},
): Promise<{ ended: Promise<Reply> }> {
  const ended = http({ body: QUERY, ...call, search: { ...call.search, query_id: queryId } });
  onTestFinished(async () => {
    await select(`KILL QUERY WHERE query_id = '${queryId}' ASYNC`);
    await ended;
  });
  const found = `SELECT count() FROM system.processes WHERE query_id = '${queryId}'`;
  await expect.poll(() => select(found)).toBe('1\n');
  return { ended };
}

test.each([
  ['', 'waiting'],
  [' ASYNC', 'waiting'],
  [' SYNC', 'finished'],
  [' TEST', 'unknown_status'],
])('KILL QUERY…%s answers with the id and the text of the client', async (mode, status) => {
  await running('slow');
  const where = "WHERE query_id = 'slow' AND query LIKE '%mine%'";
  const answer = await select(`KILL QUERY ${where}${mode} FORMAT JSONEachRow`);
  expect(json(answer)).toEqual([{ kill_status: status, query_id: 'slow', user: 'default', query: QUERY }]);
});

test('KILL QUERY answers in the default format, and with nothing if no query matches', async () => {
  const { ended } = await running('slow');
  expect(await select("KILL QUERY WHERE query_id = 'nobody' SYNC")).toBe('');
  const search = { default_format: 'JSONCompactEachRow', param_id: 'slow' };
  const reply = await http({ search, body: 'KILL QUERY WHERE query_id = {id:String} SYNC' });
  expect(json(reply.text)).toEqual([['finished', 'slow', 'default', QUERY]]);
  expect(reply.headers['x-clickhouse-format']).toBe('JSONCompactEachRow');
  expect(code(await ended)).toBe('394');
});

test('KILL QUERY spares its own query and those that do not match', async () => {
  await running('slow');
  expect(await select("KILL QUERY WHERE query LIKE 'KILL%' SYNC")).toBe('');
  expect(code(await http({ body: 'KILL QUERY WHERE nonsense = 1' }))).toBe('47');
  expect(await select('SELECT query_id FROM system.processes ORDER BY elapsed DESC LIMIT 1')).toBe('slow\n');
});

test('a log_comment of the client is its own and does not protect a query from KILL', async () => {
  const { ended } = await running('commented', { search: { log_comment: 'mine' } });
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
    body: `${QUERY.replace('1e12', '1e12 + {least:UInt8}')}`,
  });
  const rows = json(await select(sql));
  const id = 'slow';
  const query = QUERY.replace('1e12', '1e12 + {least:UInt8}');
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
  expect(await select("SELECT count() FROM merge('system', '^processes$')")).toBe('0\n');
});

test('a view cannot keep what system.processes shows', async () => {
  expect(code(await http({ body: 'CREATE VIEW v AS SELECT query_id FROM system.processes' }))).toBe('48');
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
  expect(answers[0]?.text).toContain("`file('own.csv', CSV, 'a UInt8, b UInt8')`");
  expect(answers[5]?.text).toBe(
    'SelectWithUnionQuery (children 1)\n ExpressionList (children 1)\n  SelectQuery (children 1)\n   ExpressionList (children 1)\n    Literal UInt64_1\n',
  );
});

/** Without an end, about ClickHouse itself, or slow: `models` waits for another process. */
const OTHERS = /^(?:numbers|zeros|primes|generate|one$|unicode|licenses|models)/;
/** They describe the rule that hides rows, and the settings. */
const DESCRIBING =
  /settings|^(?:row_policies|completions|columns|keywords|formats|documentation|functions|table_engines|table_functions|data_type)/;

test('no table of the database system shows the files, ids or statements of this server', async () => {
  await running('slow');
  const answer = http({ body: 'SELECT * FROM nope' });
  expect(code(await answer)).toBe('60');
  const tables = (await select("SELECT name FROM system.tables WHERE database = 'system'"))
    .trim()
    .split('\n');
  const shown: string[] = [];
  for (const table of tables.filter((name) => !OTHERS.test(name) && !DESCRIBING.test(name))) {
    const reply = await http({
      search: { query_id: 'me' },
      body: `SELECT * FROM system.${table} LIMIT 5000 FORMAT JSONEachRow`,
    });
    const { text } = reply;
    for (const row of text.split('\n').filter((line) => OURS.test(line)))
      shown.push(`${table}: ${row.slice(0, 300)}`);
    for (const [, id] of text.matchAll(/"(?:initial_)?query_id":"([^"]*)"/g))
      if (!['', 'me', 'slow'].includes(id ?? '')) shown.push(`${table}: ${id}`);
  }
  expect(shown).toEqual([]);
  expect(tables.length).toBeGreaterThan(100);
});
