import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { ACCESS, httpHarness } from './http-harness.ts';

const { folder, http, select } = httpHarness();
const userFiles = join(folder.path, 'user_files');
const outside = join(folder.path, 'outside');
const SECRET = 'not-for-sql';
const inside = (name: string): string => join(userFiles, name);
const secret = join(outside, 'secret.csv');

beforeAll(async () => {
  mkdirSync(outside);
  writeFileSync(secret, `1,${SECRET}\n`);
  mkdirSync(inside('days'), { recursive: true });
  writeFileSync(inside('a.csv'), '1,one\n2,two\n');
  writeFileSync(inside('named.csv'), 'id,word\n3,drei\n4,vier\n');
  writeFileSync(inside('semicolon.csv'), '5;five\n');
  writeFileSync(inside('days/1.ndjson'), '{"a":1,"b":"x"}\n');
  writeFileSync(inside('days/2.ndjson'), '{"a":2,"b":"ü"}\n');
  writeFileSync(inside('a.tsv.gz'), gzipSync('7\tseven\n'));
  writeFileSync(inside('empty.csv'), '');
  symlinkSync(secret, inside('link.csv'));
  symlinkSync(outside, inside('folder-link'));
  symlinkSync(inside('a.csv'), inside('inner-link.csv'));
  writeFileSync(inside('a*b.csv'), '9,star\n');
  await select('CREATE TABLE known (a Int64, b String) ENGINE = MergeTree ORDER BY a');
});

function described(...names: string[]): string {
  return names.map((name, i) => `${name}\t${['Int8', 'String'][i]}${'\t'.repeat(5)}\n`).join('');
}

// Invariant (Tools): No statement on the embedded ClickHouse writes a file of the machine, starts a
// program, or reads a file outside `user_files`
describe('file() reads from user_files', () => {
  test.each([
    ['with an inferred structure', "SELECT * FROM file('a.csv') ORDER BY 1", '1\tone\n2\ttwo\n'],
    ['with a format', "SELECT * FROM file('a.csv', CSV) ORDER BY 1", '1\tone\n2\ttwo\n'],
    [
      'with a structure',
      "SELECT b, a FROM file('a.csv', 'CSV', 'a Int8, b String') ORDER BY a DESC",
      'two\t2\none\t1\n',
    ],
    [
      'with names in its first line',
      "SELECT word FROM file('named.csv', CSVWithNames) ORDER BY id",
      'drei\nvier\n',
    ],
    [
      'with an alias and a join',
      "SELECT f.b, g.b FROM file('a.csv', CSV, 'a Int8, b String') AS f JOIN file('a.csv', CSV, 'a Int8, b String') g ON f.a = g.a ORDER BY f.a",
      'one\tone\ntwo\ttwo\n',
    ],
    ['in a subquery', "SELECT count() FROM (SELECT * FROM file('a.csv'))", '2\n'],
    ['several files', "SELECT a, b FROM file('days/*.ndjson') ORDER BY a", '1\tx\n2\tü\n'],
    ['several names', "SELECT a FROM file('days/{1,2}.ndjson', JSONEachRow) ORDER BY a", '1\n2\n'],
    ['compressed', "SELECT * FROM file('a.tsv.gz')", '7\tseven\n'],
    [
      'compressed, by its argument',
      "SELECT * FROM file('a.tsv.gz', TSV, 'a Int8, b String', 'gzip')",
      '7\tseven\n',
    ],
    ['by its absolute path', `SELECT count() FROM file('${inside('a.csv')}')`, '2\n'],
    ['through a link inside the folder', "SELECT count() FROM file('inner-link.csv')", '2\n'],
    ['with a comment', "SELECT count() FROM file /* a */ ('a.csv' -- b\n, CSV)", '2\n'],
    ['with settings of the statement', "SELECT count() FROM file('a.csv') SETTINGS max_threads = 1", '2\n'],
    ['as a description', "DESCRIBE TABLE file('a.csv', CSV, 'a Int8, b String')", described('a', 'b')],
    ['as an explanation', "SELECT count() > 0 FROM (EXPLAIN SYNTAX SELECT 1 FROM file('a.csv') AS f)", '1\n'],
  ])('%s', async (_, sql, expected) => {
    expect(await select(sql)).toBe(expected);
  });

  test('with settings of the request, by GET', async () => {
    const query = "SELECT * FROM file('semicolon.csv', CSV, 'a Int8, b String')";
    const reply = await http({ method: 'GET', search: { query, format_csv_delimiter: ';' } });
    expect(reply.text).toBe('5\tfive\n');
    expect(
      (await http({ method: 'GET', search: { query, readonly: '1', format_csv_delimiter: ';' } })).text,
    ).toBe('5\tfive\n');
  });

  test('into a table', async () => {
    expect(await select("INSERT INTO known SELECT * FROM file('a.csv', CSV, 'a Int64, b String')")).toBe('');
    expect(await select('SELECT count() FROM known')).toBe('2\n');
  });

  test('in a session, and leaves nothing behind', async () => {
    const search = { session_id: 'files' };
    expect((await http({ search, body: "SELECT count() FROM file('a.csv')" })).text).toBe('2\n');
    expect((await http({ search, body: "SELECT count() FROM file('missing.csv')" })).status).not.toBe(200);
    expect((await http({ search, body: 'SELECT name FROM system.tables WHERE is_temporary' })).text).toBe('');
    expect(await select("SELECT name FROM system.tables WHERE name LIKE '\\_file%'")).toBe('');
  });
});

describe('file() reads nothing else', () => {
  const away = `'${secret}'`;
  test.each([
    ['an absolute path', `SELECT * FROM file(${away})`],
    ['a path upwards', "SELECT * FROM file('../outside/secret.csv')"],
    ['a path upwards inside', "SELECT * FROM file('days/../../outside/secret.csv')"],
    ['an absolute path upwards', `SELECT * FROM file('${userFiles}/../outside/secret.csv')`],
    ['a folder whose name begins alike', `SELECT * FROM file('${userFiles}2/secret.csv')`],
    ['a link', "SELECT * FROM file('link.csv')"],
    ['a folder behind a link', "SELECT * FROM file('folder-link/secret.csv')"],
    ['a pattern behind a link', "SELECT * FROM file('folder-link/*.csv')"],
    ['a pattern over links', "SELECT * FROM file('*ink.csv', CSV, 'a Int8, b String')"],
    ['a pattern in a pattern', "SELECT * FROM file('{a.csv,folder-link/secret.csv}')"],
    ['a pattern upwards', "SELECT * FROM file('{..,days}/outside/secret.csv')"],
    ['an archive', "SELECT * FROM file('a.zip :: secret.csv')"],
    ['an address', `SELECT * FROM file('file://${secret}')`],
    ['a device', "SELECT * FROM file('/dev/stdin', LineAsString)"],
    ['a descriptor', "SELECT * FROM file('0', LineAsString)"],
    ['standard input', "SELECT * FROM file('-', LineAsString)"],
    ['nothing', "SELECT * FROM file('')"],
    ['a folder', "SELECT * FROM file('days')"],
    ['a zero byte', `SELECT * FROM file('a.csv\\0/../../outside/secret.csv')`],
    ['an escape', "SELECT * FROM file('\\x2e\\x2e/outside/secret.csv')"],
    ['an escaped quote', `SELECT * FROM file('a.csv\\'', ${away})`],
    ['a doubled quote', `SELECT * FROM file('a.csv''', ${away})`],
    ['concat', `SELECT * FROM file(concat('${outside}', '/secret.csv'))`],
    ['joined texts', `SELECT * FROM file('${outside}' || '/secret.csv')`],
    ['a cast', `SELECT * FROM file(${away}::String)`],
    ['a cast of a name inside', "SELECT * FROM file('a.csv'::String)"],
    ['brackets', `SELECT * FROM file((${away}))`],
    ['a list', `SELECT * FROM file([${away}])`],
    ['a heredoc', `SELECT * FROM file($a$${secret}$a$)`],
    ['curly quotes', `SELECT * FROM file(‘${secret}’)`],
    ['an alias', `SELECT * FROM file('a.csv' AS x)`],
    ['a WITH', `WITH ${away} AS x SELECT * FROM file(x)`],
    ['a subquery', `SELECT * FROM file((SELECT ${away}))`],
    ['quoted', `SELECT * FROM \`file\`(${away})`],
    ['quoted, escaped', `SELECT * FROM \`f\\x69le\`(${away})`],
    ['another case', `SELECT * FROM FILE(${away})`],
    ['behind a comma', `SELECT * FROM file('a.csv') AS a, file(${away}) AS b`],
    ['beside one inside', `SELECT * FROM file('a.csv') UNION ALL SELECT * FROM \`file\`(${away})`],
    [
      'in a structure',
      `SELECT * FROM file('a.csv', CSV, 'a Int8, b String DEFAULT file(${away.replaceAll("'", "''")})')`,
    ],
    [
      'a subquery in a structure',
      `SELECT * FROM file('a.csv', CSV, 'a Int8, b String, c String DEFAULT (SELECT b FROM file(${away.replaceAll("'", "''")}))')`,
    ],
    [
      'the end of a structure',
      `SELECT * FROM file('a.csv', CSV, 'a Int8, b String) ENGINE = File(CSV, ''/x''')`,
    ],
    ['in a cluster', "SELECT * FROM fileCluster('default', 'a.csv')"],
    ['in remote()', `SELECT * FROM remote('127.0.0.1', file(${away}))`],
    ['in view()', `SELECT * FROM view(SELECT * FROM \`file\`(${away}))`],
    ['in merge()', `SELECT * FROM merge(file(${away}))`],
    ['in EXPLAIN', `EXPLAIN ESTIMATE SELECT * FROM file(${away})`],
    ['in DESCRIBE', `DESCRIBE TABLE file(${away})`],
    ['a view', "CREATE VIEW seen AS SELECT * FROM file('a.csv')"],
    ['a materialized view', `CREATE MATERIALIZED VIEW seen ENGINE = Memory AS SELECT * FROM file(${away})`],
    ['a table', "CREATE TABLE seen AS file('a.csv')"],
    ['a table of a SELECT', `CREATE TABLE seen ENGINE = Memory AS SELECT * FROM file(${away})`],
    ['the engine', "CREATE TABLE seen (a Int8) ENGINE = File(CSV, 'a.csv')"],
    ['INFILE', "INSERT INTO known FROM INFILE 'a.csv' FORMAT CSV"],
    ['a mutation', `ALTER TABLE known UPDATE b = (SELECT b FROM file(${away})) WHERE 1`],
    ['a deletion', `DELETE FROM known WHERE a IN (SELECT c1 FROM file('a.csv'))`],
    ['the role of customers', "SET ROLE tickrate_reader; SELECT * FROM file('a.csv')"],
  ])('%s', async (_, body) => {
    const reply = await http({ body });
    expect(reply.text).not.toContain(SECRET);
    expect(reply.text).not.toContain(outside.slice(0, -8));
    expect(reply.status).not.toBe(200);
    expect(await select("SELECT count() FROM system.tables WHERE name = 'seen'")).toBe('0\n');
  });

  test('by a parameter of the query', async () => {
    const body = 'SELECT * FROM file({name:String})';
    for (const param_name of ['a.csv', secret]) {
      expect((await http({ search: { param_name }, body })).text).toMatch(/^Code: (497|36|456)\. /);
    }
  });

  test('for a request with the role of customers', async () => {
    const query = "SELECT * FROM file('a.csv')";
    const search = { role: 'tickrate_reader', database: 'project_p_1', query };
    expect((await http({ method: 'GET', search })).status).not.toBe(200);
  });

  test('that a function of the same name computes', async () => {
    expect(await select("SELECT file('a.csv')")).toMatch(/^Code: 291\. /);
    expect(await select("SELECT trim(BOTH 'x' FROM file('a.csv'))")).toMatch(/^Code: \d+\. /);
  });

  test('more files than one statement may read', async () => {
    expect(await select(`SELECT ${"(SELECT count() FROM file('a.csv')),".repeat(200)} 1`)).toMatch(
      /^Code: \d+\. /,
    );
  });
});

test('errors give the reason', async () => {
  expect(await select("SELECT * FROM file('../a.csv')")).toMatch(/^Code: 291\. .*user_files/);
  expect(await select("SELECT * FROM file('missing.csv')")).toMatch(/^Code: 107\. .*missing\.csv/);
  expect(await select("SELECT * FROM file('empty.csv')")).toMatch(/^Code: \d+\. /);
  const insert = "INSERT INTO FUNCTION file('new.csv', CSV, 'a Int8') SELECT 1";
  expect(await select(insert)).toMatch(/^Code: 48\. .*writing/i);
  expect(await select(insert.replace('SELECT 1', 'VALUES (1)'))).toMatch(/^Code: 48\. /);
  const body = Buffer.from('1');
  expect(
    (await http({ search: { query: insert.replace('SELECT 1', 'FORMAT CSV') }, headers: ACCESS, body })).text,
  ).toMatch(/^Code: 48\. /);
  expect(readdirSync(userFiles)).not.toContain('new.csv');
});
