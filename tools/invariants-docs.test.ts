import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { invariantsPage } from './invariants-docs.ts';

const root = join(import.meta.dirname, '..');

test('docs/invariants.md lists the invariants that the tests state: npm run docs writes it', () => {
  expect(readFileSync(join(root, 'docs/invariants.md'), 'utf8')).toBe(invariantsPage(root));
});

test('every invariant in ARCHITECTURE.md is one that a test states', () => {
  const page = invariantsPage(root);
  const [, section = ''] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').split('## Invariants');
  const rows = Array.from(section.matchAll(/^\| (?!invariant|---)(.*?) \|/gm), ([, text]) => text);
  expect(rows).toHaveLength(10);
  expect(rows.filter((text) => !page.includes(`| ${text} |`))).toEqual([]);
});
