import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { translations } from './german.ts';

test('the texts of every page have a German translation', () => {
  const web = join(import.meta.dirname, '..');
  const names = globSync('**/*.{ts,tsx}', { cwd: web })
    .map((path) => readFileSync(join(web, path), 'utf8'))
    .flatMap((source) => Array.from(source.matchAll(/= defineTexts\(\s*'(\w+)'/g), ([, name]) => name));
  expect(names.length).toBeGreaterThan(20);
  expect(Object.keys(translations).toSorted()).toEqual(names.toSorted());
});
