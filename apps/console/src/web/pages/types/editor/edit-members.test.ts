import { expect, test } from 'vitest';
import {
  freeName,
  kindOf,
  linesOfValues,
  moveMember,
  readMembers,
  valuesOfLines,
  withKind,
  withNull,
  writeMembers,
} from './edit-members.ts';
import { parseDeclaration } from './parse-declaration.ts';

const level = { type: 'integer', minimum: 1, 'x-personal': true };
const object = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  required: ['level'],
  properties: { level, note: { $ref: '#/$defs/note' } },
  $defs: { note: { type: 'string' } },
};

// Invariant (Management): A declaration that is being edited survives a reload, and the form and the JSON
// never change what the other shows
test('members that are read and written are the same document', () => {
  expect(JSON.stringify(writeMembers(object, readMembers(object)))).toBe(JSON.stringify(object));
  expect(writeMembers({ type: 'object' }, [])).toEqual({ type: 'object', properties: {} });
});

test('a member is moved, renamed, required and removed without touching another', () => {
  const members = readMembers(object);
  const turned = writeMembers(object, moveMember(members, 0, 1));
  expect(Object.keys(turned['properties'] as object)).toEqual(['note', 'level']);
  expect(moveMember(members, 0, 2)).toBe(members);
  const [first] = members;
  const renamed = first === undefined ? [] : [{ ...first, name: 'rank', isRequired: false }];
  expect(writeMembers(object, renamed)).toMatchObject({ required: [], properties: { rank: level } });
  expect(freeName([{ name: 'member_2', schema: {}, isRequired: false }])).toBe('member_3');
});

test('a kind is a type with its format; references and unknown types are edited as JSON', () => {
  expect(kindOf({ type: ['string', 'null'], format: 'date-time' })).toBe('string · date-time');
  expect(kindOf({ type: 'object', additionalProperties: { type: 'integer' } })).toBe('map');
  expect([{ $ref: '#/$defs/note' }, 5, { type: ['string', 'integer'] }, {}].map(kindOf)).toEqual(
    Array(4).fill('other'),
  );
});

test('another kind keeps what does not depend on it', () => {
  expect(withKind(withNull(level, true), 'number')).toEqual({ type: ['number', 'null'], 'x-personal': true });
  expect(withKind(level, 'integer · int32')).toEqual({ ...level, format: 'int32' });
  expect(kindOf(withKind(5, 'map'))).toBe('map');
});

test('permitted values are lines, and no line permits every value', () => {
  const kinds = { type: ['integer', 'null'], enum: [1, 2, null] };
  expect(linesOfValues(kinds)).toBe('1\n2');
  expect(valuesOfLines('1\n\n3', kinds)).toEqual([1, 3, null]);
  expect(valuesOfLines('one', kinds)).toBeNull();
  expect(valuesOfLines(' ', kinds)).toBeUndefined();
});

test('a number that the page would change is a fault, except in a string', () => {
  expect(parseDeclaration('{"maximum": 9007199254740993}').declaration).toBeNull();
  expect(parseDeclaration('{"maximum": 9223372036854775807}').fault).toContain('9223372036854775807');
  expect(parseDeclaration('{"title": "9007199254740993", "maximum": 0.1}').fault).toBeNull();
});
