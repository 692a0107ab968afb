import { execFile } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compileDeclaration, writeTypeCode } from '@tickrate/events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../../tests/faults/small-disk.ts';
import { startAcceptingServer } from '../conformance/accepting-server.ts';
import { missingPrograms } from '../conformance/sdks.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const hasGodot = missingPrograms({ needs: ['godot 4'] }).length === 0;

if (!hasGodot) {
  process.stderr.write(
    'SKIPPED: tests of the Godot SDK (no godot 4 on the PATH; tools/install-toolchains.sh godot)\n',
  );
}

// Invariant (Delivery): An event that an SDK's `track()` confirmed is stored exactly once, with its
// values: through kills, lost and hostile answers, edited buffers and clock jumps
test('the class of the sample is what the tickrate command writes', () => {
  const path = join(here, '../../apps/standalone/event-types/level_up.json');
  const { declaration } = JSON.parse(readFileSync(path, 'utf8')) as { declaration: unknown };
  const code = readFileSync(join(here, 'sample/events/LevelUp.gd'), 'utf8');
  expect(code).toBe(codeOf('level_up', 1, declaration));
});

describe.skipIf(!hasGodot)('the Godot SDK, run by Godot without a window', () => {
  let folder = '';
  let disk: SmallDisk | null = null;
  const project = () => join(folder, 'project');

  let editorSaid = '';
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tickrate-godot-'));
    disk = mountSmallDisk('tmpfs', 1);
    writeFileSync(join(folder, 'LevelReached.gd'), codeOf('level_reached', 3, generated));
    cpSync(here, project(), { recursive: true });
    // The editor also collects the classes of a project, which the sample needs.
    editorSaid = await godot('--editor', '--quit');
  }, 300_000);
  afterAll(() => {
    disk?.remove();
    rmSync(folder, { recursive: true });
  });

  test.each(['vectors_test', 'client_test'])(
    '%s passes',
    async (name) => {
      const places = [join(here, '../conformance/vectors'), folder, ...(disk === null ? [] : [disk.path])];
      const said = await godot('--script', `tests/${name}.gd`, '--', ...places);
      expect(said).toMatch(/^\d+ passed, 0 failed$/m);
      // A fault of a script ends a test early, and fails none of its checks.
      expect(said).not.toContain('ERROR');
    },
    300_000,
  );

  test('the editor opens the project with the plugin, without a complaint', () => {
    expect(editorSaid).not.toMatch(/ERROR|WARNING/);
    // The ids that the editor writes beside the scripts are in the repository.
    const idsIn = (at: string) => globSync('{addons,driver,sample,tests}/**/*.uid', { cwd: at }).toSorted();
    expect(idsIn(here)).toEqual(idsIn(project()));
  });

  test('the sample sends an event, and so does the script at the beginning of the README', async () => {
    const readme = readFileSync(join(here, 'README.md'), 'utf8');
    const [, script = ''] = /```gdscript\n(extends Node\n[\s\S]*?)```/.exec(readme) ?? [];
    const { close, url, bodies } = await startAcceptingServer();
    writeFileSync(join(project(), 'readme.gd'), script.replace('http://127.0.0.1:8080', url));
    writeFileSync(join(project(), 'readme.tscn'), readmeScene);
    let said = await godot('--', url, 'tk_pub_…', '--once');
    const ofSample = /"eventTypeVersion":1,.*"event":\{"level":1,"character":"ranger"\}/;
    const ofReadme = /"eventType":"level_up","occurredAt".*"event":\{"level":7\}/;
    const isSent = (event: RegExp) => bodies.some((body) => event.test(body));
    // On a busy machine, an event may be sent by the next start only.
    for (let start = 0; start < 20 && !(isSent(ofSample) && isSent(ofReadme)); start++)
      said += await godot('readme.tscn');
    close();
    expect(said).toContain('tracked 1');
    expect(said).not.toMatch(/ERROR|WARNING/);
    expect([isSent(ofSample), isSent(ofReadme)]).toEqual([true, true]);
  }, 300_000);

  test('the dock shows a game that the editor runs, and tracks an event in it', async () => {
    const said = await godot('--script', 'tests/debugger_test.gd', '--', '', folder);
    expect(said).toMatch(/^1 passed, 0 failed$/m);
    expect(said).not.toContain('ERROR');
  }, 300_000);

  /** What Godot says, on both of its outputs. */
  async function godot(...more: readonly string[]): Promise<string> {
    // The folder of `user://` and of the editor's settings.
    const homes = ['DATA', 'CONFIG', 'CACHE'].map((kind) => `XDG_${kind}_HOME=${join(folder, 'home')}`);
    const command = [...homes, 'godot', '--headless', '--no-header', '--path', project(), ...more];
    const { stdout, stderr } = await run('env', command).catch((error) => error);
    return `${stdout}${stderr}`;
  }
});

const readmeScene = `[gd_scene load_steps=2 format=3]
[ext_resource type="Script" path="res://readme.gd" id="1"]
[node name="Readme" type="Node"]
script = ExtResource("1")
`;

const generated = {
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
};

/** What `tickrate event-types code NAME --language gdscript` writes. */
function codeOf(name: string, version: number, declaration: unknown): string {
  const compiled = compileDeclaration(declaration);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.faults));
  return writeTypeCode('gdscript', { name, version, shape: compiled.declaration.shape }).code;
}
