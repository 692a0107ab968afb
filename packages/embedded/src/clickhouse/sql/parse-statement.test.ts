import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tokens } from './lexer.ts';
import { parseStatement } from './parse-statement.ts';

describe('reads', () => {
  test.each([
    ['SELECT 1', 'SELECT 1', undefined, ''],
    ['SELECT 1;  -- done\n;', 'SELECT 1', undefined, ''],
    [
      '/* a */ (SELECT 1) UNION ALL (SELECT 2) FORMAT JSON',
      '/* a */ (SELECT 1) UNION ALL (SELECT 2) ',
      'JSON',
      '',
    ],
    ['SELECT 1 format csv settings a = 1', 'SELECT 1 ', 'csv', ' settings a = 1'],
    ['SELECT format FROM t', 'SELECT format FROM t', undefined, ''],
    ['SELECT x AS format FORMAT TSV', 'SELECT x AS format ', 'TSV', ''],
    ["SELECT 'it''s; FORMAT X\\'' FORMAT XML", "SELECT 'it''s; FORMAT X\\'' ", 'XML', ''],
    ['SELECT $tag$ ; FORMAT CSV $tag$', 'SELECT $tag$ ; FORMAT CSV $tag$', undefined, ''],
    ['SELECT (SELECT 1 FORMAT CSV)', 'SELECT (SELECT 1 FORMAT CSV)', undefined, ''],
    ['WITH x AS (SELECT 1) SELECT * FROM x', 'WITH x AS (SELECT 1) SELECT * FROM x', undefined, ''],
    ['WITH 1 AS insert SELECT insert FORMAT CSV', 'WITH 1 AS insert SELECT insert ', 'CSV', ''],
    [
      'WITH insert AS (SELECT 1) SELECT 2 AS values',
      'WITH insert AS (SELECT 1) SELECT 2 AS values',
      undefined,
      '',
    ],
    ['SHOW TABLES', 'SHOW TABLES', undefined, ''],
    ['# a comment\nFROM t SELECT *', '# a comment\nFROM t SELECT *', undefined, ''],
  ])('%s', (sql, before, format, after) => {
    expect(parseStatement(sql)).toEqual({ kind: 'read', before, format, after, setsReadonly: false });
  });
});

describe('inserts with data', () => {
  test.each([
    ['INSERT INTO t FORMAT CSV\n1,2', 'INSERT INTO t ', '', 'CSV', '1,2'],
    ['INSERT INTO t FORMAT CSV \r\n1,2', 'INSERT INTO t ', '', 'CSV', '1,2'],
    ['INSERT INTO t FORMAT CSV\n\n1,2', 'INSERT INTO t ', '', 'CSV', '\n1,2'],
    ['INSERT INTO d.t (a, `b)`) VALUES (1)', 'INSERT INTO d.t (a, `b)`) ', '', 'Values', '(1)'],
    ['insert into values values(1)', 'insert into values ', '', 'Values', '(1)'],
    ['INSERT INTO format FORMAT TSV\tx', 'INSERT INTO format ', '', 'TSV', 'x'],
    ['INSERT INTO t SETTINGS a = 1 FORMAT TSV\n', 'INSERT INTO t ', 'SETTINGS a = 1 ', 'TSV', ''],
    [
      "INSERT INTO t FORMAT TSV SETTINGS a = 1, b = 'x'\nSETTINGS",
      'INSERT INTO t ',
      "SETTINGS a = 1, b = 'x'",
      'TSV',
      'SETTINGS',
    ],
    [
      "INSERT INTO FUNCTION null('x', 'CSV', 'a Int8') FORMAT CSV\n1",
      "INSERT INTO FUNCTION null('x', 'CSV', 'a Int8') ",
      '',
      'CSV',
      '1',
    ],
    ["INSERT INTO t FORMAT TSV\n'\0\xff;", 'INSERT INTO t ', '', 'TSV', "'\0\xff;"],
  ])('%j', (sql, before, settings, format, data) => {
    const statement = parseStatement(sql);
    expect(statement).toMatchObject({ kind: 'insert', before, settings, format });
    expect(statement.kind === 'insert' && sql.slice(statement.dataStart)).toBe(data);
  });

  test('input() keeps its structure and the text around it', () => {
    const sql = "INSERT INTO t SELECT a FROM input('a Int8, b Map(String, Int8)') WHERE a > 0 FORMAT CSV\n1";
    expect(parseStatement(sql)).toEqual({
      kind: 'insertInput',
      before: 'INSERT INTO t SELECT a FROM ',
      structure: "'a Int8, b Map(String, Int8)'",
      after: ' WHERE a > 0 ',
      format: 'CSV',
      dataStart: sql.length - 1,
    });
  });
});

describe('commands', () => {
  test.each([
    ['CREATE TABLE t (a Int8) ENGINE = Memory;', 'CREATE'],
    ['INSERT INTO t SELECT 1;', 'INSERT'],
    ['INSERT INTO t (a) WITH 1 AS x SELECT x', 'INSERT'],
    ['WITH 1 AS x INSERT INTO t SELECT x', 'INSERT'],
    ['WITH 1 AS insert INSERT INTO t SELECT insert', 'INSERT'],
    ['INSERT INTO t (SELECT 1)', 'INSERT'],
    ['set a = 1', 'SET'],
  ])('%s', (sql, keyword) => {
    expect(parseStatement(sql)).toEqual({
      kind: 'command',
      keyword,
      text: sql.replace(/;$/, ''),
      setsReadonly: false,
    });
  });

  test.each(['', '  ', '-- only a comment', '/* open', '# x\n#!y'])('%j is empty', (sql) => {
    expect(parseStatement(sql)).toEqual({ kind: 'empty' });
  });
});

describe('refused', () => {
  test.each([
    ['SELECT 1; SELECT 2', 'syntaxError'],
    ['INSERT INTO t SELECT 1; DROP TABLE t', 'syntaxError'],
    ['INSERT INTO t FORMAT', 'syntaxError'],
    ["SELECT 1 INTO /* x */ OUTFILE 'x'", 'notImplemented'],
    ["INSERT INTO t FROM INFILE 'x' FORMAT CSV", 'notImplemented'],
    ['CREATE TABLE a (x Int8) ENGINE = Memory PARALLEL WITH CREATE TABLE b (x Int8)', 'notImplemented'],
    ['INSERT INTO a SELECT 1 parallel/**/with INSERT INTO b SELECT 1', 'notImplemented'],
    ['SELECT 1 PARALLEL WITH SELECT 2', 'notImplemented'],
    ['(CREATE TABLE a (x Int8) ENGINE = Memory)', 'notImplemented'],
    ['((DROP TABLE a))', 'notImplemented'],
    [
      "CREATE DICTIONARY d (a UInt64) PRIMARY KEY a SOURCE(EXECUTABLE(command 'id' format 'TSV'))",
      'notImplemented',
    ],
    ["CREATE TABLE a (x Int8) SOURCE(`file`(path 'x'))", 'notImplemented'],
    ['CREATE OR REPLACE DICTIONARY d (a UInt64) PRIMARY KEY a SOURCE(NULL())', 'notImplemented'],
    ['ATTACH DICTIONARY d', 'notImplemented'],
    ['EXECUTE AS u SELECT 1', 'notImplemented'],
    ["CREATE NAMED COLLECTION c AS a = 'x'", 'notImplemented'],
    ['CREATE WORKLOAD w', 'notImplemented'],
    ['CREATE RESOURCE r (READ DISK d)', 'notImplemented'],
    ["CREATE FUNCTION f LANGUAGE WASM FROM 'm'", 'notImplemented'],
    ['CREATE USER u', 'notImplemented'],
    ['ALTER USER u', 'notImplemented'],
    ['GRANT ALL ON *.* TO u', 'notImplemented'],
    ['SYSTEM SHUTDOWN', 'notImplemented'],
    ['SYSTEM KILL', 'notImplemented'],
    ['SYSTEM RELOAD CONFIG', 'notImplemented'],
    ['MOVE USER u TO x', 'notImplemented'],
    ["RESTORE TABLE t FROM Disk('d', 'x')", 'notImplemented'],
    ["SELECT * FROM executable('x', TSV, 'a Int8')", 'notImplemented'],
    ['SELCT 1', 'syntaxError'],
  ])('%s', (sql, code) => {
    expect(parseStatement(sql)).toMatchObject({ kind: 'refused', code });
  });
});

test.each([
  "SELECT 'PARALLEL WITH', `parallel` WITH TOTALS",
  'SELECT 1 /* PARALLEL WITH */',
  'INSERT INTO t FORMAT TSV\na PARALLEL WITH DROP TABLE t',
  'CREATE OR REPLACE TABLE t (source Int8) ENGINE = Memory',
  'CREATE FUNCTION plus AS (x, y) -> x + y',
  'ALTER TABLE t UPDATE a = 1 WHERE 1',
  '((SELECT 1))',
])('not refused: %s', (sql) => {
  expect(parseStatement(sql).kind).not.toBe('refused');
});

describe('of any text', () => {
  const fragments = fc.constantFrom(
    "'",
    '"',
    '`',
    '\\',
    ';',
    '(',
    ')',
    '--',
    '/*',
    '*/',
    '\n',
    '$$',
    ' FORMAT ',
    ' VALUES ',
    'INSERT INTO t ',
    'SELECT ',
    'x',
    '1',
    '\0',
    '\xff',
    ' SETTINGS a = 1 ',
    ' input(',
  );
  const text = fc.array(fragments, { maxLength: 30 }).map((parts) => parts.join(''));

  test('tokens are in order, do not overlap, and contain their text', () => {
    fc.assert(
      fc.property(text, (sql) => {
        let at = 0;
        for (const token of tokens(sql)) {
          expect(token.start).toBeGreaterThanOrEqual(at);
          expect(token.end).toBeGreaterThan(token.start);
          expect(token.text).toBe(sql.slice(token.start, token.end));
          at = token.end;
        }
      }),
    );
  });

  test('every text is a statement, and data begin within the text', () => {
    fc.assert(
      fc.property(text, (sql) => {
        const statement = parseStatement(sql);
        if (statement.kind !== 'insert' && statement.kind !== 'insertInput') return;
        expect(statement.dataStart).toBeGreaterThan(0);
        expect(statement.dataStart).toBeLessThanOrEqual(sql.length);
      }),
    );
  });

  test('data after a format do not change the statement', () => {
    const head = 'INSERT INTO t (a) SETTINGS b = 1 FORMAT RowBinary\n';
    const alone = parseStatement(head);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), (data) => {
        expect(parseStatement(head + Buffer.from(data).toString('latin1'))).toEqual(alone);
      }),
    );
  });
});
