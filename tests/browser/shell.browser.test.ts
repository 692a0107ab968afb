import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { createWorld } from './world.ts';

test('moves by keyboard, keeps the time range in the address, and shows hostile names as text', async () => {
  const hostile = '<img src=x onerror=alert(1)>\u202e😀';
  const world = await createWorld(hostile);
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/overview?range=7d&zone=UTC`);
  await page.getByRole('button', { name: `Project: ${hostile}` }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByRole('heading', { name: 'Quarantine', level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
  await page.keyboard.press('Control+k');
  await page.keyboard.type('players');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
});

test('shows nothing of another project that another tab switched to', async () => {
  const [one, two] = [await createWorld('One'), await createWorld('Two')];
  const { page, visit, newTab } = await openPage();
  await visit(`/p/${one.projectId}/types`);
  const other = await newTab();
  await other.goto(`/p/${two.projectId}/types`);
  await other.getByRole('button', { name: 'Project: Two' }).waitFor();
  await page.getByRole('link', { name: 'Players' }).click();
  await page.getByRole('dialog', { name: 'The session is in another project' }).waitFor();
  await page.getByRole('button', { name: 'Switch back to this project' }).click();
  await page.getByRole('heading', { name: 'No players yet' }).waitFor();
});
