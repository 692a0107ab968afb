import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteIdentifier, quotePath, quoteString } from './quote.ts';

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.constantFrom("'", '`', '\\', '"', '.', '\n', '\0', 'a', ' ', '--', ';', '?', '{') }),
);

/** Reads a quoted token like ClickHouse's lexer, and returns the rest of the text too. */
function unquote(sql: string): { text: string; rest: string } {
  const quote = sql[0];
  let text = '';
  for (let at = 1; at < sql.length; at++) {
    const character = sql[at] ?? '';
    if (character === quote) return { text, rest: sql.slice(at + 1) };
    if (character !== '\\') text += character;
    else text += { n: '\n', r: '\r', t: '\t', '0': '\0' }[sql[++at] ?? ''] ?? sql[at];
  }
  throw new Error(`never closed: ${sql}`);
}

test('any quoted text is one literal that reads back unchanged', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      expect(unquote(quoteString(text))).toEqual({ text, rest: '' });
    }),
  );
});

test('any quoted name is one identifier that reads back unchanged', () => {
  fc.assert(
    fc.property(
      hostile.filter((name) => name !== ''),
      (name) => {
        expect(unquote(quoteIdentifier(name))).toEqual({ text: name, rest: '' });
      },
    ),
  );
});

test('every step of a path is quoted separately', () => {
  expect(quotePath('position.x')).toBe('`position`.`x`');
  expect(() => quotePath('a..b')).toThrow(RangeError);
});

test('an empty name and half of a surrogate pair are rejected', () => {
  expect(() => quoteIdentifier('')).toThrow(RangeError);
  expect(() => quoteString('\ud800')).toThrow(RangeError);
});
