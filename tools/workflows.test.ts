import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hasProgram } from '@tickrate/testkit';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const paths = globSync('.github/workflows/*.yml', { cwd: root }).toSorted();
const hasActionlint = hasProgram('actionlint');
if (!hasActionlint) process.stderr.write('SKIPPED: workflows of GitHub (no actionlint on the PATH)\n');

test.runIf(hasActionlint)('actionlint finds nothing in the workflows', () => {
  expect(spawnSync('actionlint', paths, { cwd: root, encoding: 'utf8' })).toMatchObject({
    stdout: '',
    stderr: '',
    status: 0,
  });
});

test('workflows run only scripts that exist', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const named = paths.flatMap((path) => readFileSync(join(root, path), 'utf8').match(/\btest:[\w-]+/g) ?? []);
  expect(named.length).toBeGreaterThan(2);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
