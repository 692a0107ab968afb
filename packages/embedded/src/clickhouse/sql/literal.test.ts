import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokens } from './lexer.ts';
import { isIdentifier, quotedIdentifier, stringLiteral } from './literal.ts';

// The unit 'binary' has the same characters, but its table costs a second of CPU at its first use.
const character = fc
  .oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
  .map((code) => String.fromCodePoint(code));
const anyText = fc.string({ unit: fc.oneof(fc.constantFrom("'", '"', '`', '\\', '\0', '\n'), character) });

test('no text can end a string literal', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const found = [...tokens(`${stringLiteral(text)} , 1`)];
      expect(found.map(({ kind }) => kind)).toEqual(['string', 'symbol', 'number']);
    }),
  );
});

test('no name can end its quotes', () => {
  fc.assert(
    fc.property(anyText, (name) => {
      const found = [...tokens(`${quotedIdentifier(name)} .`)];
      expect(found.map(({ kind }) => kind)).toEqual(['quoted', 'symbol']);
    }),
  );
});

test('only plain words are identifiers', () => {
  expect(['a', '_a1', 'A_b'].every(isIdentifier)).toBe(true);
  expect(['', '1a', 'a-b', 'a b', 'a.b', "a'", 'é'].some(isIdentifier)).toBe(false);
});
