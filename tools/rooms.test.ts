import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const architecture = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');

/** Each workspace of servers, and the cell of the table that names its rooms. */
const listed = new Map(
  Array.from(
    architecture.matchAll(/^\| `((?:apps|packages)\/[\w-]+)` \|.*\|(.*)\|$/gm),
    ([, workspace = '', cell = '']) => [workspace, cell] as const,
  ),
);
const workspaces = globSync('{apps,packages}/*/src', { cwd: root }).map((path) =>
  path.slice(0, -'/src'.length),
);

test('ARCHITECTURE.md lists every app and package, and no other', () => {
  expect([...listed.keys()].toSorted()).toEqual(workspaces.toSorted());
});

test.each(workspaces)('ARCHITECTURE.md names every room of %s, and no other', (workspace) => {
  const src = join(root, workspace, 'src');
  const rooms = foldersOf(src, '*').map((folder) => basename(folder));
  const named = Array.from((listed.get(workspace) ?? '').matchAll(/`([\w/-]+)`/g), ([, name = '']) => name);
  expect(rooms.filter((room) => !named.includes(room))).toEqual([]);
  const inner = foldersOf(src, '**').map((folder) => basename(folder));
  expect(named.filter((name) => !inner.includes(name) && !existsSync(join(src, name)))).toEqual([]);
});

const mostFiles = 15;

/** Folders whose files are entries of one table. */
const tables = ['apps/cli/src/commands'];

test('a folder with more than 15 files is divided into rooms', () => {
  const long = foldersOf(root, '{apps,packages}/*/src/**').filter((folder) => {
    const files = globSync('*.{ts,tsx}', { cwd: join(root, folder) });
    return files.filter((file) => !file.includes('.test.')).length > mostFiles;
  });
  expect(long.toSorted()).toEqual(tables.toSorted());
});

function foldersOf(cwd: string, pattern: string): string[] {
  return globSync(pattern, { cwd }).filter((path) => statSync(join(cwd, path)).isDirectory());
}
