import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const alarms = readFileSync(join(root, 'docs/operations.md'), 'utf8');
const metrics = readFileSync(join(root, 'docs/metrics.md'), 'utf8');
const sources = globSync('{apps,packages}/*/src/**/*.ts', {
  cwd: root,
  exclude: (path) => path.endsWith('.test.ts'),
});

const exported = new Set(
  sources.flatMap((path) =>
    Array.from(
      readFileSync(join(root, path), 'utf8').matchAll(/(?:name: '|^\s+)(tickrate_[a-z_]+)(?:'|: \{$)/gm),
      ([, name = '']) => name,
    ),
  ),
);
const described = new Set(
  Array.from(metrics.matchAll(/^\| `(tickrate_[a-z_]+)`/gm), ([, name = '']) => name),
);

test('docs/metrics.md describes every metric that a process exports, and no other', () => {
  expect(exported.size).toBeGreaterThan(20);
  expect([...described].sort()).toEqual([...exported].sort());
});

test('every alarm of docs/operations.md watches metrics that are exported', () => {
  const rules = Array.from(alarms.matchAll(/```promql\n([\s\S]*?)```/g), ([, rule = '']) => rule).join('\n');
  const watched = new Set(Array.from(rules.matchAll(/\btickrate_[a-z_]+/g), ([name]) => name));
  const series = (name: string) => name.replace(/_(?:bucket|count|sum)$/, '');
  expect(watched.size).toBeGreaterThan(5);
  expect([...watched].filter((name) => !exported.has(name) && !exported.has(series(name)))).toEqual([]);
});
