import { spawn } from 'node:child_process';
import { existsSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { engineLibrary } from './clickhouse/engine/engine.ts';
import { folderFault, prepareDataFolder } from './data-folder.ts';
import { EmbeddedFault, machineTooOld } from './embedded-fault.ts';
import { claimFolder } from './folder-owner.ts';
import { birthOf, processesIn } from './process-table.ts';
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

test.runIf(process.platform === 'linux')('names a folder on a network disk', () => {
  const onNfs = () => ({ type: 0x6969, bavail: 1_000, bsize: 4_096 });
  expect(() => prepareDataFolder(scratch.path, 0, onNfs)).toThrow(
    expect.objectContaining({
      reason: 'remoteDisk',
      message: expect.stringContaining('is on a network disk'),
    }),
  );
});

test('too little space is reported before anything is written', () => {
  expect(() => prepareDataFolder(scratch.path, Number.MAX_SAFE_INTEGER)).toThrow(
    expect.objectContaining({ reason: 'diskFull', message: `The disk that holds ${scratch.path} is full` }),
  );
});

test('a file instead of a folder, or above it, is named as one', () => {
  const file = join(scratch.path, 'file');
  writeFileSync(file, '');
  for (const path of [file, join(file, 'below')])
    expect(() => prepareDataFolder(path, 0)).toThrow(
      expect.objectContaining({ reason: 'noFolder', message: `${path} is a file, or is below one` }),
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

test.each([
  ["/lib/libc.so.6: version `GLIBC_2.34' not found (required by chdb.node)", 'older than GLIBC_2.34'],
  ['SIGILL', 'lacks instructions'],
])('%s is a machine that is too old', (cause, message) => {
  expect(machineTooOld(cause)).toMatchObject({ message: expect.stringContaining(message) });
  expect(machineTooOld('no such table')).toBeUndefined();
});

test.runIf(existsSync('/usr/bin/lsof'))('other systems find the same processes with ps and lsof', () => {
  const child = spawn('sleep', ['60'], { cwd: scratch.path });
  const { pid = 0 } = child;
  try {
    const folder = realpathSync(scratch.path);
    expect(processesIn(folder, 'darwin')).toEqual(
      processesIn(folder).map((facts) => ({ ...facts, commandLine: facts.commandLine.trim() })),
    );
    expect(processesIn(folder, 'darwin')).toMatchObject([{ pid, commandLine: 'sleep 60' }]);
    expect(birthOf(pid, 'darwin')).toMatch(/:\d\d \d{4}$/);
    expect(birthOf(2 ** 30, 'darwin')).toBeUndefined();
  } finally {
    child.kill('SIGKILL');
  }
});

test('a platform without an engine from npm is reported by its name', () => {
  expect(() => engineLibrary('win32-x64')).toThrow('win32-x64');
});
