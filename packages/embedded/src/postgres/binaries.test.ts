import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchFolder } from '../scratch-folder.ts';
import { linkLibraries } from './binaries.ts';

let scratch: ReturnType<typeof scratchFolder>;
let native: string;
let home: string;

beforeEach(() => {
  scratch = scratchFolder();
  native = join(scratch.path, 'package', 'native');
  home = join(scratch.path, 'home');
  mkdirSync(join(native, 'lib'), { recursive: true });
  writeFileSync(join(native, 'lib', 'liba.so.1.2'), 'library');
  const links = [
    { source: 'native/lib/liba.so.1.2', target: 'native/lib/liba.so' },
    { source: 'native/lib/liba.so.1.2', target: 'native/lib/liba.so.1' },
  ];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
});

afterEach(() => scratch.remove());

test('creates missing links beside the libraries once', () => {
  expect(linkLibraries(native, home)).toEqual([]);
  expect(readFileSync(join(native, 'lib', 'liba.so.1'), 'utf8')).toBe('library');
  rmSync(join(native, 'lib', 'liba.so'));
  expect(linkLibraries(native, home)).toEqual([]);
  expect(readFileSync(join(native, 'lib', 'liba.so'), 'utf8')).toBe('library');
});

test('creates the links in the home folder if the package is read-only', () => {
  const links = [{ source: 'native/lib/liba.so.1.2', target: 'native/closed/liba.so.1' }];
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify(links));
  for (const _ of ['first', 'again']) expect(linkLibraries(native, home)).toEqual([join(home, 'lib')]);
  expect(readFileSync(join(home, 'lib', 'liba.so.1'), 'utf8')).toBe('library');
});
