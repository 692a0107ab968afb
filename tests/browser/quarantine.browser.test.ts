import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { seedProject } from './seed-project.ts';

test('mends a declaration and replays what it rejected, on one page', async () => {
  const world = await seedProject('Mending');
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/quarantine`);
  const chart = page.getByRole('figure', { name: 'Rejected events and dead letters over time' });
  await chart.getByText('level_up · typeMismatch').waitFor();
  await page.getByRole('table', { name: 'By type and reason' }).getByText('typeMismatch').click();
  await page.getByRole('table', { name: 'Events' }).getByText('must be an integer').click();
  expect(await page.locator('mark').textContent()).toBe('"7"');
  const declaration = page.getByLabel('Declaration (JSON Schema)');
  const before = await declaration.inputValue();
  await declaration.fill('{"type": ');
  await page.getByText('This is not JSON').waitFor();
  const mended = JSON.parse(before);
  mended.properties.level = { type: 'string', maxLength: 10 };
  await declaration.fill(JSON.stringify(mended));
  await page.getByText('Breaks clients of the version before').waitFor();
  await page.getByText('1 of 1 samples would pass').waitFor();
  mended.properties.level.maxLength = 0;
  await declaration.fill(JSON.stringify(mended));
  await page.getByText('0 of 1 samples would pass').waitFor();
  await page.getByText('must have at most 0 characters').first().waitFor();
  mended.properties.level.maxLength = 10;
  await declaration.fill(JSON.stringify(mended));
  await page.getByText('1 of 1 samples would pass').waitFor();
  await page.getByRole('button', { name: 'Declare and replay' }).click();
  await page.getByText('1 replayed, 0 still refused').waitFor();
  // No reload: the page follows the replayed event until it is stored.
  const sums = page.getByRole('region', { name: 'Replays of the last 24 hours' });
  await sums.getByText('0in quarantine→0replayed, on the way→1stored').waitFor();
  await world.untilStored(441);
});
