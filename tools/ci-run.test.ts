import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const program = join(import.meta.dirname, '../.ci/run');
const folder = mkdtempSync(join(tmpdir(), 'tickrate-ci-run-'));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs .ci/run with an npm that prints `output` for `npm test` and ends with `code`, with a Redis on the machine. */
function ciRun(output: string, code: number): { lastLine: string | undefined; failed: boolean } {
  const npm = `#!/bin/sh\n[ "$1" = test ] || exit 0\ncat <<'END'\n${output}\nEND\nexit ${code}\n`;
  writeFileSync(join(folder, 'npm'), npm, { mode: 0o755 });
  writeFileSync(join(folder, 'redis-server'), '#!/bin/sh\n', { mode: 0o755 });
  const { stdout, status } = spawnSync(program, {
    encoding: 'utf8',
    env: { PATH: `${folder}${delimiter}/usr/bin${delimiter}/bin` },
  });
  return { lastLine: stdout.trimEnd().split('\n').at(-1), failed: status !== 0 };
}

test.each([
  {
    name: 'a run where all is well',
    output: ' Tasks:    3 successful, 3 total\n Test Files  10 passed (10)\n      Tests  236 passed (236)',
    code: 0,
    line: '239 passed, 0 failed',
  },
  {
    name: 'a failed check',
    output: ' Tasks:    2 successful, 3 total\nFailed:    //#lint\n      Tests  4 passed | 2 skipped (6)',
    code: 1,
    line: '6 passed, 1 failed',
  },
  {
    name: 'failed tests, with colours',
    output:
      ' Tasks:    3 successful, 3 total\n\u001b[2m      Tests \u001b[22m \u001b[31m3 failed\u001b[39m | \u001b[32m7 passed\u001b[39m (10)',
    code: 1,
    line: '10 passed, 3 failed',
  },
  {
    name: 'a test file that could not be loaded',
    output:
      ' Tasks:    3 successful, 3 total\n Test Files  1 failed | 1 passed (2)\n      Tests  7 passed (7)',
    code: 1,
    line: '10 passed, 1 failed',
  },
  {
    name: 'a run that broke before it could count',
    output: 'sh: 1: turbo: not found',
    code: 127,
    line: '0 passed, 1 failed',
  },
])('CI sums $name', ({ output, code, line }) => {
  expect(ciRun(output, code)).toEqual({ lastLine: line, failed: code !== 0 });
});
