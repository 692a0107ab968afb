import { parseExactDocument } from '@tickrate/contract';
import { describe, expect, test } from 'vitest';
import { roundedIntegers } from '../rounded-integers.ts';
import { compileDeclaration } from './compile-declaration.ts';

function faultsOf(document: unknown): string[] {
  const result = compileDeclaration(document);
  return result.ok ? [] : result.faults.map(({ pointer, message }) => `${pointer} ${message}`);
}

function withMember(schema: unknown): unknown {
  return { type: 'object', properties: { a: schema } };
}

describe('a declaration', () => {
  test.each<[string, unknown, string]>([
    ['no object', 3, ' a declaration must be a JSON object'],
    [
      'an array at the root',
      { type: 'array', items: { type: 'string' } },
      '/type an event must be an object',
    ],
    ['a nullable root', { type: ['object', 'null'], properties: {} }, '/type an event must be an object'],
    [
      'a map at the root',
      { type: 'object', additionalProperties: { type: 'string' } },
      '/additionalProperties an event must have named members',
    ],
    [
      'an unknown keyword',
      withMember({ type: 'string', contentEncoding: 'base64' }),
      '/properties/a/contentEncoding is not part of the profile for string',
    ],
    [
      'a keyword of another type',
      withMember({ type: 'string', minimum: 1 }),
      '/properties/a/minimum is not part',
    ],
    ['no type', withMember({}), '/properties/a/type must be one of'],
    ['two types', withMember({ type: ['string', 'integer'] }), '/properties/a/type must be one of'],
    ['null alone', withMember({ type: 'null' }), '/properties/a/type must be one of'],
    [
      'open objects',
      { type: 'object', properties: {}, additionalProperties: true },
      '/additionalProperties must be false',
    ],
    [
      'an unsafe member name',
      { type: 'object', properties: { constructor: { type: 'string' } } },
      '/properties/constructor a member name',
    ],
    [
      'a member name that no column can have',
      { type: 'object', properties: { 'a.b': { type: 'string' } } },
      '/properties/a.b a member name',
    ],
    [
      'a pointer that needs escapes',
      { type: 'object', properties: { 'a/b~': { type: 'string' } } },
      '/properties/a~1b~0 a member name',
    ],
    [
      'a required member that is not declared',
      { type: 'object', properties: {}, required: ['b'] },
      '/required names "b"',
    ],
    [
      'a look-behind',
      withMember({ type: 'string', pattern: '(?<=a)b' }),
      '/properties/a/pattern look-behind',
    ],
    [
      'a back-reference',
      withMember({ type: 'string', pattern: '(a)\\1' }),
      '/properties/a/pattern is not a regular expression',
    ],
    [
      'a pattern with a huge automaton',
      withMember({ type: 'string', pattern: '((a{50}){50}){50}' }),
      '/properties/a/pattern',
    ],
    [
      'an unknown format',
      withMember({ type: 'string', format: 'hostname' }),
      '/properties/a/format must be one of',
    ],
    [
      'a format of another type',
      withMember({ type: 'integer', format: 'uuid' }),
      '/properties/a/format must be one of',
    ],
    [
      'bounds that exclude everything',
      withMember({ type: 'integer', minimum: 3, maximum: 2 }),
      '/properties/a',
    ],
    [
      'an integer range without integers',
      withMember({ type: 'integer', exclusiveMinimum: 1, exclusiveMaximum: 2 }),
      '/properties/a no integer lies',
    ],
    [
      'a fractional step of integers',
      withMember({ type: 'integer', multipleOf: 0.5 }),
      '/properties/a/multipleOf must be an integer',
    ],
    ['an empty enum', withMember({ type: 'string', enum: [] }), '/properties/a/enum must be a list'],
    [
      'an enum of another type',
      withMember({ type: 'string', enum: ['a', 1] }),
      '/properties/a/enum contains a value that is not',
    ],
    [
      'an enum with a repeated value',
      withMember({ type: 'string', enum: ['a', 'a'] }),
      '/properties/a/enum repeats a value',
    ],
    ['a list without items', withMember({ type: 'array' }), '/properties/a/items is required'],
    [
      'null lists within lists',
      withMember({ type: 'array', items: { type: ['array', 'null'], items: { type: 'string' } } }),
      '/properties/a/items/type a list or an object',
    ],
    [
      'a recursive reference',
      {
        $defs: { a: { type: 'object', properties: { b: { $ref: '#/$defs/a' } } } },
        ...(withMember({ $ref: '#/$defs/a' }) as object),
      },
      '$ref refers to itself',
    ],
    [
      'a reference to elsewhere',
      withMember({ $ref: 'https://example.com/schema' }),
      '/properties/a/$ref must name a definition',
    ],
    [
      'two times of the event',
      {
        type: 'object',
        properties: {
          a: { type: 'string', format: 'date-time', 'x-occurred-at': true },
          b: { type: 'string', format: 'date-time', 'x-occurred-at': true },
        },
      },
      '/properties/b/x-occurred-at can be set on one member',
    ],
    [
      'a time of the event that is no date-time',
      withMember({ type: 'string', 'x-occurred-at': true }),
      '/properties/a/x-occurred-at',
    ],
    [
      'a personal time of the event',
      withMember({ type: 'string', format: 'date-time', 'x-occurred-at': true, 'x-personal': true }),
      '/properties/a/x-occurred-at cannot be personal',
    ],
    [
      'a time of the event within a personal object',
      withMember({
        type: 'object',
        'x-personal': true,
        properties: { b: { type: 'string', format: 'date-time', 'x-occurred-at': true } },
      }),
      '/properties/a/properties/b/x-occurred-at cannot be personal',
    ],
    [
      'another draft',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' },
      '/$schema must be',
    ],
  ])('with %s is rejected with its place', (_name, document, expected) => {
    expect(faultsOf(document).join('\n')).toContain(expected);
  });

  test('reports all faults together', () => {
    const properties = { a: { type: 'text' }, b: { type: 'string', format: 'x' }, c: { type: 'array' } };
    expect(faultsOf({ type: 'object', properties })).toHaveLength(3);
  });

  test('has at most 500 properties, 8 levels and 128 KiB', () => {
    const many = (count: number) => ({
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: count }, (_, n) => [`m${n}`, { type: 'boolean' }])),
    });
    expect(faultsOf(many(500))).toEqual([]);
    expect(faultsOf(many(501)).join()).toContain('at most 500 properties');
    const deep = (levels: number): object =>
      levels === 0 ? { type: 'boolean' } : { type: 'object', properties: { a: deep(levels - 1) } };
    expect(faultsOf(deep(8))).toEqual([]);
    expect(faultsOf(deep(9)).join()).toContain('nested deeper than 8');
    expect(faultsOf({ type: 'object', description: 'x'.repeat(140_000) }).join()).toContain('131072 bytes');
  });

  test('cannot show other words than it contains', () => {
    for (const declaration of [{ description: 'a\u202eb' }, { properties: { a: { enum: ['\u2066'] } } }])
      expect(faultsOf({ type: 'object', ...declaration }).join()).toContain('changes the order of the text');
  });

  test('that expands through references is read only to the limit', () => {
    const wide = (name: string) =>
      Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`m${n}`, { $ref: `#/$defs/${name}` }]));
    // Nobody could wait for the end of 60 to the power of six.
    const chain = Array.from({ length: 5 }, (_, n) => [
      `d${n}`,
      { type: 'object', properties: wide(`d${n + 1}`) },
    ]);
    const $defs = {
      ...Object.fromEntries(chain),
      d5: { type: 'object', properties: { leaf: { type: 'boolean' } } },
    };
    expect(faultsOf({ $defs, type: 'object', properties: wide('d0') }).join()).toContain(
      'at most 500 properties',
    );
  });

  test('can define parts once and use them several times', () => {
    const $defs = { point: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] } };
    const properties = {
      from: { $ref: '#/$defs/point', description: 'Where it began' },
      to: { $ref: '#/$defs/point' },
    };
    const result = compileDeclaration({ $defs, type: 'object', properties });
    expect(result.ok && result.declaration.columns.map(({ path, type }) => [path, type])).toEqual([
      ['from.x', 'Float64'],
      ['to.x', 'Float64'],
    ]);
  });
});

describe('an integer of a declaration that does not fit a double', () => {
  test.each([
    ['{"minimum":9007199254740993}', ['/minimum would be rounded to 9007199254740992']],
    ['{"enum":[1,9007199254740993]}', ['/enum/1 would be rounded to 9007199254740992']],
    ['{"const":9223372036854775807}', ['/const would be rounded to 9223372036854775808']],
    [
      '{"properties":{"a":{"exclusiveMaximum":18446744073709551615}}}',
      ['/properties/a/exclusiveMaximum would be rounded to 18446744073709551616'],
    ],
    ['{"minimum":-9223372036854775808,"maximum":9223372036854775807}', []],
    ['{"maximum":18446744073709551615}', []],
    ['{"maximum":1000000000000000000,"const":1e19}', []],
    [JSON.stringify({ minimum: Number.MIN_SAFE_INTEGER * 1000, maximum: 2 ** 63 }), []],
    ['{"examples":[76561198000000001]}', []],
  ])('is reported in %s unless it is stored exactly', (text, messages) => {
    const faults = roundedIntegers(parseExactDocument(Buffer.from(text)));
    expect(faults.map(({ pointer, message }) => `${pointer} ${message}`)).toEqual(messages);
  });
});

describe('the stored columns of a declaration', () => {
  test('have the declared types, with nulls only where a value can be absent', () => {
    const result = compileDeclaration({
      type: 'object',
      required: ['id', 'level', 'place'],
      properties: {
        id: { type: 'string', format: 'uuid' },
        level: { type: 'integer', format: 'int32' },
        seen: { type: 'string', format: 'date-time', description: 'When it was seen' },
        place: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
        maybe: { type: 'object', properties: { y: { type: 'number' } }, required: ['y'] },
        tags: { type: 'array', items: { type: ['string', 'null'] } },
        counts: { type: 'object', additionalProperties: { type: 'integer', format: 'uint64' } },
        items: {
          type: 'array',
          items: {
            type: 'object',
            properties: { n: { type: 'integer' }, note: { type: 'string', 'x-personal': true } },
            required: ['n'],
          },
        },
      },
    });
    const columns = result.ok ? result.declaration.columns : [];
    expect(columns.map(({ path, type, nullable }) => `${path} ${type}${nullable ? ' null' : ''}`)).toEqual([
      'id UUID',
      'level Int32',
      'seen DateTime64(3) null',
      'place.x Float64',
      'maybe.y Float64 null',
      'tags Array(Nullable(String))',
      'counts Map(String, UInt64)',
      'items Array(Tuple(n Int64, note Nullable(String)))',
    ]);
    expect(columns.filter(({ personal }) => personal).map(({ path }) => path)).toEqual(['items']);
    expect(columns.find(({ path }) => path === 'seen')?.description).toBe('When it was seen');
  });
});
