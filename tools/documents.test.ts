import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const pages = globSync('{*.md,docs/**/*.md,{apps,packages,clients,bench,deploy}/**/*.md}', {
  cwd: root,
  exclude: (path) => path.includes('node_modules'),
});
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
);

describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  test('links to nothing in the repository that is not there', () => {
    const targets = Array.from(text.matchAll(/\]\((?!\w+:|#)([^)#]+)/g), ([, target = '']) => target);
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });

  test('names no file of the repository that is not there', () => {
    const named = Array.from(
      text.matchAll(/`((?:apps|packages|clients|tools|docs|tests|bench|deploy)\/[\w./-]+)`/g),
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names no npm script that does not exist', () => {
    const told = Array.from(text.matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g), ([, name = '']) => name);
    expect(told.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('each decision record has a number of its own and is headed by it', () => {
  const records = globSync('docs/adr/[0-9]*.md', { cwd: root }).toSorted();
  const numbers = records.map((path) => path.slice('docs/adr/'.length, 'docs/adr/'.length + 4));
  expect(new Set(numbers).size).toBe(records.length);
  for (const [at, path] of records.entries()) {
    expect(readFileSync(join(root, path), 'utf8')).toMatch(new RegExp(`^# (?:ADR )?${numbers[at]}\\b`));
  }
});
