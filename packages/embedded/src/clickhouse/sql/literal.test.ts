import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokens } from './lexer.ts';
import { isIdentifier, quotedIdentifier, stringLiteral } from './literal.ts';

test('no text can end a string literal', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const found = [...tokens(`${stringLiteral(text)} , 1`)];
      expect(found.map(({ kind }) => kind)).toEqual(['string', 'symbol', 'number']);
    }),
  );
});

test('no name can end its quotes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (name) => {
      const found = [...tokens(`${quotedIdentifier(name)} .`)];
      expect(found.map(({ kind }) => kind)).toEqual(['quoted', 'symbol']);
    }),
  );
});

test('only plain words are identifiers', () => {
  expect(['a', '_a1', 'A_b'].every(isIdentifier)).toBe(true);
  expect(['', '1a', 'a-b', 'a b', 'a.b', "a'", 'é'].some(isIdentifier)).toBe(false);
});
