import fc from 'fast-check';
import { expect, test } from 'vitest';
import { canonicalJson } from './canonical-json.ts';

test('the order of members does not matter, but the order of items does', () => {
  expect(canonicalJson({ b: [1, 2], a: { d: null, c: 'x' } })).toBe('{"a":{"c":"x","d":null},"b":[1,2]}');
  expect(canonicalJson([2, 1])).not.toBe(canonicalJson([1, 2]));
});

test('documents are equal exactly if their texts are equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(canonicalJson(JSON.parse(text))).toBe(text);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(value))).toBe(text);
    }),
  );
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}
