import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ColumnType, parseColumnType, shownTypeText, storedTypeText } from './column-type.ts';
import { widenType } from './view-columns.ts';

const scalarNames = [
  'Int32',
  'Int64',
  'UInt64',
  'Float64',
  'String',
  'Bool',
  'DateTime64(3)',
  'Date32',
  'UUID',
  'IPv4',
  'IPv6',
];
const scalar = fc.constantFrom(...scalarNames).map((name): ColumnType => ({ kind: 'scalar', name }));
const { type: anyType } = fc.letrec<{ type: ColumnType }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4 },
    scalar,
    scalar.map((of): ColumnType => ({ kind: 'nullable', of })),
    tie('type').map((of): ColumnType => ({ kind: 'array', of })),
    tie('type').map((of): ColumnType => ({ kind: 'map', of })),
    fc
      .uniqueArray(fc.tuple(fc.stringMatching(/^[A-Za-z_]\w{0,4}$/), tie('type')), {
        minLength: 1,
        maxLength: 4,
        selector: ([name]) => name,
      })
      .map((members): ColumnType => ({ kind: 'tuple', members: new Map(members) })),
  ),
}));

test('a written type is read back unchanged', () => {
  fc.assert(
    fc.property(anyType, (type) => {
      expect(parseColumnType(storedTypeText(type))).toEqual(type);
    }),
  );
});

test('a type that no member can have is rejected', () => {
  for (const text of [
    '',
    'Array()',
    'Map(Int64, String)',
    'Array(String',
    'Tuple(String)',
    "String) x, 'y",
  ]) {
    expect(() => parseColumnType(text)).toThrow(RangeError);
  }
});

test('times are shown in UTC at every nesting level', () => {
  const type = parseColumnType('Array(Tuple(at Nullable(DateTime64(3)), n Int64))');
  expect(shownTypeText(type)).toBe("Array(Tuple(at Nullable(DateTime64(3, 'UTC')), n Int64))");
});

test('a type widens to itself, and two types widen to the same in either order', () => {
  fc.assert(
    fc.property(anyType, anyType, (a, b) => {
      expect(widenType(a, a)).toEqual(a);
      expect(widenType(a, b) === null).toBe(widenType(b, a) === null);
    }),
  );
});

test('a widened type does not change by widening with either type', () => {
  fc.assert(
    fc.property(anyType, anyType, (a, b) => {
      const joint = widenType(a, b);
      fc.pre(joint !== null);
      if (joint !== null) {
        expect(widenType(joint, a)).toEqual(joint);
        expect(widenType(joint, b)).toEqual(joint);
      }
    }),
  );
});

test.each([
  ['Int32', 'Int64', 'Int64'],
  ['Int64', 'Float64', 'Float64'],
  ['Int64', 'UInt64', 'Int128'],
  ['Int64', 'String', null],
  ['Date32', 'DateTime64(3)', null],
  ['Array(Int32)', 'Array(Nullable(Float64))', 'Array(Nullable(Float64))'],
  ['Map(String, Int32)', 'Map(String, Int64)', 'Map(String, Int64)'],
  ['Array(String)', 'Map(String, String)', null],
  ['Array(Tuple(a Int32))', 'Array(Tuple(a Int64, b Array(Int64)))', 'Array(Tuple(a Int64, b Array(Int64)))'],
  ['Tuple(a Int64)', 'Tuple(b String)', 'Tuple(a Nullable(Int64), b Nullable(String))'],
  ['Tuple(a Tuple(x Int64))', 'Tuple(b UUID)', 'Tuple(a Tuple(x Nullable(Int64)), b Nullable(UUID))'],
  ['Tuple(a Int64)', 'Tuple(a String)', null],
])('%s and %s share %s', (a, b, joint) => {
  const type = widenType(parseColumnType(a), parseColumnType(b));
  expect(type && storedTypeText(type)).toBe(joint);
});
