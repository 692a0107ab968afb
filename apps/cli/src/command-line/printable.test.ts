import { expect, test } from 'vitest';
import { tableLines } from './command.ts';
import { printable, printableLines } from './printable.ts';

const hostile = 'a\u001b[2Jb\u009b31mc\u0007d\u007fe\u202ef\ng';

test('a name reaches the terminal without what the terminal obeys', () => {
  expect(printable(hostile)).toBe('a\\u001b[2Jb\\u009b31mc\\u0007d\\u007fe\\u202ef\\u000ag');
  expect(tableLines([[hostile, 'x']])).toEqual([`${printable(hostile)}  x`]);
  expect(printable('Grüße 😀 日本 👩‍🚀')).toBe('Grüße 😀 日本 👩‍🚀');
});

test('lines stay lines, and JSON stays the same JSON', () => {
  expect(printableLines('a\tb\nc\u001b')).toBe('a\tb\nc\\u001b');
  const value = { name: hostile };
  expect(JSON.parse(printableLines(JSON.stringify(value, null, 2)))).toEqual(value);
});
