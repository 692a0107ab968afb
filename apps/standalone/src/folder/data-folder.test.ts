import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDataFolder } from './data-folder.ts';

let parent = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tickrate-folder-'));
});
afterEach(() => rmSync(parent, { recursive: true }));

describe('the data folder', () => {
  test('is created, with its parents, and keeps its files', () => {
    const path = join(parent, 'a', 'b');
    openDataFolder(path, { fresh: false }).release();
    writeFileSync(join(path, 'kept'), '');
    openDataFolder(path, { fresh: false }).release();
    expect(existsSync(join(path, 'kept'))).toBe(true);
  });

  test('can be an existing empty folder', () => {
    openDataFolder(parent, { fresh: false }).release();
    openDataFolder(parent, { fresh: true }).release();
  });

  test.each([true, false])('is never a folder with other files in it (fresh: %s)', (fresh) => {
    writeFileSync(join(parent, 'thesis.txt'), 'years of work');
    expect(() => openDataFolder(parent, { fresh })).toThrow('did not put there');
    expect(readdirSync(parent)).toEqual(['thesis.txt']);
  });

  test('is emptied with --fresh, also the second time', () => {
    openDataFolder(parent, { fresh: false }).release();
    mkdirSync(join(parent, 'postgres', 'data'), { recursive: true });
    writeFileSync(join(parent, 'standalone.json'), '{}');
    openDataFolder(parent, { fresh: true }).release();
    expect(readdirSync(parent)).toEqual(['tickrate-data']);
    openDataFolder(parent, { fresh: true }).release();
  });

  test('is used by one instance only, also with --fresh', () => {
    const folder = openDataFolder(parent, { fresh: false });
    writeFileSync(join(parent, 'kept'), '');
    for (const fresh of [false, true]) {
      expect(() => openDataFolder(parent, { fresh })).toThrow(`in use by process ${process.pid}`);
    }
    expect(existsSync(join(parent, 'kept'))).toBe(true);
    folder.release();
    openDataFolder(parent, { fresh: false }).release();
  });

  test('of another user is refused for root, because its owner could not open it afterwards', () => {
    openDataFolder(parent, { fresh: false }).release();
    const own = process.getuid?.() ?? 0;
    if (own === 0) chownSync(join(parent, 'tickrate-data'), 1000, 1000);
    const before = readdirSync(parent);
    for (const fresh of [false, true]) {
      expect(() => openDataFolder(parent, { fresh, uid: 0 })).toThrow(
        `belongs to another user (${own || 1000})`,
      );
    }
    expect(readdirSync(parent)).toEqual(before);
    openDataFolder(parent, { fresh: false, uid: 1000 }).release();
  });

  test('is not a file', () => {
    writeFileSync(join(parent, 'file'), '');
    for (const path of [join(parent, 'file'), join(parent, 'file', 'below')])
      expect(() => openDataFolder(path, { fresh: false })).toThrow(`${path} is a file, or is below one`);
  });
});
