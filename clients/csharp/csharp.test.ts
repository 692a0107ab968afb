import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileDeclaration, writeTypeCode } from '@tickrate/events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const run = promisify(execFile);
const here = import.meta.dirname;
const core = globSync(join(here, 'com.tickrate.sdk/Runtime/Core/*.cs'));
const hasMono = (await runs('mcs')) && (await runs('mono'));

if (!hasMono) process.stderr.write('SKIPPED: tests of the C# SDK (no mono and mcs on the PATH)\n');

describe.skipIf(!hasMono)('the C# SDK, compiled by mcs and run by Mono', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickrate-csharp-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['VectorsTest', 'ClientTest'])(
    '%s passes',
    async (name) => {
      const program = await compile(`${name}.exe`, [
        join(here, 'tests/Check.cs'),
        join(here, 'tests/Server.cs'),
        join(here, `tests/${name}.cs`),
        generatedEvent(),
      ]);
      const { stdout } = await run('mono', [program, join(here, '../conformance/vectors'), folder]).catch(
        (error) => error,
      );
      expect(stdout).toMatch(/^\d+ passed, 0 failed$/m);
    },
    60_000,
  );

  /** What `tickrate event-types code level_up --language unity` writes. */
  function generatedEvent(): string {
    const compiled = compileDeclaration({
      type: 'object',
      required: ['level'],
      properties: {
        level: { type: 'integer', format: 'int32' },
        character: { type: 'string' },
        ratio: { type: 'number' },
        id: { type: 'integer', format: 'uint64' },
        items: { type: 'array', items: { type: ['string', 'null'] } },
        position: { type: 'object', required: ['x'], properties: { x: { type: 'number' } } },
        counters: { type: 'object', additionalProperties: { type: 'integer' } },
      },
    });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
    const { code } = writeTypeCode('unity', {
      name: 'level_up',
      version: 3,
      shape: compiled.declaration.shape,
    });
    const path = join(folder, 'LevelUp.cs');
    writeFileSync(path, code);
    return path;
  }

  async function compile(name: string, sources: readonly string[]): Promise<string> {
    const program = join(folder, name);
    await run('mcs', ['-warn:4', '-warnaserror', `-out:${program}`, ...core, ...sources]);
    return program;
  }
});

async function runs(program: string): Promise<boolean> {
  return run(program, ['--version']).then(
    () => true,
    () => false,
  );
}
