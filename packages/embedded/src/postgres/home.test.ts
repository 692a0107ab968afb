import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { removeElsewhere } from './home.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'tickrate-home-')));
afterAll(() => rmSync(root, { recursive: true }));

function dataElsewhere(name: string, owner: (dataDir: string) => string) {
  const dataDir = join(root, name);
  const shared = join(root, `${name}-shared`);
  const kept = join(shared, 'data-x');
  mkdirSync(dataDir);
  mkdirSync(kept, { recursive: true });
  writeFileSync(join(kept, 'belongs-to'), `${owner(dataDir)}\n`);
  symlinkSync(kept, join(dataDir, 'elsewhere'));
  return { dataDir, shared, kept };
}

test('deletes data outside the data folder with the folder', () => {
  const { dataDir, shared, kept } = dataElsewhere('own', (folder) => folder);
  removeElsewhere(dataDir, shared);
  expect(existsSync(kept)).toBe(false);
});

test('keeps files of other folders', () => {
  const copied = dataElsewhere('copied', () => '/somewhere/else');
  removeElsewhere(copied.dataDir, copied.shared);
  expect(existsSync(copied.kept)).toBe(true);
  const strange = dataElsewhere('strange', (folder) => folder);
  removeElsewhere(strange.dataDir, join(root, 'not-there'));
  expect(existsSync(strange.kept)).toBe(true);
});

test('accepts a folder without data elsewhere', () => {
  removeElsewhere(join(root, 'none'));
  expect(existsSync(join(root, 'none'))).toBe(false);
});
