import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { createSchemaCheck } from './schema-check.ts';

test.each(['0001-01-01T00:00:00Z', '1899-12-31T23:59:59Z', '2300-01-01T00:00:00Z', 'yesterday'])(
  'the fault of %s says which times can be stored',
  (from) => {
    const check = createSchemaCheck(Type.Object({ from: Type.String({ format: 'date-time' }) }));
    const message = 'must be an RFC 3339 time from 1900 to 2299, the range that can be stored';
    expect(check.fault({ from })).toEqual({ kind: 'invalid', place: 'from', message });
  },
);

describe('a number in a URL', () => {
  const schema = Type.Object({
    count: Type.Optional(Type.Integer({ minimum: 0, maximum: 2 ** 53 })),
    share: Type.Optional(Type.Number()),
    limit: Type.Optional(Type.Integer({ default: 50 })),
    isLate: Type.Optional(Type.Boolean()),
  });
  const check = createSchemaCheck(schema, 'url');

  test.each(['0', '7', '50', '9007199254740991'])('is read in its usual form: %s', (count) => {
    const value: Record<string, unknown> = { count };
    expect(check.fault(value)).toBeNull();
    expect(value).toEqual({ count: Number(count), limit: 50 });
  });

  const others = ['1e0', '1.0', '+1', '-0', '01', ' 1', '1 ', '1_0', '0x1', '0b1', '٣', '9007199254740993'];
  test.each(others)('is rejected in any other form: %j', (count) => {
    expect(check.fault({ count })).toMatchObject({ kind: 'type', place: 'count' });
  });

  test.each(['', 'one', '1,5', 'true', 'null'])('is rejected if it is none: %j', (count) => {
    expect(check.fault({ count })).toMatchObject({ kind: 'type', place: 'count' });
  });

  test.each(['0.5', '-12.25', '3'])('may have a fraction where the schema has one: %s', (share) => {
    const value: Record<string, unknown> = { share };
    expect(check.fault(value)).toBeNull();
    expect(value['share']).toBe(Number(share));
  });

  test('a boolean is true or false', () => {
    for (const isLate of ['true', 'false']) expect(check.fault({ isLate })).toBeNull();
    for (const isLate of ['1', '0', 'yes', 'TRUE', '', 'null'])
      expect(check.fault({ isLate }), isLate).not.toBeNull();
  });
});
