import { expect, test } from 'vitest';
import { parseRequestParams } from './request-params.ts';

const parse = (search: string, headers: Record<string, string> = {}) =>
  parseRequestParams(new URLSearchParams(search), headers);

test('unknown names are settings, and names that start with param_ are parameters', () => {
  const params = parse(
    'query=SELECT+1&max_threads=2&param_a=x%27y&session_id=s&user=u&compress=0&role=r&role=q',
  );
  expect([...params.settings]).toEqual([['max_threads', '2']]);
  expect([...params.parameters]).toEqual([['a', "x'y"]]);
  expect(params).toMatchObject({ query: 'SELECT 1', user: 'u', roles: ['r', 'q'] });
  expect(params.session).toEqual({ id: 's', timeoutS: 60, mustExist: false, close: false });
});

test('headers win over the URL', () => {
  const headers = { 'x-clickhouse-database': 'h', 'x-clickhouse-format': 'CSV' };
  expect(parse('', headers)).toMatchObject({ database: 'h', defaultFormat: 'CSV' });
  expect(parse('database=u&default_format=JSON', headers)).toMatchObject({
    database: 'h',
    defaultFormat: 'CSV',
  });
  expect(parse('database=u&default_format=JSON')).toMatchObject({ database: 'u', defaultFormat: 'JSON' });
  expect(parse('')).toMatchObject({ database: undefined, defaultFormat: 'TabSeparated', session: undefined });
});

test.each([
  ['a%20b=1', 115],
  ['x=1&a%3D1,b=2', 115],
  ['param_a%27=1', 36],
  ['default_format=CSV;', 73],
  ['compress=1', 48],
  ['decompress=true', 48],
  ['session_id=s&session_timeout=-1', 374],
  ['session_id=s&session_timeout=9999', 374],
])('%s fails with %i', (search, code) => {
  expect(() => parse(search)).toThrow(expect.objectContaining({ code }));
});
