import { expect, test } from 'vitest';
import type { Answer } from '../clickhouse.ts';
import { readInsertAnswer } from './insert-outcome.ts';

function answer(given: Partial<Answer>): Answer {
  return { status: 200, exceptionCode: null, isClickHouse: true, text: '', isWhole: true, ...given };
}

function exception(code: number, text = ''): Answer {
  return answer({ status: 500, exceptionCode: String(code), text });
}

test('rows are stored only if ClickHouse confirms it', () => {
  expect(readInsertAnswer(answer({}))).toEqual({ kind: 'stored' });
  expect(readInsertAnswer(answer({ isClickHouse: false, text: '<html>' }))).toMatchObject({
    kind: 'transient',
    code: 'NOT_CLICKHOUSE',
    known: false,
  });
});

test('an exception with status 200 is a fault', () => {
  expect(readInsertAnswer(answer({ exceptionCode: '241' }))).toMatchObject({
    kind: 'transient',
    code: '241',
  });
});

test.each([159, 202, 203, 209, 210, 241, 242, 252, 319, 999])('code %d is retried', (code) => {
  expect(readInsertAnswer(exception(code))).toMatchObject({ kind: 'transient', known: true });
});

test.each([6, 26, 27, 38, 41, 53, 69, 72, 117, 131, 321])('code %d is a fault of the data', (code) => {
  expect(readInsertAnswer(exception(code))).toMatchObject({ kind: 'data', row: null });
});

test.each([16, 47, 60])('code %d is a fault of the schema', (code) => {
  expect(readInsertAnswer(exception(code))).toMatchObject({ kind: 'schema', code: String(code) });
});

test('an unclassified code is retried and raises an alarm', () => {
  expect(readInsertAnswer(exception(516))).toMatchObject({ kind: 'transient', code: '516', known: false });
});

test('a status without an exception comes from a proxy', () => {
  expect(readInsertAnswer(answer({ status: 502 }))).toMatchObject({ code: 'HTTP_502', known: true });
  expect(readInsertAnswer(answer({ status: 413 }))).toMatchObject({ code: 'HTTP_413', known: false });
});

test('rows are counted from 0, where ClickHouse counts from 1', () => {
  const text = 'Code: 117. DB::Exception: Unknown code: (at row 1)\n: While executing. (INCORRECT_DATA)';
  expect(readInsertAnswer(exception(117, text))).toMatchObject({ kind: 'data', row: 0 });
});
