import { createTcpProxy } from '@tickrate/testkit';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openPage } from './open-page.ts';
import { createWorld } from './world.ts';

test('a killed server leaves the page as it is, and its return is noticed without reloading', async () => {
  const world = await createWorld('Outage');
  await world.declare('level_up', { level: { type: 'integer' } });
  const server = await createTcpProxy(inject('product').console);
  onTestFinished(() => server.close());
  const { page, visit } = await openPage({ origin: new URL(server.url).origin });
  // The browser keeps the files of this page.
  await visit(`/p/${world.projectId}/players`);
  await visit(`/p/${world.projectId}/pipeline`);
  await page.getByText('No dead letters.').waitFor();
  await page.getByText('No event has arrived yet').waitFor();
  await page.evaluate(() => {
    window.name = 'not reloaded';
  });
  server.refuse();
  const pages = page.getByRole('navigation', { name: 'Pages' });
  const note = page.getByRole('status').filter({ hasText: 'The console does not answer.' });
  await note.waitFor();
  // A page that nobody can load now is left again.
  await pages.getByRole('link', { name: 'Players' }).click();
  await page.getByRole('heading', { level: 1, name: 'Players' }).waitFor();
  await note.waitFor();
  await pages.getByRole('link', { name: 'Pipeline' }).click();
  await page.getByText('No dead letters.').waitFor();
  await world.send('level_up', [{ level: 1 }]);
  await world.untilStored(1);
  server.open();
  await note.waitFor({ state: 'detached' });
  await page.getByText('No event has arrived yet').waitFor({ state: 'detached' });
  expect(await page.evaluate(() => window.name)).toBe('not reloaded');
});
