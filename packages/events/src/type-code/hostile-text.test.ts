import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compileDeclaration } from '../declaration/reading/compile-declaration.ts';
import { type CodeLanguage, codeLanguages, writeTypeCode } from './type-code.ts';

/** Ends of lines and comments, beginnings of others, what no one sees, and code that must not become any. */
const fragments = [
  ...['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029', '\0', '\u001b', '\u200b', '\ufeff'],
  ...['*/', '/*', '//', '///', '##', '"', '"""', "'", '\\', '\\ ', '??/', '`x`', '</summary>', '<a&', ']]>'],
  ...[
    '#error x',
    '#if x',
    'class X {',
    '}',
    ';',
    'public int X;',
    'var x := 1',
    'x',
    ' ',
    '😀',
    '\ud800',
    'שלום',
  ],
];
const hostileText = fc
  .array(fc.constantFrom(...fragments), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(''));
/** Without the directions of text, which a declaration cannot have, no character may stay that a reader does not see. */
const invisible = /(?![\n\t\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

function codeOf(language: CodeLanguage, texts: readonly string[]): string {
  const properties = texts.flatMap((text, at) => [
    [`member_${at}`, { type: 'integer', format: 'int32', description: text }],
    [`level_${at}`, { type: 'string', description: 'One of two', enum: [text, 'other'] }],
  ]);
  const required = texts.map((_, at) => `member_${at}`);
  const document = {
    type: 'object',
    description: texts[0],
    required,
    properties: Object.fromEntries(properties),
  };
  const compiled = compileDeclaration(document);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  return writeTypeCode(language, { name: 'level_up', version: 3, shape: compiled.declaration.shape }).code;
}

/** The code without its comments, as a compiler of any of the languages sees lines. */
function bareCode(language: CodeLanguage, code: string): string {
  const whole =
    language === 'typescript'
      ? code.replaceAll(/"(?:[^"\\\n]|\\.)*"|\/\*\*[\s\S]*?\*\//g, (found) => (found[0] === '"' ? '""' : ''))
      : code;
  // Only C++ continues a line after a backslash.
  return (language === 'cpp' ? whole.replaceAll(/\\[ \t]*\r?\n/g, '') : whole)
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .filter((line) => !/^\s*(\/\/\/|##)/.test(line) && line.trim() !== '')
    .join('\n');
}

test.each(codeLanguages)(
  'no text of a declaration becomes code of %s, and every character is visible',
  (language) => {
    fc.assert(
      fc.property(fc.array(hostileText, { minLength: 1, maxLength: 3 }), (texts) => {
        const code = codeOf(language, texts);
        const plain = codeOf(
          language,
          texts.map(() => 'plain'),
        );
        const literal = /"(?:[^"\\\n]|\\.)*"/g;
        expect(bareCode(language, code).replaceAll(literal, '""')).toBe(
          bareCode(language, plain).replaceAll(literal, '""'),
        );
        expect(code).not.toMatch(invisible);
      }),
      { numRuns: 200 },
    );
  },
);

interface Compiler {
  readonly language: CodeLanguage;
  readonly program: string;
  readonly file: string;
  /** What the code needs around it. */
  readonly adapt?: (code: string) => string;
  readonly args: (file: string, folder: string) => readonly string[];
}

const here = import.meta.dirname;
const clients = join(here, '../../../../clients');
const compilers: readonly Compiler[] = [
  {
    language: 'typescript',
    program: join(here, '../../../../node_modules/.bin/tsc'),
    file: 'level-up.ts',
    args: (file) => ['--ignoreConfig', '--noEmit', '--strict', '--module', 'nodenext', file],
  },
  {
    language: 'unity',
    program: 'mcs',
    file: 'LevelUp.cs',
    args: (file, folder) => [
      '-langversion:7.2',
      '-warnaserror',
      '-target:library',
      `-out:${join(folder, 'unity.dll')}`,
      `-doc:${join(folder, 'unity.xml')}`,
      '-nowarn:1591',
      `-recurse:${join(clients, 'csharp/com.tickrate.sdk/Runtime/Core/*.cs')}`,
      file,
    ],
  },
  {
    language: 'csharp',
    program: 'mcs',
    file: 'LevelUpJson.cs',
    // Mono knows no nullable references and has no System.Text.Json.
    adapt: (code) =>
      `${code.replace('#nullable enable\n', '').replaceAll('string?', 'string')}
namespace System.Text.Json.Serialization {
  public enum JsonIgnoreCondition { WhenWritingNull }
  public class JsonPropertyNameAttribute : Attribute { public JsonPropertyNameAttribute(string name) {} }
  public class JsonIgnoreAttribute : Attribute { public JsonIgnoreCondition Condition { get; set; } }
}`,
    args: (file, folder) => [
      '-warnaserror',
      '-target:library',
      `-out:${join(folder, 'csharp.dll')}`,
      `-doc:${join(folder, 'csharp.xml')}`,
      '-nowarn:1591',
      file,
    ],
  },
  {
    language: 'cpp',
    program: 'g++',
    file: 'LevelUp.hpp',
    args: (file) => [
      '-std=c++17',
      '-Wall',
      '-Werror',
      '-fsyntax-only',
      `-I${join(clients, 'cpp/include')}`,
      '-x',
      'c++',
      '-include',
      file,
      '/dev/null',
    ],
  },
  {
    language: 'gdscript',
    program: 'godot',
    file: 'LevelUp.gd',
    args: (file, folder) => ['--headless', '--no-header', '--path', folder, '--check-only', '--script', file],
  },
];

describe.each(compilers)('$program compiles $language', ({ language, program, file, adapt, args }) => {
  const isThere = spawnSync(program, ['--version']).status === 0;
  if (!isThere)
    process.stderr.write(`SKIPPED: hostile texts in code of ${language} (no ${program} on the PATH)\n`);
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickrate-hostile-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.skipIf(!isThere)(
    'with hostile descriptions and values',
    () => {
      const code = codeOf(language, fc.sample(hostileText, { seed: 7, numRuns: 100 }));
      const path = join(folder, file);
      writeFileSync(path, adapt?.(code) ?? code);
      const compiled = spawnSync(program, args(path, folder), { encoding: 'utf8' });
      expect(`${compiled.stdout}${compiled.stderr}`).not.toMatch(/error/i);
      expect(compiled.status).toBe(0);
    },
    120_000,
  );
});
