import { execFile } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runInNewContext } from 'node:vm';
import { writeTypeCode } from '@tickrate/events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mountSmallDisk, type SmallDisk } from '../../tests/faults/small-disk.ts';
import { levelUpType } from '../conformance/level-up.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const unityPackage = join(here, 'com.tickrate.sdk');
const core = globSync(join(unityPackage, 'Runtime/Core/*.cs'));
const hasMono = (await runs('mcs')) && (await runs('mono'));

if (!hasMono) process.stderr.write('SKIPPED: tests of the C# SDK (no mono and mcs on the PATH)\n');

describe('the Unity package', () => {
  const files = globSync('**/*', { cwd: unityPackage }).filter((path) => !path.includes('~'));
  const metas = files.filter((path) => path.endsWith('.meta'));

  test('has a .meta file with an id of its own for each file and folder', () => {
    const others = files.filter((path) => !path.endsWith('.meta')).map((path) => `${path}.meta`);
    expect(metas.toSorted()).toEqual(others.toSorted());
    const ids = metas.map((path) => /^guid: ([0-9a-f]{32})$/m.exec(read(path))?.[1]);
    expect(new Set(ids).size).toBe(metas.length);
    expect(ids).not.toContain(undefined);
  });

  test('declares in C# exactly the functions that its web plugin has', () => {
    const declared = Array.from(
      read('Runtime/Unity/WebBridge.cs').matchAll(/extern \w+ (\w+)\(([^)]*)\)/g),
      ([, name, parameters]) => ({ name, parameters: parameters === '' ? 0 : parameters?.split(',').length }),
    );
    const added = loadWebPlugin();
    const functions = Object.entries(added).flatMap(([name, value]) =>
      typeof value === 'function' ? [{ name, parameters: value.length }] : [],
    );
    expect(declared).toEqual(functions);
  });

  /** What the plugin adds to the library of Emscripten. */
  function loadWebPlugin(): object {
    const library = {};
    runInNewContext(read('Runtime/Plugins/WebGL/Tickrate.jslib'), {
      mergeInto: (into: object, added: object) => Object.assign(into, added),
      LibraryManager: { library },
    });
    return library;
  }

  function read(path: string): string {
    return readFileSync(join(unityPackage, path), 'utf8');
  }
});

test('the NuGet project compiles the core of the Unity package, with its version and licence', () => {
  const project = readFileSync(join(here, 'Tickrate.csproj'), 'utf8');
  const textOf = (name: string) => new RegExp(`<${name}>(.*)</${name}>`).exec(project)?.[1];
  const { version, license } = JSON.parse(readFileSync(join(unityPackage, 'package.json'), 'utf8'));
  expect([textOf('Version'), textOf('PackageLicenseExpression')]).toEqual([version, license]);
  const compiled = /<Compile Include="([^"]+)"/.exec(project)?.[1] ?? '';
  expect(globSync(compiled, { cwd: here }).map((path) => join(here, path))).toEqual(core);
  const packed = /<None Include="([^"]+)"/.exec(project)?.[1]?.split(';') ?? [];
  expect(packed.filter((path) => !existsSync(join(here, path)))).toEqual([]);
  expect(packed).toContain(textOf('PackageReadmeFile'));
});

describe.skipIf(!hasMono)('the C# SDK, compiled by mcs and run by Mono', () => {
  let folder = '';
  let disk: SmallDisk | null = null;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickrate-csharp-'));
    disk = mountSmallDisk('tmpfs', 1);
  });
  afterAll(() => {
    disk?.remove();
    rmSync(folder, { recursive: true });
  });

  test.each(['VectorsTest', 'ClientTest'])(
    '%s passes',
    async (name) => {
      const program = await compile(`${name}.exe`, [
        join(here, 'tests/Check.cs'),
        join(here, 'tests/Server.cs'),
        join(here, `tests/${name}.cs`),
        generatedEvent(),
      ]);
      const places = [join(here, '../conformance/vectors'), folder, ...(disk === null ? [] : [disk.path])];
      const { stdout } = await run('mono', [program, ...places]).catch((error) => error);
      expect(stdout).toMatch(/^\d+ passed, 0 failed$/m);
    },
    60_000,
  );

  test.each(['STANDALONE', 'UNITY_WEBGL'])(
    'the Unity package compiles against declarations of the API that it uses, with %s',
    async (symbol) => {
      await compile(`${symbol}.dll`, [
        '-target:library',
        `-d:${symbol}`,
        join(here, 'tests/UnityApi.cs'),
        ...globSync('{Runtime/Unity,Editor,Samples~/*}/*.cs', { cwd: unityPackage }).map((path) =>
          join(unityPackage, path),
        ),
      ]);
    },
    60_000,
  );

  test('the README starts with a program that compiles', async () => {
    const [, program = ''] =
      /```csharp\n(using Tickrate;\n[\s\S]*?)```/.exec(readFileSync(join(here, 'README.md'), 'utf8')) ?? [];
    const path = join(folder, 'Readme.cs');
    writeFileSync(path, program);
    await compile('readme.exe', [path]);
    await compile('first-event.exe', [join(here, 'examples/FirstEvent.cs')]);
  }, 60_000);

  /** What `tickrate event-types code level_up --language unity` writes. */
  function generatedEvent(): string {
    const { code } = writeTypeCode('unity', levelUpType());
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
