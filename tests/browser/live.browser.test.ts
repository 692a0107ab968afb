import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { seedProject } from './seed-project.ts';
import { createWorld } from './world.ts';

// Invariant (Queries): Tabs with the same project and filters open one live stream, and the next tab
// continues it when one closes
test('shows events as they arrive, filters them, and stops when it is paused', async () => {
  const world = await seedProject('Living');
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/live`);
  await page.getByRole('link', { name: '2 events rejected in 24 hours' }).waitFor();
  await page.getByLabel('Types').selectOption('purchase');
  await page.waitForURL(/types=purchase/);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByText(/behind$/).waitFor();
  await world.send('level_up', [{ level: 29 }]);
  await world.send('purchase', [{ item: 'lantern', price: 3 }]);
  const row = page.getByRole('row').filter({ hasText: 'lantern' });
  await row.waitFor();
  expect(await page.getByText('"level":29').count()).toBe(0);
  await row.click();
  await page.getByRole('link', { name: 'Open the type' }).waitFor();
  await world.send('purchase', [{ item: 'torch', price: 2 }]);
  await page.getByRole('row').filter({ hasText: 'torch' }).waitFor();
  // The mark stays at the open event when others arrive above it.
  const marked = await page.getByRole('row', { selected: true }).allInnerTexts();
  expect(marked).toEqual([expect.stringContaining('lantern')]);
  await page.getByRole('button', { name: 'Pause' }).click();
  await world.send('purchase', [{ item: 'compass', price: 4 }]);
  await page.getByText(/1 left out/).waitFor();
  expect(await page.getByText('compass').count()).toBe(0);
});

test('shows events that meet conditions on their members, in two tabs over one connection', async () => {
  const world = await createWorld('Two tabs');
  await world.declare('match', { level: { type: 'integer' }, mode: { type: 'string' } });
  const { page, visit, newTab } = await openPage();
  const opened: string[] = [];
  page.context().on('request', (request) => {
    if (request.url().includes('/v1/live')) opened.push(request.url());
  });
  const address = `/p/${world.projectId}/live`;
  await visit(address);
  await page.getByRole('heading', { name: 'Send your first event' }).waitFor();
  await page.getByLabel('Conditions on members').fill('level > 3, mode');
  await page.getByText('"mode" is no condition').waitFor();
  await page.getByLabel('Conditions on members').fill('level > 3, mode = "ranked"');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.waitForURL(/where=/);
  await page.getByText(/behind$/).waitFor();
  const second = await newTab();
  await second.goto(page.url());
  await second.getByText(/behind$/).waitFor();
  await world.send('match', [
    { level: 3, mode: 'ranked' },
    { level: 4, mode: 'casual' },
    { level: 5, mode: 'ranked' },
  ]);
  for (const tab of [page, second]) {
    await tab.getByText('"level":5').waitFor();
    expect(await tab.getByText(/"level":[34]/).count()).toBe(0);
  }
  expect(opened.filter((url) => url.includes('where='))).toHaveLength(1);
  await page.close();
  await world.send('match', [{ level: 6, mode: 'ranked' }]);
  await second.getByText('"level":6').waitFor();
  expect(opened.filter((url) => url.includes('where='))).toHaveLength(2);
});
