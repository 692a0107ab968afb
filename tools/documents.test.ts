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

/** The headings of a page, as GitHub names them in links. */
function anchorsOf(page: string): string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
  return Array.from(text.matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  );
}

// Invariant (HTTP): The documents describe required members, nullable members and both forms of errors for
// generated clients
describe.each(pages)('%s', (page) => {
  const text = readFileSync(join(root, page), 'utf8');

  test('links to nothing in the repository that is not there', () => {
    const targets = Array.from(text.matchAll(/\]\((?!\w+:|#)([^)#]+)/g), ([, target = '']) => target);
    expect(targets.filter((target) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
  });

  test('links to no heading that is not there', () => {
    const targets = Array.from(
      text.matchAll(/\]\(((?!\w+:)[^)#]*\.md|)#([^)]+)\)/g),
      ([, path = '', anchor = '']) => ({
        page: path === '' ? page : join(dirname(page), path),
        anchor,
      }),
    );
    expect(targets.filter(({ page, anchor }) => !anchorsOf(page).includes(anchor))).toEqual([]);
  });

  test('names no file of the repository that is not there', () => {
    const named = Array.from(
      text.matchAll(/`((?:apps|packages|clients|tools|docs|tests|bench|deploy)\/[\w./-]+)`/g),
      ([, path = '']) => path,
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('names no npm script that does not exist', () => {
    const named = Array.from(text.matchAll(/npm run (?:-s |--silent )?([\w:-]+)/g), ([, name = '']) => name);
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});

test('decision records are numbered from 1 without gaps, headed by their number, and in the index', () => {
  const records = globSync('[0-9]*.md', { cwd: join(root, 'docs/adr') }).toSorted();
  const index = readFileSync(join(root, 'docs/adr/README.md'), 'utf8');
  for (const [at, name] of records.entries()) {
    const number = String(at + 1).padStart(4, '0');
    expect(name).toMatch(new RegExp(`^${number}-`));
    expect(readFileSync(join(root, 'docs/adr', name), 'utf8')).toMatch(new RegExp(`^# ${number}\\. `));
    expect(index).toContain(`[${at + 1}](${name})`);
  }
});
