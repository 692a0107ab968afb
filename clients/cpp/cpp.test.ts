import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { amalgamate } from './amalgamate.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const compiler = await firstThatRuns(['g++', 'clang++', 'c++']);

if (compiler === null)
  process.stderr.write('SKIPPED: tests of the C++ SDK (no g++ or clang++ on the PATH)\n');

test('the single header is current: npm run docs writes it', () => {
  expect(readFileSync(join(here, 'include/tickrate.hpp'), 'utf8')).toBe(amalgamate());
});

describe.skipIf(compiler === null)('the C++ SDK, compiled from the single header', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'tickrate-cpp-'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['vectors_test', 'client_test'])(
    '%s passes',
    async (name) => {
      const program = await compile(name);
      const { stdout } = await run(program, [join(here, '../conformance/vectors'), folder]).catch(
        (error) => error,
      );
      expect(stdout).toMatch(/^\d+ passed, 0 failed$/m);
    },
    120_000,
  );

  async function compile(name: string): Promise<string> {
    const program = join(folder, name);
    const folders = ['include', 'transports', 'tests'].map((path) => `-I${join(here, path)}`);
    const flags = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-O0', '-pthread'];
    await run(compiler ?? '', [...flags, ...folders, join(here, 'tests', `${name}.cpp`), '-o', program]);
    return program;
  }
});

async function firstThatRuns(names: readonly string[]): Promise<string | null> {
  for (const name of names) {
    const runs = await run(name, ['--version']).then(
      () => true,
      () => false,
    );
    if (runs) return name;
  }
  return null;
}
