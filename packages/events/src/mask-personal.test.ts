import { expect, test } from 'vitest';
import { compileDeclaration } from './declaration/reading/compile-declaration.ts';
import { maskPersonal } from './mask-personal.ts';

test('only personal members are hidden, at every level', () => {
  const result = compileDeclaration({
    type: 'object',
    properties: {
      level: { type: 'integer' },
      nick: { type: 'string', 'x-personal': true },
      place: {
        type: 'object',
        properties: { city: { type: 'string', 'x-personal': true }, zone: { type: 'string' } },
      },
      home: { type: 'object', 'x-personal': true, properties: { street: { type: 'string' } } },
      friends: {
        type: 'array',
        items: { type: 'object', properties: { name: { type: 'string', 'x-personal': true } } },
      },
    },
  });
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  const event = {
    level: 3,
    nick: 'Bo',
    place: { city: 'Rome', zone: 'b' },
    home: { street: 'x' },
    friends: [{ name: 'Al' }],
  };
  expect(maskPersonal(event, result.declaration.columns)).toEqual({
    level: 3,
    nick: null,
    place: { city: null, zone: 'b' },
    home: { street: null },
    friends: null,
  });
});
