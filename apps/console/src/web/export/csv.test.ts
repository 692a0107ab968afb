import { expect, test } from 'vitest';
import { writeCsv } from './csv.ts';

// Invariant (Queries): A cell of an exported CSV is never a formula
test('writes a head and rows, with quotes where they are needed', () => {
  const rows = [
    ['a,b', 1, null],
    ['say "hi"', true, 'two\nlines'],
  ] as const;
  expect(writeCsv(['text', 'number', 'rest'], rows)).toBe(
    '\uFEFFtext,number,rest\r\n"a,b",1,\r\n"say ""hi""",true,"two\nlines"\r\n',
  );
});

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1'])(
  '%j does not become a formula',
  (text) => {
    expect(writeCsv(['text'], [[text]])).toMatch(/\r\n"?'/);
  },
);

test('a number stays a number, below zero too', () => {
  expect(writeCsv(['n'], [[-1]])).toBe('\uFEFFn\r\n-1\r\n');
});
