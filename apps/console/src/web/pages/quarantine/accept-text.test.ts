import { expect, test } from 'vitest';
import { acceptText } from './accept-text.ts';

const declaration = {
  type: 'object',
  properties: {
    level: { type: 'integer', minimum: 1 },
    seconds: { type: 'number' },
    hero: { type: 'object', properties: { ranks: { type: 'array', items: { type: 'integer' } } } },
  },
};

function rejected(pointer: string, event: object) {
  return { reason: 'typeMismatch', pointer, beginning: JSON.stringify(event) };
}

test('offers int64 for each integer that was sent as text, also in an array', () => {
  const entries = [
    rejected('/level', { level: '7' }),
    rejected('/level', { level: '-8' }),
    rejected('/hero/ranks/1', { hero: { ranks: [1, '2'] } }),
  ];
  const int64 = { type: 'integer', format: 'int64' };
  expect(acceptText(declaration, entries)).toEqual({
    members: ['level', 'hero.ranks.1'],
    declaration: {
      ...declaration,
      properties: {
        ...declaration.properties,
        level: { ...int64, minimum: 1 },
        hero: { type: 'object', properties: { ranks: { type: 'array', items: int64 } } },
      },
    },
  });
});

test.each([
  ['a word', rejected('/level', { level: 'seven' })],
  ['a fraction', rejected('/level', { level: 7.5 })],
  ['text for a number', rejected('/seconds', { seconds: '7' })],
  ['a member that is not declared', rejected('/other', { other: '7' })],
  ['an event that the role does not show', { ...rejected('/level', {}), beginning: null }],
])('offers nothing for %s', (_what, entry) => {
  expect(acceptText(declaration, [entry])).toBeNull();
});
