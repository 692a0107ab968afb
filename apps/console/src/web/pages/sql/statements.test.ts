import { expect, test } from 'vitest';
import { writeResult } from './result/export-result.ts';
import { locateFault } from './statement/locate-fault.ts';
import { isOfRange, parametersOf, parameterValues } from './statement/parameters.ts';

test('finds parameters, but not in texts and comments', () => {
  const sql =
    "SELECT '{no:String}', {a:DateTime('UTC')} -- {c:Int8}\n/* {d:Int8} */ WHERE {b: Array(String)} = {b:Array(String)}";
  expect(parametersOf(sql)).toEqual([
    { name: 'a', type: "DateTime('UTC')" },
    { name: 'b', type: 'Array(String)' },
  ]);
});

test('takes the time range of the page for an empty `from`, and reads lists', () => {
  const parameters = parametersOf(
    '{from:DateTime} {to:Date} {n:UInt64} {k:Nullable(String)} {l:Array(String)}',
  );
  const range = { fromMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6), toMs: Date.UTC(2026, 0, 3) };
  expect(parameterValues(parameters, { n: '76561198000000001', l: 'a, b' }, range)).toEqual({
    from: '2026-01-02 03:04:05',
    to: '2026-01-03',
    n: '76561198000000001',
    k: null,
    l: ['a', 'b'],
  });
  expect(isOfRange({ name: 'from', type: 'String' })).toBe(false);
});

test.each([
  ['SELECT ü, FROM x', 'syntax', 'syntax error at position 12', 'FROM'],
  ["SELECT 'sleep', sleep(3)", 'function', 'queries have no function sleep()', 'sleep'],
  ['SELECT level, nix FROM a', 'sql', 'unknown name: nix (ClickHouse 47)', 'nix'],
  ['SELECT 1 FROM other.t', 'table', 'there is no table other.t in this project', 'other.t'],
  ['SELECT level FROM level_u', 'table', 'unknown table in this project: level_u', 'level_u'],
  ['SELECT 1 FROM `level.u`', 'table', 'unknown table in this project: level.u', 'level.u'],
  ['SELECT u.levl FROM level_up AS u', 'sql', 'unknown name: levl (ClickHouse 47)', 'levl'],
  ['SELECT u.nix FROM level_up AS u WHERE nix', 'sql', 'unknown name: nix (ClickHouse 47)', 'nix'],
  ['SELECT _table FROM events', 'name', 'there is no column _table', '_table'],
  ['SELECT {a:Int8}', 'parameter', 'a parameter is missing or has the wrong type: a', '{a:Int8}'],
  ['-- x\nDROP TABLE a', 'notSelect', 'only SELECT is allowed', 'DROP'],
  ['SELECT 1 SETTINGS max_threads=1', 'settings', 'a query cannot change settings', 'SETTINGS'],
])('finds the fault of %s', (sql, reason, message, word) => {
  const place = locateFault(sql, { reason, message });
  expect(place && sql.slice(place.from, place.to)).toBe(word);
  // The place in the statement, and not the same word in a text.
  expect(place?.from).toBe(sql.lastIndexOf(word));
});

test('exports no formulas, and every digit', () => {
  const columns = [
    { name: 'name', type: 'String' },
    { name: 'id', type: 'UInt64' },
  ];
  const rows = [['=1+1\t', '18446744073709551615']];
  expect(writeResult({ columns, rows }, 'csv')).toBe("\uFEFFname,id\r\n'=1+1\t,18446744073709551615\r\n");
  expect(writeResult({ columns, rows }, 'tsv')).toBe("name\tid\n'=1+1\\t\t18446744073709551615\n");
  expect(writeResult({ columns, rows }, 'ndjson')).toBe('{"name":"=1+1\\t","id":"18446744073709551615"}\n');
});
