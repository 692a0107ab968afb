import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeTypeCode } from '@tickrate/events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAcceptingServer } from '../conformance/accepting-server.ts';
import { levelUpType } from '../conformance/level-up.ts';

const run = promisify(execFile);
const here = import.meta.dirname;
const compiler = await firstThatRuns(['g++', 'clang++', 'c++']);
const cmake = await firstThatRuns(['cmake']);
const folders = ['include', 'transports', 'tests'].map((path) => join(here, path));
/** With zlib, request bodies are packed. */
const zlib = (await hasHeader('zlib.h')) ? ['-DTICKRATE_TEST_ZLIB', '-lz'] : [];

if (compiler === null)
  process.stderr.write('SKIPPED: tests of the C++ SDK (no g++ or clang++ on the PATH)\n');
if (cmake === null)
  process.stderr.write('SKIPPED: programs with the single header of the C++ SDK (no cmake on the PATH)\n');

test('the README lists the calls of the client as the header declares them', () => {
  const header = readFileSync(join(here, 'include/tickrate/client.hpp'), 'utf8');
  const [, calls = ''] = /^class Client \{\n public:\n([\s\S]*?)\n private:/m.exec(header) ?? [];
  const declared = Array.from(
    calls.matchAll(/^ {2}(\w.*\)(?: const)?)(?: \{.*)?$/gm),
    ([, call]) => `${call};`,
  );
  const readme = readFileSync(join(here, 'README.md'), 'utf8');
  const [, list = ''] = /## Calls[\s\S]*?```cpp\n([\s\S]*?)```/.exec(readme) ?? [];
  const listed = Array.from(list.matchAll(/^(.*?;)/gm), ([, call]) => call);
  expect(declared.filter((call) => !call.includes('shift_clock'))).toEqual(listed);
});

describe.skipIf(compiler === null)('the C++ SDK', () => {
  let folder = '';
  /** With the single header, where it can be written. */
  let programFolders = folders;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'tickrate-cpp-'));
    if (cmake === null) return;
    const include = join(folder, 'single');
    const out = join(include, 'tickrate.hpp');
    await run(cmake, ['-D', `out=${out}`, '-P', join(here, 'single-header.cmake')]);
    expect(readFileSync(out, 'utf8')).not.toContain('#include "');
    programFolders = [include, join(here, 'transports')];
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test.each(['vectors_test', 'client_test'])(
    '%s passes',
    async (name) => {
      const program = await compile(name, undefined, zlib);
      const { stdout } = await run(program, [join(here, '../conformance/vectors'), folder]).catch(
        (error) => error,
      );
      expect(stdout).toMatch(/^\d+ passed, 0 failed$/m);
    },
    120_000,
  );

  test('the vectors pass where the library cannot write fractions, as that of emscripten', async () => {
    const program = await compile('vectors_test', undefined, ['-DTICKRATE_WITHOUT_TO_CHARS']);
    const { stdout } = await run(program, [join(here, '../conformance/vectors'), folder]);
    expect(stdout).toMatch(/^\d+ passed, 0 failed$/m);
  }, 60_000);

  test('the program at the beginning of the README sends its event', async () => {
    const { url, bodies, close } = await startAcceptingServer();
    const [, program = ''] =
      /```cpp\n(#include[\s\S]*?)```/.exec(readFileSync(join(here, 'README.md'), 'utf8')) ?? [];
    const source = join(folder, 'readme.cpp');
    // libcurl need not be here.
    writeFileSync(
      source,
      program
        .replace('http://127.0.0.1:8080', url)
        .replace('save/tickrate', join(folder, 'readme-buffer'))
        .replace('curl_transport.hpp', 'plain_http.hpp')
        .replace('curl_transport()', 'plain_http_transport()'),
    );
    const compiled = await compile('readme', source, [], programFolders);
    // On a busy machine, an event may be sent by the next start only.
    for (let start = 0; start < 20 && bodies.length === 0; start++) await run(compiled);
    close();
    expect(bodies[0]).toMatch(/"eventType":"level_up".*"event":\{"level":7\}/);
  }, 120_000);

  test('generated events compile, and write what they were given', async () => {
    const { code, fileName } = writeTypeCode('cpp', levelUpType());
    writeFileSync(join(folder, fileName), code);
    const source = join(folder, 'generated.cpp');
    writeFileSync(source, programWith(fileName));
    const program = await compile('generated', source, [], programFolders);
    const { stdout } = await run(program, [join(folder, 'buffer')]);
    expect(stdout).toBe('1');
    // The client's thread may have prepared the next segment beside the one with the event.
    const segments = globSync('*/*.{open,seal}', { cwd: join(folder, 'buffer') });
    const written = segments.map((path) => readFileSync(join(folder, 'buffer', path), 'utf8')).join('');
    expect(written).toContain(
      '"event":{"level":7,"character":"ranger","items":["bow",null],"position":{"x":1.5}}',
    );
    expect(written).toContain('"eventType":"level_up","eventTypeVersion":3');
  }, 120_000);

  async function compile(
    name: string,
    source = join(here, 'tests', `${name}.cpp`),
    more: readonly string[] = [],
    includes = folders,
  ): Promise<string> {
    const program = join(folder, name);
    const flags = ['-std=c++17', '-Wall', '-Wextra', '-Werror', '-O0', '-pthread'];
    await run(compiler ?? '', [
      ...flags,
      ...includes.map((path) => `-I${path}`),
      source,
      ...more,
      '-o',
      program,
    ]);
    return program;
  }
});

/** Tracks one event into the folder of its argument, and ends as a killed process does. */
function programWith(header: string): string {
  return `#include <cstdio>
#include <cstdlib>
#include "${header}"

int main(int, char** arguments) {
  tickrate::Options options;
  options.url = "http://127.0.0.1:9";
  options.key = "tk_pub_x";
  options.folder = arguments[1];
  options.consent = tickrate::Consent::granted;
  tickrate::Client client(options);
  events::LevelUp event;
  event.level = 7;
  event.character = "ranger";
  event.items = {{"bow", std::nullopt}};
  event.position.emplace().x = 1.5;
  std::printf("%d", client.track(event) ? 1 : 0);
  std::fflush(stdout);
  std::_Exit(0);
}
`;
}

async function hasHeader(name: string): Promise<boolean> {
  return run(compiler ?? '', ['-fsyntax-only', '-include', name, '-x', 'c++', '/dev/null']).then(
    () => true,
    () => false,
  );
}

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
