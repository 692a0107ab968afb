import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { compileDeclaration } from '../declaration/reading/compile-declaration.ts';
import { cppCode } from './cpp-code.ts';
import { csharpCode } from './csharp-code.ts';
import { gdscriptCode } from './gdscript-code.ts';
import { typescriptCode } from './typescript-code.ts';
import { unityCode } from './unity-code.ts';

const declaration = {
  type: 'object',
  description: 'A level was finished */ or left.',
  required: ['level', 'score', 'at', 'position'],
  properties: {
    level: { type: 'integer', minimum: 1, format: 'int32', description: 'From 1' },
    score: { type: 'integer', format: 'int64' },
    at: { type: 'string', format: 'date-time', 'x-occurred-at': true },
    character: { enum: ['ranger', 'mage'], type: 'string' },
    nick: { type: ['string', 'null'], deprecated: true },
    position: {
      type: 'object',
      required: ['x'],
      properties: { x: { type: 'number' }, y: { type: ['number', 'null'] } },
    },
    items: { type: 'array', items: { type: ['string', 'null'] } },
    hits: { type: 'array', items: { type: 'object', properties: { by: { type: 'string' } } } },
    counters: { type: 'object', additionalProperties: { type: 'integer' } },
    won: { type: 'boolean' },
    id: { type: 'string', format: 'uuid' },
    level_up: { type: 'string' },
    levelUp: { type: 'string' },
  },
};

function coded(document: unknown) {
  const result = compileDeclaration(document);
  if (!result.ok) throw new Error(JSON.stringify(result.faults));
  return { name: 'level_up', version: 3, shape: result.declaration.shape };
}

function compile(use: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'tickrate-types-'));
  try {
    writeFileSync(join(folder, 'level-up.ts'), typescriptCode(coded(declaration)));
    writeFileSync(join(folder, 'use.ts'), `import type { LevelUp } from './level-up.ts';\n${use}`);
    const tsc = join(import.meta.dirname, '../../../../node_modules/.bin/tsc');
    const flags =
      '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --allowImportingTsExtensions --module nodenext';
    execFileSync(tsc, [...flags.split(' '), join(folder, 'use.ts')], { stdio: 'pipe' });
    return 'compiles';
  } catch (error) {
    return `${(error as { stdout?: Buffer }).stdout} ${error}`;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the types of a declaration', () => {
  test('the TypeScript accepts exactly the declared events', () => {
    const good = `{ level: 1, score: '9007199254740993', at: '2026-01-01T00:00:00Z', position: { x: 1, y: null } }`;
    const more = `{ character: 'mage', nick: null, items: ['a', null], hits: [{ by: 'b' }], counters: { a: 1 }, won: true }`;
    const outcome = compile(`
export const least: LevelUp = ${good};
export const most: LevelUp = { ...${good}, ...${more} } satisfies LevelUp;
// @ts-expect-error a required member is missing
export const missing: LevelUp = { level: 1, score: 2, at: '' };
// @ts-expect-error not one of the values
export const other: LevelUp = { ...least, character: 'rogue' };
// @ts-expect-error not declared
export const unknown: LevelUp = { ...least, colour: 'red' };
// @ts-expect-error not a decimal number
export const text: LevelUp = { ...least, score: 'many' };
// @ts-expect-error may not be null
export const none: LevelUp = { ...least, won: null };
`);
    expect(outcome).toBe('compiles');
  });

  test('the TypeScript contains the descriptions of the declaration', () => {
    const code = typescriptCode(coded(declaration));
    expect(code).toContain('Event type level_up, version 3.');
    expect(code).toContain('A level was finished * / or left.');
    expect(code).toContain('/** @deprecated */\n  readonly nick?: string | null;');
  });

  test('a declaration without members is an empty object', () => {
    expect(typescriptCode(coded({ type: 'object' }))).toContain(
      'export type LevelUp = Record<string, never>;',
    );
  });

  test('the C# has a class for each object, and no two members with the same name', () => {
    const code = csharpCode(coded(declaration));
    expect(code).toContain('public sealed class LevelUp\n{');
    expect(code).toContain('    [JsonPropertyName("level")]\n    public int Level { get; set; }');
    expect(code).toContain('    public long Score { get; set; }');
    expect(code).toContain('    public DateTimeOffset At { get; set; }');
    expect(code).toContain('    public PositionData Position { get; set; } = default!;');
    expect(code).toContain('        public double? Y { get; set; }');
    expect(code).toContain('    public IReadOnlyList<HitsData>? Hits { get; set; }');
    expect(code).toContain('    public IReadOnlyList<string?>? Items { get; set; }');
    expect(code).toContain('    public IReadOnlyDictionary<string, long>? Counters { get; set; }');
    const declared = [...code.matchAll(/public (?:[\w<>?, ]+) (\w+) \{ get/g)].map(([, name]) => name);
    expect(declared).toContain('LevelUp2');
    expect(new Set(declared).size).toBe(declared.length);
    expect(code.split('{').length).toBe(code.split('}').length);
  });

  test('the C# hides no used type and no member of every class', () => {
    const id = { type: 'string', format: 'uuid' };
    const shape = coded({ type: 'object', properties: { id, equals: id, get_type: id, guid: id } });
    const code = csharpCode({ ...shape, name: 'guid' });
    expect(code).toContain('public sealed class Guid2\n');
    expect(code).toContain('[JsonPropertyName("equals")]');
    const declared = [...code.matchAll(/public Guid\? (\w+) \{ get/g)].map(([, name]) => name);
    expect(declared).toEqual(['Id', 'Equals2', 'GetType2', 'Guid']);
    const renamed = [...code.matchAll(/Declared as "(\w+)"/g)].map(([, name]) => name);
    expect(renamed).toEqual(['equals', 'get_type']);
  });
});

const smallest = coded({
  type: 'object',
  required: ['level'],
  properties: {
    level: { type: 'integer', format: 'int32', description: 'From 1' },
    class: { type: 'string' },
    items: { type: 'array', items: { type: ['string', 'null'] } },
  },
});

describe('the types that SDKs track', () => {
  test('the TypeScript has a function that creates the argument of track()', () => {
    expect(typescriptCode(smallest)).toContain(
      'export function levelUp(event: LevelUp) {\n  return { eventType: "level_up", eventTypeVersion: 3, event };\n}',
    );
    expect(typescriptCode({ ...smallest, name: 'delete' })).toContain('export function makeDelete(');
  });

  test('the C++ compiles, writes itself and uses no reserved word', () => {
    const code = cppCode(smallest);
    expect(code).toContain('struct LevelUp {\n  static constexpr std::string_view event_type = "level_up";');
    expect(code).toContain('  std::int32_t level{};');
    expect(code).toContain('  /// Declared as "class".\n  std::optional<std::string_view> class2;');
    expect(code.match(/Declared as/g)).toHaveLength(1);
    expect(code).toContain('    json.optional_member("class", class2);');
    expect(code).toContain('std::optional<std::vector<std::optional<std::string_view>>> items;');
    const whole = cppCode(coded(declaration));
    expect(whole.split('{').length).toBe(whole.split('}').length);
    expect(whole).not.toMatch(/\\$/m);
  });

  test('the Unity code is structs that write themselves, for C# 7.3', () => {
    const code = unityCode(smallest);
    expect(code).toContain('public struct LevelUp : IEvent\n{');
    expect(code).toContain('        json.Name("level");\n        json.Value(Level);');
    expect(code).toContain('if (Class != null) { json.Name("class"); json.Value(Class); }');
    const whole = unityCode(coded(declaration));
    expect(whole).not.toMatch(/\?\?|#nullable|=> |\[Json|System\.Reflection/);
    expect(whole.split('{').length).toBe(whole.split('}').length);
    const declared = [...whole.matchAll(/public (?:[\w<>?, ]+) (\w+);/g)].map(([, name]) => name);
    expect(declared).toContain('LevelUp2');
    expect(whole).toMatch(/Declared as "level_up"\.\n[^{}]*public string LevelUp2;/);
  });

  test('the GDScript has a constructor for required members and a function for each other', () => {
    const code = gdscriptCode(smallest);
    expect(code).toContain('class_name LevelUp\nextends RefCounted\n');
    expect(code).toContain('func _init(level_: int) -> void:\n\t_data["level"] = level_\n');
    expect(code).toContain(
      '## Declared as "class".\nfunc class2(value: String) -> LevelUp:\n\t_data["class"] = value\n\treturn self\n',
    );
    expect(gdscriptCode(coded({ type: 'object' }))).toContain('func _init() -> void:\n\tpass\n');
  });

  test('the GDScript hides no class of Godot and overrides no method of it', () => {
    const { shape } = coded({ type: 'object', properties: { connect: { type: 'string' } } });
    const code = gdscriptCode({ name: 'timer', version: 1, shape });
    expect(code).toContain('class_name Timer2\n');
    const required = coded({ type: 'object', required: ['if'], properties: { if: { type: 'string' } } });
    expect(gdscriptCode(required)).toContain('## if2_: Declared as "if".\nfunc _init(if2_: String)');
    expect(code).toContain('func connect2(value: String) -> Timer2:\n\t_data["connect"] = value\n');
  });
});
