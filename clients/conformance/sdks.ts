import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestedSdk {
  readonly name: string;
  /** The driver's command line. */
  readonly command: readonly string[];
  /** Builds what the driver links. */
  readonly prepare: readonly (readonly string[])[];
  /** Programs that must be on the PATH; `godot 4` is one of version 4. */
  readonly needs: readonly string[];
  /** It seals and sends on a thread of its own, so that frames do not wait. */
  readonly hasThread: boolean;
}

const here = import.meta.dirname;
const cpp = join(here, '..', 'cpp');
const csharp = join(here, '..', 'csharp');
const godot = join(here, '..', 'godot');
const csharpDriver = join(tmpdir(), `tickrate-csharp-driver-${process.pid}.exe`);
const cppDriver = join(tmpdir(), `tickrate-cpp-driver-${process.pid}`);

/** For runtimes that do not run TypeScript. It stays beside the built SDK, which it imports. */
export const bundledDriver = join(here, '..', 'typescript', 'dist', 'driver.mjs');
export const bundleDriver: readonly string[] = [
  join(here, '..', '..', 'node_modules', '.bin', 'esbuild'),
  join(here, '..', 'typescript', 'driver', 'driver.ts'),
  '--bundle',
  '--platform=node',
  '--format=esm',
  '--target=node20',
  `--define:import.meta.dirname=${JSON.stringify(here)}`,
  `--outfile=${bundledDriver}`,
];

export const testedSdks: readonly TestedSdk[] = [
  {
    name: 'typescript',
    command: [process.execPath, join(here, '..', 'typescript', 'driver', 'driver.ts')],
    prepare: [[process.execPath, join(here, '..', 'typescript', 'build.ts')]],
    needs: [],
    hasThread: false,
  },
  {
    name: 'cpp',
    command: [cppDriver, join(here, 'vectors', 'events.json')],
    prepare: [
      [
        'g++',
        '-std=c++17',
        '-O2',
        `-I${join(cpp, 'include')}`,
        `-I${join(cpp, 'transports')}`,
        join(cpp, 'driver', 'driver.cpp'),
        '-o',
        cppDriver,
        '-lpthread',
      ],
    ],
    needs: ['g++'],
    hasThread: true,
  },
  {
    name: 'csharp',
    command: ['mono', csharpDriver, join(here, 'vectors', 'events.json')],
    prepare: [
      [
        'mcs',
        '-warn:4',
        '-warnaserror',
        '-optimize+',
        `-out:${csharpDriver}`,
        ...globSync(join(csharp, 'com.tickrate.sdk', 'Runtime', 'Core', '*.cs')),
        join(csharp, 'driver', 'Driver.cs'),
      ],
    ],
    needs: ['mono', 'mcs'],
    hasThread: true,
  },
  {
    name: 'godot',
    command: [
      'godot',
      '--headless',
      '--no-header',
      '--path',
      godot,
      '--script',
      'driver/driver.gd',
      '--',
      join(here, 'vectors', 'events.json'),
    ],
    prepare: [],
    needs: ['godot 4'],
    hasThread: true,
  },
];

/** The programs that are not on the PATH. */
export function missingPrograms({ needs }: Pick<TestedSdk, 'needs'>): string[] {
  return needs.filter((need) => {
    const [program, version] = need.split(' ');
    if (version === undefined) return spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0;
    const { stdout } = spawnSync(program ?? '', ['--version'], { encoding: 'utf8' });
    return !(stdout ?? '').startsWith(`${version}.`);
  });
}
