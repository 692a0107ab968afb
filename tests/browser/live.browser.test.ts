import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { seedProject } from './seed-project.ts';

test('shows events as they arrive, filters them, and stops when it is paused', async () => {
  const world = await seedProject('Living');
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/live?types=purchase`);
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByText(/behind$/).waitFor();
  await world.send('level_up', [{ level: 29 }]);
  await world.send('purchase', [{ item: 'lantern', price: 3 }]);
  const row = page.getByRole('row').filter({ hasText: 'lantern' });
  await row.waitFor();
  expect(await page.getByText('"level":29').count()).toBe(0);
  await row.click();
  await page.getByRole('link', { name: 'Open the type' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await world.send('purchase', [{ item: 'compass', price: 4 }]);
  await page.getByText(/1 left out/).waitFor();
  expect(await page.getByText('compass').count()).toBe(0);
});
