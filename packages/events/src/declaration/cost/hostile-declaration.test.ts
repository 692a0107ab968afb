import { describe, expect, test } from 'vitest';
import { csharpCode } from '../../type-code/csharp-code.ts';
import { typescriptCode } from '../../type-code/typescript-code.ts';
import { compareDeclarations } from '../compare-declarations.ts';
import { compileDeclaration, readAcceptedDeclaration } from '../reading/compile-declaration.ts';
import { weighPatterns } from './weigh-patterns.ts';

const named = (count: number, schemaOf: (n: number) => unknown, name = 'm') =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${name}${n}`, schemaOf(n)]));
const event = (properties: unknown) => ({ type: 'object', properties });
const text = (pattern: string) => ({ type: 'string', pattern });

function faultsOf(document: unknown): string[] {
  const result = compileDeclaration(document);
  return result.ok ? [] : result.faults.map(({ pointer, message }) => `${pointer} ${message}`);
}

// Invariant (Events and quarantine): No declaration blocks a process that serves others; one that costs
// too much is rejected with a pointer
describe('the patterns of a declaration', () => {
  test.each([
    ['long repeats', (n: number) => `a{900}b${n}`],
    ['nested repeats', (n: number) => `((a{10}){10}){9}b${n}`],
    ['classes of Unicode', (n: number) => `(?i)[\\p{L}\\p{N}]{1,${30 + (n % 100)}}x${n}`],
    ['growing automata', (n: number) => `[a-q][^u-z]{13}x${n}`],
    ['repeated classes', (n: number) => `[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}]{1000}${n}`],
  ])('are rejected at the first that is too expensive, and none after it is compiled: %s', (_, patternOf) => {
    const result = readAcceptedDeclaration(event(named(500, (n) => text(patternOf(n)))));
    if (!result.ok) throw new Error('only its patterns are at fault');
    const compiled: string[] = [];
    const faults = weighPatterns(result.declaration.patterns, (pointer) => compiled.push(pointer));
    expect(faults).toEqual([
      { pointer: compiled.at(-1), keyword: 'pattern', message: expect.stringContaining('use smaller') },
    ]);
    expect(compiled.length).toBeLessThanOrEqual(12);
  });

  test('share one cost limit over the whole declaration', () => {
    const heavy = (n: number) => text(`a{300}b${n}`);
    const [fault, ...others] = faultsOf(
      event({ ...named(3, heavy), list: { type: 'array', items: event(named(30, heavy, 'i')) } }),
    );
    expect(others).toEqual([]);
    expect(fault).toMatch(
      /^\/properties\/list\/items\/properties\/i[0-9]+\/pattern exceeds the limit for all patterns/,
    );
  });

  test('count once if several members use the same pattern', () => {
    expect(faultsOf(event(named(500, () => text('a{400}b'))))).toEqual([]);
  });

  test('are accepted if they are ordinary, on 500 members', () => {
    const honest = [
      (n: number) => `^[a-z0-9_-]{3,${16 + n}}$`,
      (n: number) => `^item-${n}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
      (n: number) => `^(?:gold|silver|bronze)_${n}$`,
      (n: number) => `^https?://[^\\s/$.?#]\\.m${n}[^\\s]*$`,
      (n: number) => `^\\d+\\.\\d+\\.${n}$`,
    ];
    expect(faultsOf(event(named(500, (n) => text(honest[n % 5]?.(n % 100) ?? ''))))).toEqual([]);
  });

  test('are all compiled in short steps before the first event', () => {
    const result = compileDeclaration(event(named(50, (n) => text(`^[a-z]{1,${40 + n}}$`))));
    if (!result.ok) throw new Error('it is accepted');
    expect([...result.declaration.prepare()].length).toBeGreaterThanOrEqual(50);
    const states = () =>
      result.declaration.patterns.map(({ pattern }) => pattern.expression().re2().dfa.stateCount);
    const before = states();
    for (const { pattern } of result.declaration.patterns) pattern.expression().test('abc'.repeat(100));
    expect(states()).toEqual(before);
  });
});

const shared = (e: object, count = 495) => ({
  ...event(named(count, () => ({ $ref: '#/$defs/e' }))),
  $defs: { e },
});
const words = (count: number) => Array.from({ length: count }, (_, n) => n.toString(36));

describe('a document whose references copy much content', () => {
  test.each([
    ['strings', { type: ['string', 'null'], enum: [null, ...words(17_000)] }, 'enum'],
    ['integers', { type: 'integer', enum: words(18_000).map((_, n) => n) }, 'enum'],
    ['numbers', { type: 'number', enum: words(15_000).map((_, n) => n + 0.5) }, 'enum'],
    ['a description', { type: 'string', description: 'd'.repeat(110_000) }, 'description'],
    ['a title', { type: 'string', title: 'd'.repeat(110_000) }, 'title'],
    ['examples', { type: 'string', examples: ['d'.repeat(110_000)] }, 'examples'],
  ])('is refused at the keyword that passes the budget: %s', (_, definition, keyword) => {
    const began = process.threadCpuUsage();
    const result = readAcceptedDeclaration(shared(definition));
    const { user, system } = process.threadCpuUsage(began);
    expect(result.ok).toBe(false);
    expect(user + system).toBeLessThan(300_000);
    expect(result.ok ? [] : result.faults).toContainEqual({
      pointer: expect.stringMatching(new RegExp(`^/properties/m[0-9]+/${keyword}$`)),
      keyword,
      message: expect.stringContaining('each reference written out'),
    });
  });

  test.each([
    ['required names', { ...event({ a: { type: 'string' } }), required: words(15_000) }],
    ['unknown keywords', { type: 'string', ...named(10_000, () => 1) }],
  ])('is refused soon when each copy has faults: %s', (_, definition) => {
    const began = process.threadCpuUsage();
    expect(faultsOf(shared(definition)).length).toBeGreaterThan(0);
    const { user, system } = process.threadCpuUsage(began);
    expect(user + system).toBeLessThan(300_000);
  });

  test('is refused when references follow each other', () => {
    const chain = named(2_000, (n) => ({ $ref: `#/$defs/m${n + 1}` }));
    const began = process.threadCpuUsage();
    const faults = faultsOf({
      ...event({ a: { $ref: '#/$defs/m0' } }),
      $defs: { ...chain, m2000: { type: 'string' } },
    });
    const { user, system } = process.threadCpuUsage(began);
    expect(faults.join()).toContain('references in a row');
    expect(user + system).toBeLessThan(150_000);
  });

  test.each([
    ['500 members with 100 values each', shared({ type: 'string', enum: words(100) }, 500)],
    ['20 members with the same 1,000 values', shared({ type: 'string', enum: words(1_000) }, 20)],
    ['500 members with words about each', shared({ type: 'string', description: 'd'.repeat(1_000) }, 500)],
  ])('is accepted when people write it: %s', (_, document) => {
    expect(faultsOf(document)).toEqual([]);
  });

  test('keeps one list and one rule for all members that refer to it', () => {
    const result = readAcceptedDeclaration(shared({ type: 'integer', enum: words(100).map((_, n) => n) }));
    if (!result.ok) throw new Error('it is accepted');
    const [first] = result.declaration.shape.members;
    expect(result.declaration.shape.members.every(({ shape }) => shape === first?.shape)).toBe(true);
  });

  test('gives code and columns of a bounded size', () => {
    const described = shared({ type: 'string', description: `${'&\n'.repeat(10_000)}` }, 40);
    const listed = shared({ type: 'string', enum: words(1_000).map((word) => `<${word}>`) }, 55);
    for (const document of [described, listed]) {
      const result = readAcceptedDeclaration(document);
      if (!result.ok) throw new Error(JSON.stringify(result.faults));
      const coded = { name: 'levelFinished', version: 1, shape: result.declaration.shape };
      expect(typescriptCode(coded).length).toBeLessThan(2_000_000);
      expect(csharpCode(coded).length).toBeLessThan(500_000);
      expect(JSON.stringify(result.declaration.columns).length).toBeLessThan(200_000);
    }
  });
});

test('integers beyond the range of a member are refused in a list: they would become equal in a set', () => {
  const values = words(5_000).map((_, n) => (n + 1) * 2 ** 70);
  expect(faultsOf(event({ a: { type: 'integer', enum: values } }))).toEqual([
    '/properties/a/enum contains a value that is not of the declared type',
  ]);
});

describe('a short document that expands to a large one is refused', () => {
  test('when definitions refer to definitions', () => {
    const wide = event(named(400, () => ({ type: 'string' })));
    const $defs = { wide, ...named(2_000, () => ({ $ref: '#/$defs/wide' }), 'd') };
    expect(faultsOf({ $defs, ...event({ a: { $ref: '#/$defs/wide' } }) }).join()).toContain('4000 schemas');
  });

  test('if it has thousands of faults', () => {
    expect(faultsOf(event(named(9_000, () => ({})))).length).toBeLessThanOrEqual(101);
  });

  test('if it requires thousands of members', () => {
    const required = Array.from({ length: 10_000 }, (_, n) => `x${n}`);
    expect(
      faultsOf({ ...event(named(400, () => ({ type: 'string' }))), required }).length,
    ).toBeLessThanOrEqual(101);
  });

  test('if its examples are deeply nested', () => {
    const examples = JSON.parse('['.repeat(60_000) + ']'.repeat(60_000));
    expect(faultsOf({ ...event({ a: { type: 'string' } }), examples })).toEqual([
      expect.stringContaining('nested at most 64 deep'),
    ]);
  });
});

test('a long list of values costs no more than one value, in events and in comparisons', () => {
  const listed = (from: number, size: number) =>
    event({
      a: {
        type: 'array',
        items: { type: 'integer', enum: Array.from({ length: size }, (_, n) => from + n) },
      },
    });
  const items = Array.from({ length: 8_000 }, () => 100_000);
  const cpuOf = (size: number) => {
    const [before, after] = [
      compileDeclaration(listed(100_001, size)),
      compileDeclaration(listed(100_002, size)),
    ];
    if (!before.ok || !after.ok) throw new Error('they are accepted');
    const began = process.threadCpuUsage().user;
    const source = Buffer.from(JSON.stringify({ a: items }));
    for (let n = 0; n < 5; n++) before.declaration.codec().explain(source, 0, 1e6);
    compareDeclarations(before.declaration, after.declaration);
    return process.threadCpuUsage().user - began;
  };
  cpuOf(10);
  expect(cpuOf(12_000)).toBeLessThan(10 * cpuOf(12) + 50_000);
});
