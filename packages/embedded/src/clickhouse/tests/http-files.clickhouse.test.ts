import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { httpHarness, type Reply } from './http-harness.ts';

const { folder, http, select } = httpHarness();
const outside = join(folder.path, 'outside');
const at = (name: string): string => join(outside, name);
const SECRET = 'not-for-sql';
const FILES = ['row', 'secret.csv', 'table'];
const NBSP = '\u00a0';
const quoted = (text: string): string => text.replaceAll("'", "''");

beforeAll(async () => {
  mkdirSync(at('table'), { recursive: true });
  writeFileSync(at('secret.csv'), `1,${SECRET}\n`);
  writeFileSync(at('row'), SECRET);
  await select('CREATE TABLE known (a Int8, b String) ENGINE = MergeTree ORDER BY a');
  await select("INSERT INTO known VALUES (1, 'x')");
});

afterEach(() => expect(readdirSync(outside).sort()).toEqual(FILES));

// Invariant (Tools): No statement on the embedded ClickHouse writes a file of the machine, starts a
// program, or reads a file outside `user_files`
describe('no statement reads a file of the machine', () => {
  const secret = `'${at('secret.csv')}'`;
  test.each([
    ['the table function', `SELECT * FROM file(${secret})`],
    ['as the source of an INSERT', `INSERT INTO known SELECT * FROM file(${secret})`],
    ['as a table', `CREATE TABLE stolen AS file(${secret})`],
    ['in a cluster', `SELECT * FROM fileCluster('default', ${secret})`],
    ['a list of files', `SELECT * FROM filesystem('${outside}')`],
    ['url()', `SELECT * FROM url('file://${at('secret.csv')}')`],
    ['url() by its base', `SELECT * FROM url('secret.csv') SETTINGS url_base = 'file://${outside}/'`],
    ['icebergLocal()', `SELECT * FROM icebergLocal('${outside}')`],
    ['deltaLakeLocal()', `SELECT * FROM deltaLakeLocal('${outside}')`],
    ['sqlite()', `SELECT * FROM sqlite('${at('new.db')}', 't')`],
    ['the engine File', `CREATE TABLE stolen (a Int8, b String) ENGINE = File(CSV, ${secret})`],
    ['the engine URL', `CREATE TABLE stolen (a Int8) ENGINE = URL('file://${at('secret.csv')}', CSV)`],
    ['the engine FileLog', `CREATE TABLE stolen (a String) ENGINE = FileLog('${outside}', 'CSV')`],
    ['a database', `CREATE DATABASE stolen ENGINE = Filesystem('${outside}')`],
    ['a database, quoted', `CREATE DATABASE stolen ENGINE \`File\\x73ystem\`('${outside}')`],
    ['a database of SQLite', `CREATE DATABASE stolen ENGINE = SQLite('${at('new.db')}')`],
    ['a folder of a table', `ATTACH TABLE stolen FROM '${at('table')}' (a Int8) ENGINE = TinyLog`],
    ['a view', `CREATE VIEW stolen AS SELECT * FROM file(${secret})`],
    ['a template', `SELECT 1 AS a FORMAT Template SETTINGS format_template_row = '${at('row')}'`],
    ['INFILE', `INSERT INTO known FROM INFILE ${secret} FORMAT CSV`],
    ['a backup', `RESTORE TABLE known AS stolen FROM File('${outside}')`],
    ['a dictionary', dictionary(`FILE(path ${secret} format 'CSV')`)],
    ['the function', `SELECT file(${secret})`],
    ['the function with a default', `SELECT file(${secret}, 'none')`],
    ['the function, quoted', `SELECT \`f\\x69le\`(${secret})`],
    ['the function as an argument', `SELECT arrayMap(file, [${secret}])`],
    ['the function for columns', `SELECT * APPLY(file) FROM (SELECT ${secret})`],
    ['the function in a function', 'CREATE FUNCTION harmless AS x -> file(x)', `SELECT harmless(${secret})`],
    [
      'the function in a structure',
      `SELECT b FROM format(CSV, 'a Int8, b String DEFAULT file(${quoted(secret)})', '1')`,
    ],
    ['the function in VALUES', `INSERT INTO known VALUES (2, file(${secret}))`],
    [
      'the function in text of VALUES',
      `SELECT * FROM format(Values, 'b String', '(file(${quoted(secret)}))')`,
    ],
    ['the function in the old analyzer', `SELECT file(${secret}) SETTINGS enable_analyzer = 0`],
    [
      'the function in a mutation',
      `ALTER TABLE known UPDATE b = file(${secret}) WHERE 1 SETTINGS mutations_sync = 1`,
    ],
    [
      'the function in a default',
      `ALTER TABLE known ADD COLUMN c String DEFAULT file(${secret})`,
      'SELECT c FROM known',
    ],
    [
      'the function in a filter',
      `SELECT * FROM known SETTINGS additional_table_filters = {'known': 'throwIf(file(${quoted(secret)}) != '''')'}`,
    ],
    ['the function, dropped', 'DROP FUNCTION file', `SELECT file(${secret})`],
    ['the function, replaced', 'CREATE OR REPLACE FUNCTION file AS x -> x', `SELECT file(${secret})`],
  ])('%s', async (_, ...statements) => {
    const replies: Reply[] = [];
    for (const body of statements) replies.push(await http({ body }));
    expect(replies.map(({ text }) => text).join()).not.toContain(SECRET);
    expect(replies.at(-1)?.status).not.toBe(200);
    expect(await select("SELECT count() FROM known WHERE b LIKE '%not-for%'")).toBe('0\n');
    await select("KILL MUTATION WHERE table = 'known' SYNC");
    await select('ALTER TABLE known DROP COLUMN IF EXISTS c');
  });
});

function dictionary(source: string): string {
  return `CREATE DICTIONARY stolen (a UInt64, b String) PRIMARY KEY a SOURCE(${source}) LAYOUT(FLAT()) LIFETIME(0)`;
}

describe('no statement writes a file or runs a program', () => {
  const target = at('new');
  test.each([
    ['OUTFILE', `SELECT 1 INTO OUTFILE '${target}'`],
    ['OUTFILE of CREATE', `CREATE TABLE more (a Int8) ENGINE = Memory INTO OUTFILE '${target}'`],
    ['OUTFILE of KILL', `KILL QUERY WHERE 0 INTO OUTFILE '${target}'`],
    ['OUTFILE of CHECK', `CHECK TABLE known INTO OUTFILE '${target}'`],
    ['OUTFILE behind spaces of Unicode', `SELECT 1 INTO${NBSP}OUTFILE '${target}'`],
    ['OUTFILE behind a space of no width', `SELECT 1 INTO\u200bOUTFILE '${target}'`],
    ['OUTFILE behind curly quotes', `SELECT ‘'’ AS “a'” INTO OUTFILE ‘${target}’ -- '`],
    ['OUTFILE of a command behind curly quotes', `KILL QUERY WHERE ‘'’ = '' INTO OUTFILE ‘${target}’ -- '`],
    ['file()', `INSERT INTO FUNCTION file('${target}', CSV, 'a Int8') SELECT 1`],
    ['the engine File', `CREATE TABLE more (a Int8) ENGINE = File(CSV, '${target}')`],
    [
      'the engine EmbeddedRocksDB',
      `CREATE TABLE more (a Int8) ENGINE = EmbeddedRocksDB(0, '${target}') PRIMARY KEY a`,
    ],
    [
      'a disk',
      `CREATE TABLE more (a Int8) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = object_storage, object_storage_type = local_blob_storage, metadata_type = plain, path = '${target}/')`,
    ],
    ['a backup', `BACKUP TABLE known TO File('${target}')`],
    [
      'a log of errors',
      `SELECT * FROM format(CSV, 'a Int8', 'x') SETTINGS input_format_record_errors_file_path = '${target}', input_format_allow_errors_num = 5`,
    ],
    ['a schema', `SELECT 1::Int32 AS a FORMAT Protobuf SETTINGS output_format_schema = '${target}'`],
    [
      'a program',
      dictionary(`EXECUTABLE(command 'touch ${target}; echo 1,x' format 'CSV')`),
      'SELECT * FROM stolen',
    ],
    ['a library', dictionary(`LIBRARY(path '${target}')`), 'SELECT * FROM stolen'],
    ['a program as a table', `CREATE TABLE more (a String) ENGINE = Executable('x.sh', CSV)`],
  ])('%s', async (_, ...statements) => {
    for (const [i, body] of statements.entries()) {
      const { status } = await http({ body });
      if (i === statements.length - 1) expect(status).not.toBe(200);
    }
    expect(existsSync(target)).toBe(false);
  });

  test.each(['format_template_row', 'output_format_schema', 'input_format_record_errors_file_path'])(
    'the setting %s is refused in the URL too',
    async (name) => {
      const reply = await http({ search: { [name]: at('row') }, body: 'SELECT 1 AS a FORMAT Template' });
      expect(reply.text).toMatch(/^Code: 452\. /);
    },
  );
});

describe('similar statements are served', () => {
  test.each([
    ['a column called file', 'SELECT 1 AS file, file + 1 AS disk', '1\t2\n'],
    ['texts', "SELECT 'INTO OUTFILE', 'disk(', 'ENGINE = File'", 'INTO OUTFILE\tdisk(\tENGINE = File\n'],
    ['a comment', 'SELECT 1 /* INTO OUTFILE */', '1\n'],
  ])('%s', async (_, body, expected) => {
    expect(await select(body)).toBe(expected);
  });

  test('data of an INSERT', async () => {
    const body = 'INSERT INTO known FORMAT TSV\n7\tENGINE = File disk( FROM INFILE\n';
    expect((await http({ body })).status).toBe(200);
    expect(await select('SELECT b FROM known WHERE a = 7')).toBe('ENGINE = File disk( FROM INFILE\n');
  });

  test('tables, views and functions', async () => {
    await select('CREATE TABLE plain (a Int8) ENGINE = MergeTree ORDER BY a');
    await select('CREATE MATERIALIZED VIEW kept ENGINE = MergeTree ORDER BY a AS SELECT a FROM plain');
    await select('CREATE FUNCTION plus AS (x, y) -> x + y');
    await select('INSERT INTO plain VALUES (1)');
    expect(await select('SELECT plus(a, 1) FROM kept')).toBe('2\n');
  });
});
