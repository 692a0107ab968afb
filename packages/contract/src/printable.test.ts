import { expect, test } from 'vitest';
import { printable, printableLines, reorderingFault } from './printable.ts';

const hostile = 'a\u001b[2Jb\u009b31mc\u0007d\u007fe\u202ef\ng';

test('a name reaches the terminal without what the terminal obeys', () => {
  expect(printable(hostile)).toBe('a\\u001b[2Jb\\u009b31mc\\u0007d\\u007fe\\u202ef\\u000ag');
  expect(printable('Grüße 😀 日本 👩‍🚀')).toBe('Grüße 😀 日本 👩‍🚀');
});

test('lines stay lines, and JSON stays the same JSON', () => {
  expect(printableLines('a\tb\nc\u001b')).toBe('a\tb\nc\\u001b');
  const value = { name: hostile };
  expect(JSON.parse(printableLines(JSON.stringify(value, null, 2)))).toEqual(value);
});

test('nothing is invisible, and the joiners of Persian and emoji stay', () => {
  expect(printable('a\u200bb\ufeffc\u00add\u{e0041}e')).toBe('a\\u200bb\\ufeffc\\u00add\\udb40\\udc41e');
  expect(printable('می\u200cخواهم 👩\u200d🚀')).toBe('می\u200cخواهم 👩\u200d🚀');
});

test('only what changes the order of other text is a fault of a name', () => {
  for (const character of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
    expect(reorderingFault(`a${character}b`)).toContain('changes the order');
  expect(reorderingFault('שלום\u200f مرحبا\u200e')).toBeNull();
});
