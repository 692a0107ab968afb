import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readExploreSearch, readValue, stepName, writeValue } from './explore-search.ts';

test('an address without a question asks for the volume of all types', () => {
  expect(readExploreSearch({} as never)).toMatchObject({
    analysis: 'volume',
    types: [],
    where: [],
    per: 'hour',
  });
});

test('wrong parts of an address are replaced, and never throw', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.anything()), (search) => {
      const read = readExploreSearch(search as never);
      expect(readExploreSearch(read as never)).toEqual(read);
    }),
  );
});

test('a value survives being written and read', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant('7'), fc.constant('true')),
      (value) => {
        expect(readValue(writeValue(value))).toEqual(value);
      },
    ),
  );
});

test('the name of a step has its conditions', () => {
  const where = [{ member: 'step', is: 'greater', value: '4' }] as const;
  expect(stepName({ type: 'tutorial_step', where: [...where] })).toBe('tutorial_step · step > "4"');
});
