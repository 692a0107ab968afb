import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { type Asked, runAgainst } from '../command-harness.ts';

const parent = mkdtempSync(join(tmpdir(), 'tickrate-dashboards-'));
const folder = mkdtempSync(join(parent, 'exported-'));
afterAll(() => rmSync(parent, { recursive: true }));

const query = { sql: 'SELECT 1' };
const tile = { title: 'One', chart: 'number' };
const dashboard = (name: string, n: number, more: object = {}) => ({
  id: `d-${n}`,
  name,
  content: { tiles: [{ ...tile, ...more }] },
  createdBy: 'test',
  created: '2026-11-21T09:00:00.000Z',
  version: `v-${n}`,
});

function answer({ method, path }: Asked) {
  if (method !== 'GET') return {};
  if (path.startsWith('/v1/saved-queries')) return { results: [{ id: 'q-1', content: query }], next: null };
  const dashboards = [dashboard('Été / levels', 1, { savedQueryId: 'q-1' }), dashboard('T levels', 2)];
  return { results: [...dashboards, dashboard('t  Levels', 3)], next: null };
}

test('export writes a file for each dashboard, with the text of its queries, and apply changes what differs', async () => {
  await runAgainst(answer, ['dashboards', 'export', folder]);
  expect(readdirSync(folder).toSorted()).toEqual(
    ['t-levels-2.json', 't-levels.json', 't-levels-3.json'].toSorted(),
  );
  const read = (name: string) => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  expect(read('t-levels.json')).toEqual({
    name: 'Été / levels',
    content: { tiles: [{ ...tile, query }] },
  });
  writeFileSync(join(folder, 'new.json'), JSON.stringify({ name: 'New', content: { tiles: [] } }));
  const dry = await runAgainst(answer, ['dashboards', 'apply', folder, '--dry-run']);
  expect(dry.asked.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(dry.out).toContain('New: would be created');
  const { asked, out } = await runAgainst(answer, ['dashboards', 'apply', folder]);
  expect(asked.filter(({ method }) => method !== 'GET')).toEqual([
    { method: 'POST', path: '/v1/dashboards', body: { name: 'New', content: { tiles: [] } } },
    {
      method: 'PATCH',
      path: '/v1/dashboards/d-1',
      body: { version: 'v-1', content: { tiles: [{ ...tile, query }] } },
    },
  ]);
  expect(out.trim().split('\n').toSorted()).toEqual([
    'New: created',
    'T levels: unchanged',
    't  Levels: unchanged',
    'Été / levels: changed',
  ]);
});

test('apply refuses a folder without files, and an invalid file, before it changes anything', async () => {
  const empty = mkdtempSync(join(parent, 'empty-'));
  expect((await runAgainst(answer, ['dashboards', 'apply', empty])).complaint).toContain(
    'There is no .json file',
  );
  writeFileSync(join(empty, 'a.json'), JSON.stringify({ name: 'A', content: { tiles: [] } }));
  writeFileSync(join(empty, 'b.json'), '[]');
  const { asked, complaint } = await runAgainst(answer, ['dashboards', 'apply', empty]);
  expect([asked, complaint.includes('b.json is not a dashboard')]).toEqual([[], true]);
});

test('show prints the tiles of the dashboard with an id', async () => {
  const { asked, out } = await runAgainst(() => dashboard('Levels', 2), ['dashboards', 'show', 'd-2']);
  expect(asked).toEqual([{ method: 'GET', path: '/v1/dashboards/d-2' }]);
  expect(out).toMatch(/Levels/);
  expect(out).toMatch(/One\s+number/);
});
