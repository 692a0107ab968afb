import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const dist = join(import.meta.dirname, '../../apps/console/dist');
const assets = join(dist, 'assets');
const kibibyte = 1024;

function sizeOf(name: string): number {
  return statSync(join(assets, `${name}.gz`)).size / kibibyte;
}

/** The scripts that a script needs before it runs, and itself. */
function needsOf(name: string, known = new Set<string>()): Set<string> {
  if (known.has(name)) return known;
  known.add(name);
  const source = readFileSync(join(assets, name), 'utf8');
  for (const [, imported = ''] of source.matchAll(/(?:from|import)\s*["']\.\/([\w.-]+\.js)["']/g))
    needsOf(imported, known);
  return known;
}

const index = readFileSync(join(dist, 'index.html'), 'utf8');
const entry = needsOf(/src="\/assets\/([\w.-]+\.js)"/.exec(index)?.[1] ?? '');
const sumOf = (names: Iterable<string>) => [...names].reduce((sum, name) => sum + sizeOf(name), 0);

test('the entry is at most 190 KiB, compressed', () => {
  expect(entry.size).toBeGreaterThan(0);
  expect(sumOf(entry)).toBeLessThan(190);
});

test('each route is at most 60 KiB, and SQL at most 145', () => {
  const scripts = readdirSync(assets).filter((name) => name.endsWith('.js'));
  const tooLarge = scripts
    .filter((name) => name.includes('-page-'))
    .map((name) => ({ name, kib: sumOf([...needsOf(name)].filter((each) => !entry.has(each))) }))
    .filter(({ name, kib }) => kib > (/^sql-page/.test(name) ? 145 : 60));
  expect(tooLarge).toEqual([]);
});

test('the styles are at most 15 KiB', () => {
  const styles = readdirSync(assets).filter((name) => name.endsWith('.css'));
  expect(sumOf(styles)).toBeLessThan(15);
});
