import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readHeapBytes } from './frame-rate.ts';
import { openPage } from './open-page.ts';
import { meterPage } from './page-work.ts';
import { links } from './pages.ts';
import { seedProject } from './seed-project.ts';
import { createWorld } from './world.ts';

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

test('another user can read the built pages', () => {
  expect(statSync(dist).mode & 0o777).toBe(statSync(assets).mode & 0o777);
});

test('the styles are at most 15 KiB', () => {
  const styles = readdirSync(assets).filter((name) => name.endsWith('.css'));
  expect(sumOf(styles)).toBeLessThan(15);
});

/*
 * The time budgets of the pages, in what does not depend on the other work of the machine: calls, bytes, elements, heap, and
 * CPU time of the page's own thread. `npm run console:budgets` measures the times.
 */

test('a page asks few questions, whatever the project holds, and needs little CPU', async () => {
  const world = await seedProject('Budgets');
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      await world.declare(`type_${index}`, { n: { type: 'integer' } });
      await world.call('POST /v1/keys', { kind: 'public' });
      await world.call('POST /v1/dashboards', { name: `Dashboard ${index}`, content: { tiles: [] } });
    }),
  );
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/overview`);
  const meter = await meterPage(page);
  const navigation = page.getByRole('navigation', { name: 'Pages' });
  for (const name of links) {
    const work = await meter.measure(async () => {
      await navigation.getByRole('link', { name, exact: true }).click();
      await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
    });
    // One call for each of 12 types, keys or dashboards would be more.
    expect(work.calls.length, `${name}: ${work.calls}`).toBeLessThanOrEqual(8);
    expect(work.bytes, name).toBeLessThan(64 * kibibyte);
    expect(work.elements, name).toBeLessThan(1_500);
    // A page is there a second after the click; parsing its script for the first time is a part of it.
    expect(work.cpuMs, name).toBeLessThan(1_000);
  }
});

test('a dashboard of eight tiles asks eight questions, three at a time', async () => {
  const world = await seedProject('Eight tiles');
  const types = [[], ['level_up'], ['purchase'], ['session_start']];
  const tiles = Array.from({ length: 8 }, (_, index) => ({
    title: `Events ${index + 1}`,
    chart: 'line',
    analysis: {
      name: 'volume',
      parameters: {
        per: index < 4 ? 'day' : 'hour',
        ...(index % 4 > 0 && { types: types[index % 4] }),
      },
    },
    position: { x: (index % 4) * 3, y: Math.floor(index / 4) * 4, width: 3, height: 4 },
  }));
  const { id } = await world.call<{ id: string }>('POST /v1/dashboards', {
    name: 'Eight',
    content: { tiles },
  });
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/dashboards`);
  const meter = await meterPage(page);
  const work = await meter.measure(async () => {
    await page.getByRole('button', { name: 'Eight', exact: true }).click();
    await page.locator('figure').nth(7).waitFor();
  });
  expect(id).toBe(page.url().split('/').at(-1)?.split('?')[0]);
  expect(work.calls.filter((call) => call === 'POST /v1/analyses/volume')).toHaveLength(8);
  expect(work.calls.length, `${work.calls}`).toBeLessThanOrEqual(12);
  expect(meter.mostAtOnce('/v1/analyses/volume')).toBe(3);
  expect(work.cpuMs).toBeLessThan(3_000);
});

test('8,000 live events cost little CPU, and the page does not keep them and says how many it left out', async () => {
  const world = await createWorld('Flat');
  await world.declare('tick', { n: { type: 'integer' } });
  const events = Array.from({ length: 1_000 }, (_, n) => ({ n }));
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/live`);
  await page.getByText(/behind$/).waitFor();
  const meter = await meterPage(page);
  const send = async (times: number) => {
    for (let sent = 0; sent < times; sent += 1) await world.send('tick', events);
    await world.send('tick', [{ n: 1_000_000 + times }]);
    await page
      .getByText(`"n":${1_000_000 + times}`)
      .first()
      .waitFor();
  };
  // The first ones fill the list of the page, which keeps its newest.
  await send(2);
  const before = await readHeapBytes(page);
  const work = await meter.measure(() => send(8));
  const grown = (await readHeapBytes(page)) - before;
  await page.getByText(/left out$/).waitFor();
  expect(await page.getByRole('row').count()).toBeLessThan(200);
  expect(work.cpuMs).toBeLessThan(4_000);
  expect(work.elements).toBeLessThan(2_500);
  expect(grown / kibibyte).toBeLessThan(3 * kibibyte);
});
