import { writeJson } from '@tickrate/contract';
import { declaredSamples, type SampleJson } from '@tickrate/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowWriter } from '../rows/row-writer.ts';
import { compareDeclarations } from './compare-declarations.ts';
import { type CompiledDeclaration, compileDeclaration } from './reading/compile-declaration.ts';

function compiled(document: unknown): CompiledDeclaration {
  const result = compileDeclaration(document);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.declaration;
}

function changes(
  before: object,
  after: object,
  required: { before?: string[]; after?: string[] } = {},
): string[] {
  const from = compiled({ type: 'object', properties: before, required: required.before ?? [] });
  const to = compiled({ type: 'object', properties: after, required: required.after ?? [] });
  return compareDeclarations(from, to).map(({ pointer, kind, change }) => `${kind} ${change} ${pointer}`);
}

const text = { type: 'string' };

describe('two versions of a declaration', () => {
  test.each<[string, [before: object, after: object], string]>([
    ['an added optional member', [{}, { a: text }], 'compatible added /a'],
    ['a removed member', [{ a: text }, {}], 'breaking removed /a'],
    ['a retyped member', [{ a: text }, { a: { type: 'integer' } }], 'breaking retyped /a'],
    [
      'null that is accepted now',
      [{ a: text }, { a: { type: ['string', 'null'] } }],
      'compatible nullAccepted /a',
    ],
    [
      'null that is refused now',
      [{ a: { type: ['string', 'null'] } }, { a: text }],
      'breaking nullRefused /a',
    ],
    [
      'a longer text',
      [{ a: { type: 'string', maxLength: 3 } }, { a: { type: 'string', maxLength: 4 } }],
      'compatible maxLengthWidened /a',
    ],
    [
      'a shorter text',
      [{ a: text }, { a: { type: 'string', maxLength: 4 } }],
      'breaking maxLengthNarrowed /a',
    ],
    [
      'a wider range',
      [{ a: { type: 'integer', minimum: 1 } }, { a: { type: 'integer', minimum: 0 } }],
      'compatible minimumWidened /a',
    ],
    [
      'a narrower range',
      [{ a: { type: 'number', maximum: 9 } }, { a: { type: 'number', maximum: 8 } }],
      'breaking maximumNarrowed /a',
    ],
    [
      'an added allowed value',
      [{ a: { type: 'string', enum: ['x'] } }, { a: { type: 'string', enum: ['x', 'y'] } }],
      'compatible enumWidened /a',
    ],
    [
      'a removed allowed value',
      [{ a: { type: 'string', enum: ['x', 'y'] } }, { a: { type: 'string', enum: ['x'] } }],
      'breaking enumNarrowed /a',
    ],
    [
      'another pattern',
      [{ a: { type: 'string', pattern: 'x' } }, { a: { type: 'string', pattern: 'y' } }],
      'breaking patternChanged /a',
    ],
    [
      'a removed pattern',
      [{ a: { type: 'string', pattern: 'x' } }, { a: text }],
      'compatible patternDropped /a',
    ],
    ['a format', [{ a: text }, { a: { type: 'string', format: 'uuid' } }], 'breaking formatChanged /a'],
    ['a description', [{ a: text }, { a: { type: 'string', description: 'x' } }], 'compatible described /a'],
    [
      'a change of items',
      [{ a: { type: 'array', items: text } }, { a: { type: 'array', items: { type: 'boolean' } } }],
      'breaking retyped /a/*',
    ],
  ])('differ by %s', (_name, [before, after], expected) => {
    expect(changes(before, after)).toContain(expected);
  });

  test('break when a member becomes required, also a new one', () => {
    expect(changes({ a: text }, { a: text }, { after: ['a'] })).toEqual(['breaking nowRequired /a']);
    expect(changes({}, { a: text }, { after: ['a'] })).toEqual(['breaking addedRequired /a']);
    expect(changes({ a: text }, { a: text }, { before: ['a'] })).toEqual(['compatible nowOptional /a']);
  });

  test('state the values of a change, for a sentence in another language', () => {
    const before = compiled({
      type: 'object',
      properties: { a: { type: 'integer', minimum: 1, enum: [1, 2] } },
    });
    const after = compiled({
      type: 'object',
      properties: { a: { type: 'integer', minimum: 0, enum: [2, 3], 'x-personal': true } },
    });
    const compared = compareDeclarations(before, after).map((each) => [each.change, each.before, each.after]);
    expect(compared).toEqual([
      ['personal', 'false', 'true'],
      ['minimumWidened', '1', '0'],
      ['enumNarrowed', '1', null],
      ['enumWidened', null, '3'],
    ]);
    expect(compareDeclarations(compiled({ type: 'object', properties: {} }), after)[0]).toMatchObject({
      change: 'added',
      before: null,
      after: null,
    });
  });

  test('do not differ when they are equal', () => {
    fc.assert(
      fc.property(declaredSamples(), ({ document }) => {
        expect(compareDeclarations(compiled(document), compiled(document))).toEqual([]);
      }),
    );
  });

  test('both accept every event of the first if no change is breaking', () => {
    const pairs = fc
      .tuple(declaredSamples(), declaredSamples())
      .chain(([before, other]) =>
        fc.tuple(
          fc.constant(before.document),
          before.event,
          fc.constant(widened(before.document, other.document)),
        ),
      );
    fc.assert(
      fc.property(pairs, ([before, event, after]) => {
        const to = compiled(after);
        const isBreaking = compareDeclarations(compiled(before), to).some(({ kind }) => kind === 'breaking');
        fc.pre(!isBreaking);
        expect(to.codec().read(writeJson(event as SampleJson), 0, new RowWriter())).toBeGreaterThan(0);
      }),
      { numRuns: 200 },
    );
  });
});

/** The first declaration, with those optional members of the second that it does not have. */
function widened(before: Record<string, unknown>, other: Record<string, unknown>): Record<string, unknown> {
  const properties = { ...(other['properties'] as object), ...(before['properties'] as object) };
  return { ...before, properties };
}
