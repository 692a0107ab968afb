import { join } from 'node:path';
import { waitUntil } from '@tickrate/testkit';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';

const folder = join(import.meta.dirname, '../../docs/images');
/** A document loads quickly with each. */
const mostBytes = 150_000;

interface Demo {
  readonly state: string;
  readonly projectId: string | null;
  readonly tour: readonly { readonly title: string; readonly path: string }[];
}

/** `npm run console:pictures`: the six pictures of the documents, from the pages of the demo. */
test('writes the six pictures of the documents', { timeout: 540_000 }, async () => {
  const { page, visit } = await openPage();
  await page.setViewportSize({ width: 1280, height: 720 });
  const demo = await playDemo(page);
  const below = `/p/${demo.projectId}`;
  const newPlayers = demo.tour.find(({ title }) => title === 'New players')?.path ?? '';
  const sql = encodeURIComponent(
    'SELECT toStartOfDay(occurred) AS day, count() AS matches\nFROM match_finished\nWHERE occurred >= {from:DateTime} AND occurred < {to:DateTime}\nGROUP BY day\nORDER BY day',
  );
  await visit(`${below}/overview?range=1h`);
  await photograph(page, 'overview');
  // As high as two tiles: a picture of three is too large.
  await page.setViewportSize({ width: 1280, height: 640 });
  await visit(newPlayers);
  await page
    .getByText(/^\d\d:\d\d:\d\d$/)
    .nth(2)
    .waitFor();
  await photograph(page, 'dashboard');
  await page.setViewportSize({ width: 1280, height: 720 });
  await visit(`${below}/sql?range=30d&sql=${sql}`);
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.locator('canvas').first().waitFor();
  await photograph(page, 'sql');
  await visit(`${below}/quarantine?range=1h&type=level_up&kind=rejected`);
  await page.getByRole('table', { name: 'Events' }).getByText('must be an integer').first().click();
  await page.getByText('"level"').first().waitFor();
  await photograph(page, 'quarantine');
  await visit(`${below}/pipeline?range=1h`);
  await photograph(page, 'pipeline');
  await page.setViewportSize({ width: 1280, height: 480 });
  await visit(`${below}/live`);
  await page.getByRole('row').nth(12).waitFor();
  await photograph(page, 'live');
});

/** Starts the simulated game, and waits until the events of its past are there. */
async function playDemo(page: Page): Promise<Demo> {
  await askDemo(page, 'POST');
  await waitUntil(async () => (await askDemo(page, 'GET')).state === 'live', {
    what: 'the past of the demo',
    timeoutMs: 420_000,
  });
  return askDemo(page, 'GET');
}

function askDemo(page: Page, method: 'GET' | 'POST'): Promise<Demo> {
  return page.evaluate(async (sent) => {
    const answer = await fetch('/v1/demo', { method: sent, headers: { 'X-Tickrate-Console': '1' } });
    return answer.json();
  }, method);
}

async function photograph(page: Page, name: string): Promise<void> {
  const picture = await page.screenshot({ path: join(folder, `console-${name}.png`) });
  expect(picture.byteLength, name).toBeLessThan(mostBytes);
}
