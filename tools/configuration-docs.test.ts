import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readAppConfigs } from './app-configs.ts';
import { configurationDocs } from './configuration-docs.ts';

const docs = await configurationDocs();

test.each([...docs.keys()])('%s says what the code says: npm run docs writes it', (path) => {
  expect(readFileSync(join(import.meta.dirname, '..', path), 'utf8')).toBe(docs.get(path));
});

test('every variable of every app is in the page', async () => {
  for (const { variables } of await readAppConfigs()) {
    for (const variable of variables) {
      expect(docs.get('docs/configuration.md')).toContain(`| \`${variable}\` |`);
    }
  }
});

test('a setting of several processes has one type and one default in all of them', async () => {
  // Each process has its own port; auth needs no ClickHouse, and the command needs no store.
  const differing = ['PORT', 'CLICKHOUSE_URL'];
  const meanings = new Map<string, Set<string>>();
  for (const { app, markdown } of await readAppConfigs()) {
    if (app === 'standalone' || app === 'cli') continue;
    for (const [, name = '', meaning = ''] of markdown.matchAll(/^\| `(\w+)` \| (.*?) \| [^|]*\|$/gm)) {
      meanings.set(name, (meanings.get(name) ?? new Set()).add(meaning));
    }
  }
  const apart = [...meanings].filter(([, texts]) => texts.size > 1).map(([name]) => name);
  expect(apart.toSorted()).toEqual(differing.toSorted());
});

test('no setting of one process looks like a misspelled one of another', async () => {
  const configs = await readAppConfigs();
  const names = configs.flatMap(({ variables }) => variables);
  const mistaken = configs.flatMap(({ app, misspelled }) =>
    names.flatMap((name) => misspelled({ [name]: '' }).map(({ meant }) => `${app}: ${name} as ${meant}`)),
  );
  expect(mistaken).toEqual([]);
});
