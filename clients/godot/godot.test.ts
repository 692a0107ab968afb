import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileDeclaration, writeTypeCode } from '@tickrate/events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../../tests/faults/small-disk.ts';
import { missingPrograms } from '../conformance/sdks.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const hasGodot = missingPrograms({ needs: ['godot 4'] }).length === 0;

if (!hasGodot)
  process.stderr.write(
    'SKIPPED: tests of the Godot SDK (no godot 4 on the PATH; tools/install-toolchains.sh godot)\n',
  );

describe.skipIf(!hasGodot)('the Godot SDK, run by Godot without a window', () => {
  let folder = '';
  let disk: SmallDisk | null = null;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickrate-godot-'));
    disk = mountSmallDisk('tmpfs', 1);
    writeFileSync(join(folder, 'LevelUp.gd'), generatedEvent());
  });
  afterAll(() => {
    disk?.remove();
    rmSync(folder, { recursive: true });
  });

  test.each(['vectors_test', 'client_test'])(
    '%s passes',
    async (name) => {
      const arguments_ = [
        join(here, '../conformance/vectors'),
        folder,
        ...(disk === null ? [] : [disk.path]),
      ];
      const { said } = await godot(here, ['--script', `tests/${name}.gd`, '--', ...arguments_]);
      expect(said).toMatch(/^\d+ passed, 0 failed$/m);
      // A fault of a script ends a test early, and fails none of its checks.
      expect(said).not.toContain('ERROR');
    },
    120_000,
  );

  /** What `tickrate event-types code level_up --language gdscript` writes. */
  function generatedEvent(): string {
    const compiled = compileDeclaration({
      type: 'object',
      required: ['level'],
      properties: {
        level: { type: 'integer', format: 'int32', description: 'From 1' },
        character: { type: 'string' },
        items: { type: 'array', items: { type: ['string', 'null'] } },
        class: { type: 'string' },
        connect: { type: 'boolean' },
        id: { type: 'integer', format: 'uint64' },
        position: { type: 'object', properties: { x: { type: 'number' } } },
      },
    });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
    return writeTypeCode('gdscript', { name: 'level_up', version: 3, shape: compiled.declaration.shape })
      .code;
  }
});

/** What Godot says, on both of its outputs. */
async function godot(project: string, more: readonly string[]): Promise<{ readonly said: string }> {
  const { stdout, stderr } = await run('godot', [
    '--headless',
    '--no-header',
    '--path',
    project,
    ...more,
  ]).catch((error) => error);
  return { said: `${stdout}${stderr}` };
}
