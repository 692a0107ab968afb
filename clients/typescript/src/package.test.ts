import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');

test('each link in a document of the package leads to a file of the package', async () => {
  const pack = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const { stdout } = await promisify(execFile)('npm', pack, { cwd: folder });
  const paths = [...stdout.matchAll(/"path": "([^"]+)"/g)].map(([, path = '']) => path);
  expect(paths).toEqual(expect.arrayContaining(['README.md', 'API.md', 'CHANGELOG.md']));
  const links = paths.filter((path) => path.endsWith('.md')).flatMap(linksIn);
  expect(links).toContain('API.md');
  const isHere = (link: string) => /^https?:/.test(link) || paths.includes(link);
  expect(links.filter((link) => !isHere(link))).toEqual([]);
}, 30_000);

/** Without those within a document. */
function linksIn(path: string): string[] {
  const text = readFileSync(join(folder, path), 'utf8');
  const found = Array.from(text.matchAll(/\]\(([^)#]+)(#[^)]*)?\)/g), ([, link = '']) => link);
  return found.map((link) => (/^https?:/.test(link) ? link : join(link)));
}
