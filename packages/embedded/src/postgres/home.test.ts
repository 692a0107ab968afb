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

test('what a data folder keeps elsewhere is deleted with it', () => {
  const { dataDir, shared, kept } = dataElsewhere('own', (folder) => folder);
  removeElsewhere(dataDir, shared);
  expect(existsSync(kept)).toBe(false);
});

test('what belongs to another folder, or lies anywhere else, is left alone', () => {
  const copied = dataElsewhere('copied', () => '/somewhere/else');
  removeElsewhere(copied.dataDir, copied.shared);
  expect(existsSync(copied.kept)).toBe(true);
  const strange = dataElsewhere('strange', (folder) => folder);
  removeElsewhere(strange.dataDir, join(root, 'not-there'));
  expect(existsSync(strange.kept)).toBe(true);
});

test('a folder that keeps everything itself is no fault', () => {
  removeElsewhere(join(root, 'none'));
  expect(existsSync(join(root, 'none'))).toBe(false);
});
