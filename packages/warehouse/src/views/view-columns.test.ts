import type { StoredColumn } from '@tickrate/events';
import { expect, test } from 'vitest';
import { createTypedView, viewName } from './typed-view.ts';
import { viewColumns } from './view-columns.ts';

function column(path: string, type: string, more: Partial<StoredColumn> = {}): StoredColumn {
  return { path, type, nullable: true, description: null, deprecated: false, personal: false, ...more };
}

test('the newest version describes a column, and older ones add their members', () => {
  const columns = viewColumns([
    { version: 1, columns: [column('a', 'Int32', { description: 'old' }), column('gone', 'String')] },
    { version: 2, columns: [column('new', 'Bool'), column('a', 'Int64', { description: 'new' })] },
  ]);
  expect(columns.map(({ name, comment }) => [name, comment])).toEqual([
    ['new', ''],
    ['a', 'new'],
    ['gone', ''],
  ]);
});

test('an incompatible older type has its last version in its name and comment', () => {
  const columns = viewColumns([
    { version: 1, columns: [column('a', 'String', { description: 'a text' })] },
    { version: 2, columns: [column('a', 'String')] },
    { version: 3, columns: [column('a', 'Int64')] },
    { version: 4, columns: [column('a', 'Bool')] },
  ]);
  expect(columns.map(({ name, comment }) => [name, comment])).toEqual([
    ['a', ''],
    ['a_v3', 'As stored up to version 3.'],
    ['a_v2', 'As stored up to version 2.'],
  ]);
});

test('a type that returns uses its earlier column', () => {
  const columns = viewColumns([
    { version: 1, columns: [column('a', 'String')] },
    { version: 2, columns: [column('a', 'Int64')] },
    { version: 3, columns: [column('a', 'String')] },
  ]);
  expect(columns.map(({ name }) => name)).toEqual(['a', 'a_v2']);
});

test('a name that is too long for a file is shortened and stays unique', () => {
  const long = `a${'.'.repeat(127)}`;
  const names = ['a.b', 'a'.repeat(128), long, `${long.slice(0, -1)}-`].map((type) => viewName('p-1', type));
  expect(new Set(names).size).toBe(4);
  expect(names.slice(0, 2)).toEqual(['`project_p_1`.`a.b`', `\`project_p_1\`.\`${'a'.repeat(128)}\``]);
  expect(names[2]).toMatch(/^`project_p_1`.`a\.{39}_[0-9a-f]{12}`$/);
});

test('an invalid type name is rejected', () => {
  for (const name of ['', '1a', 'a b', 'a`b', 'a'.repeat(129), 'a\n']) {
    expect(() => viewName('p-1', name)).toThrow(RangeError);
  }
});

test('in a cluster, a view is created on every node', () => {
  const view = { projectId: 'p-1', typeName: 'a', description: null, versions: [] };
  const statements = createTypedView({ database: 'tickrate', cluster: 'main' }, view, null);
  expect(statements[0]).toBe('CREATE DATABASE IF NOT EXISTS `project_p_1` ON CLUSTER `main`');
  expect(statements[1]).toMatch(/^CREATE OR REPLACE VIEW `project_p_1`\.`a` ON CLUSTER `main`\n/);
  expect(statements[1]).toContain('FROM `tickrate`.events AS');
});

test('no type has the view of another, even with the name of a shortened view', () => {
  const long = 'a'.repeat(200).slice(0, 128).replace(/a{2}/g, 'a.');
  const shortened = viewName('p-1', long).split('`').at(-2) ?? '';
  expect(shortened).toMatch(/^[a.]{40}_[0-9a-f]{12}$/);
  expect(viewName('p-1', shortened)).not.toBe(viewName('p-1', long));
});
