import { isUtf8 } from 'node:buffer';
import { SystemError, writeJson } from '@tickrate/contract';
import { declaredSamples, type SampleJson } from '@tickrate/testkit';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RowWriter } from '../rows/row-writer.ts';
import { hasFormat } from './has-format.ts';
import { type CompiledDeclaration, compileDeclaration } from './reading/compile-declaration.ts';

function compiled(document: unknown): CompiledDeclaration {
  const result = compileDeclaration(document);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return result.declaration;
}

function accepts(declaration: CompiledDeclaration, source: Buffer): boolean {
  return declaration.codec().read(source, 0, new RowWriter()) >= 0;
}

/** The result of the slow path: accepted, the reasons, or the error for text that is not JSON. */
function explained(declaration: CompiledDeclaration, source: Buffer): string {
  try {
    const explanation = declaration.codec().explain(source, 0, 100);
    if (explanation.kind === 'tooLarge') return 'too large';
    if (explanation.kind === 'faults') return explanation.faults.map(({ reason }) => reason).join();
    return accepts(declaration, explanation.source) ? 'accepted' : 'respelled and refused';
  } catch (error) {
    if (error instanceof SystemError) return error.reason;
    throw error;
  }
}

function faultsOf(declaration: CompiledDeclaration, source: Buffer): string[] {
  const explanation = declaration.codec().explain(source, 0, 100);
  return explanation.kind === 'faults' ? explanation.faults.map(({ message }) => message) : [];
}

const samples = declaredSamples().chain(({ document, event }) => fc.tuple(fc.constant(document), event));
const anyJson: fc.Arbitrary<SampleJson> = fc.oneof(
  fc.constantFrom<SampleJson>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2n ** 63n,
    2n ** 64n,
    '',
    'x',
    '12',
    [],
    new Map(),
  ),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** The event with one change: a replaced value, a dropped member, or an added unknown member. */
function mutated(event: SampleJson, path: number, value: SampleJson): SampleJson {
  if (event instanceof Map && event.size > 0) {
    const names = [...event.keys()];
    const name = names[path % names.length] ?? '';
    const member = event.get(name);
    if (path % 7 === 0) return new Map([...event].filter(([key]) => key !== name));
    if (path % 7 === 1) return new Map([...event, [`${name}x`, value]]);
    const deeper =
      member !== undefined && path % 3 > 0 ? mutated(member, Math.floor(path / 3), value) : value;
    return new Map([...event].map(([key, old]) => [key, key === name ? deeper : old]));
  }
  if (Array.isArray(event) && event.length > 0 && path % 2 === 0) {
    const index = path % event.length;
    return event.map((item, at) => (at === index ? mutated(item, Math.floor(path / 2), value) : item));
  }
  return value;
}

// Invariant (Events and quarantine): The reader accepts exactly the events in which the explanation finds
// no fault, and which JSON Schema accepts
describe('the reader of a declaration', () => {
  test('accepts every matching event and reads it to its last byte', () => {
    fc.assert(
      fc.property(samples, ([document, event]) => {
        const source = writeJson(event);
        expect(compiled(document).codec().read(source, 0, new RowWriter())).toBe(source.length);
      }),
      { numRuns: 500 },
    );
  });

  test('agrees with the explanation about events with one change', () => {
    fc.assert(
      fc.property(samples, fc.nat(1000), anyJson, ([document, event], path, value) => {
        const declaration = compiled(document);
        const source = writeJson(mutated(event, path, value));
        expect(accepts(declaration, source)).toBe(explained(declaration, source) === 'accepted');
      }),
      { numRuns: 500 },
    );
  });

  test('rejects invalid JSON and undeclared values after any change of one byte', () => {
    const changes = fc.record({
      at: fc.nat(),
      byte: fc.integer({ min: 0x09, max: 0x7e }),
      inserts: fc.boolean(),
    });
    fc.assert(
      fc.property(samples, changes, ([document, event], { at, byte, inserts }) => {
        const declaration = compiled(document);
        const source = writeJson(event);
        const i = at % source.length;
        const rest = source.subarray(inserts ? i : i + 1);
        const changed = Buffer.concat([source.subarray(0, i), Buffer.from([byte]), rest]);
        if (isUtf8(changed) && accepts(declaration, changed)) {
          expect(explained(declaration, changed)).toBe('accepted');
        }
      }),
      { numRuns: 500 },
    );
  });

  test('rejects an event that is cut off at any byte', () => {
    fc.assert(
      fc.property(samples, fc.nat(), ([document, event], at) => {
        const source = writeJson(event);
        expect(accepts(compiled(document), source.subarray(0, at % source.length))).toBe(false);
      }),
    );
  });

  test('agrees with an independent validator where their rules are the same', () => {
    fc.assert(
      fc.property(samples, fc.nat(1000), anyJson, ([document, event], path, value) => {
        const mutant = mutated(event, path, value);
        if (hasWideInteger(mutant) || JSON.stringify(document).includes('int64')) return;
        const declaration = compiled(document);
        expect(accepts(declaration, writeJson(mutant))).toBe(independent(document)(plain(mutant)));
      }),
      { numRuns: 500 },
    );
  });

  test('reads wide integers exactly in every notation, and rejects numbers that only round to one', () => {
    const declaration = compiled({
      type: 'object',
      properties: { u: { type: 'integer', format: 'uint64' } },
    });
    const event = (text: string) => Buffer.from(`{"u":${text}}`);
    for (const text of [
      '1e19',
      '18446744073709551615.0',
      '1.8446744073709551615e19',
      '9007199254740993.00',
    ]) {
      expect(accepts(declaration, event(text)), text).toBe(true);
      expect(explained(declaration, event(text)), text).toBe('accepted');
    }
    for (const [text, reason] of [
      ['9007199254740993.5', 'typeMismatch'],
      ['18446744073709551615.1', 'range'],
      ['1.8446744073709551616e19', 'range'],
      ['1e20', 'range'],
    ] as const) {
      expect(accepts(declaration, event(text)), text).toBe(false);
      expect(explained(declaration, event(text)), text).toBe(reason);
    }
  });

  test.each([
    [{ minimum: 1 }, '0', 'must be at least 1'],
    [{ maximum: 9 }, '10', 'must be at most 9'],
    [{ minimum: 0, format: 'int32' }, '-1', 'must be at least 0'],
    [{ minimum: 1 }, '9223372036854775808', 'must be between 1 and 9223372036854775807'],
    [{ minimum: 1, maximum: 9 }, '0', 'must be between 1 and 9'],
  ])('names of the bounds %j for %s those that the declaration states', (bounds, text, message) => {
    const declaration = compiled({ type: 'object', properties: { n: { type: 'integer', ...bounds } } });
    expect(faultsOf(declaration, Buffer.from(`{"n":${text}}`))).toEqual([message]);
  });

  test('accepts members with escaped names through the explanation', () => {
    const declaration = compiled({ type: 'object', properties: { level: { type: 'integer' } } });
    const source = Buffer.from('{"\\u006cevel": 3}');
    expect(accepts(declaration, source)).toBe(false);
    expect(explained(declaration, source)).toBe('accepted');
  });

  test('rejects a repeated member, a repeated map key and unsafe member names', () => {
    const declaration = compiled({
      type: 'object',
      properties: {
        a: { type: 'integer' },
        m: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    });
    for (const [text, reason] of [
      ['{"a":1,"a":1}', 'malformedJson'],
      ['{"m":{"k":1,"\\u006b":2}}', 'malformedJson'],
      ['{"m":{"__proto__":1}}', 'parameterInvalid'],
      ['{"a":"\\ud800"}', 'malformedJson'],
      ['{"a":1e999}', 'range'],
      ['{"a":01}', 'malformedJson'],
      ['{"b":1}', 'unknown'],
    ] as const) {
      expect(accepts(declaration, Buffer.from(text)), text).toBe(false);
      expect(explained(declaration, Buffer.from(text)), text).toBe(reason);
    }
  });
});

function hasWideInteger(value: SampleJson): boolean {
  if (typeof value === 'bigint') return true;
  // Beyond 2^53 the independent validator reads a rounded number, and it accepts floats as integers.
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (value instanceof Map) return [...value.values()].some(hasWideInteger);
  return Array.isArray(value) && value.some(hasWideInteger);
}

function plain(value: SampleJson): unknown {
  if (value instanceof Map)
    return Object.fromEntries([...value].map(([name, member]) => [name, plain(member)]));
  return Array.isArray(value) ? value.map(plain) : value;
}

const ajv = new Ajv2020({
  strict: false,
  validateSchema: false,
  formats: { int32: { type: 'number', validate: isInt32 } },
});
for (const format of ['date-time', 'date', 'uuid', 'ipv4', 'ipv6', 'email', 'uri'] as const) {
  ajv.addFormat(format, (text: string) => hasFormat(format, text));
}

function independent(document: Record<string, unknown>): ValidateFunction {
  return ajv.compile(closed(document));
}

function isInt32(value: number): boolean {
  return value >= -(2 ** 31) && value < 2 ** 31;
}

/** The profile closes objects unless they are maps. JSON Schema leaves them open. */
function closed(schema: unknown): Record<string, unknown> {
  const copy = { ...(schema as Record<string, unknown>) };
  if (copy['properties'] !== undefined) {
    const properties = Object.entries(copy['properties'] as Record<string, unknown>);
    copy['properties'] = Object.fromEntries(properties.map(([name, member]) => [name, closed(member)]));
    copy['additionalProperties'] = false;
  } else if (copy['additionalProperties'] !== undefined) {
    copy['additionalProperties'] = closed(copy['additionalProperties']);
  }
  if (copy['items'] !== undefined) copy['items'] = closed(copy['items']);
  return copy;
}
