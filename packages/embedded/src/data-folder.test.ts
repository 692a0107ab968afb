import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { engineLibrary } from './clickhouse/engine/engine.ts';
import { folderFault, prepareDataFolder } from './data-folder.ts';
import { EmbeddedFault } from './embedded-fault.ts';
import { claimFolder } from './folder-owner.ts';
import { scratchFolder } from './scratch-folder.ts';

let scratch: ReturnType<typeof scratchFolder>;

beforeEach(() => {
  scratch = scratchFolder();
});

afterEach(() => scratch.remove());

test('creates a folder with its parents and leaves nothing in it', () => {
  const folder = join(scratch.path, 'a', 'b');
  prepareDataFolder(folder, 0);
  expect(readdirSync(folder)).toEqual([]);
});

test.runIf(process.platform === 'linux')('names a folder that its file system cannot make', () => {
  expect(() => prepareDataFolder('/proc/none/below', 0)).toThrow(
    expect.objectContaining({ reason: 'notWritable' }),
  );
});

test('too little space is reported before anything is written', () => {
  expect(() => prepareDataFolder(scratch.path, Number.MAX_SAFE_INTEGER)).toThrow(
    expect.objectContaining({ reason: 'diskFull', message: `The disk that holds ${scratch.path} is full` }),
  );
});

test.each([
  ['ENOSPC', 'diskFull'],
  ['EDQUOT', 'diskFull'],
  ['EACCES', 'notWritable'],
  ['EROFS', 'notWritable'],
])('%s means %s', (code, reason) => {
  expect(folderFault('/data', Object.assign(new Error(code), { code }))).toMatchObject({ reason });
});

test('a folder has one living owner at a time', () => {
  const owner = claimFolder(scratch.path);
  expect(() => claimFolder(scratch.path)).toThrow(EmbeddedFault);
  owner.release();
  writeFileSync(join(scratch.path, 'owner.json'), JSON.stringify({ pid: process.pid, birth: 'long ago' }));
  claimFolder(scratch.path).release();
  expect(existsSync(join(scratch.path, 'owner.json'))).toBe(false);
});

test('a platform without an engine from npm is reported by its name', () => {
  expect(() => engineLibrary('win32-x64')).toThrow('win32-x64');
});
