import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { createWorld } from './world.ts';

async function worldWithLevels() {
  const world = await createWorld();
  const level = { level: { type: 'integer', minimum: 1 }, character: { type: 'string' } };
  await world.declare('level_up', level);
  await world.declare('quit', {});
  await world.send('level_up', [
    { level: 1, character: 'ranger' },
    { level: 1, character: '<img src=x onerror=alert(1)>' },
    { level: 2, character: 'ranger' },
  ]);
  await world.send('quit', [{}]);
  await world.untilStored(4);
  return world;
}

test('shows events over time, their sums, and the SQL', async () => {
  const { projectId } = await worldWithLevels();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/explore`);
  const sums = page.getByRole('table', { name: 'Events over time' });
  await sums.getByRole('row', { name: /level_up 3/ }).waitFor();
  await sums.getByRole('row', { name: /quit 1/ }).waitFor();
  await page.getByRole('button', { name: 'Open as SQL' }).click();
  await page.getByRole('heading', { level: 1, name: 'SQL' }).waitFor();
  await page.getByRole('textbox', { name: 'SQL statement' }).getByText('SELECT').first().waitFor();
});

test('looks again by itself while the first events are not visible yet', async () => {
  const world = await createWorld();
  await world.declare('level_up', { level: { type: 'integer', minimum: 1 } });
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/explore`);
  await page.getByText('No events match').waitFor();
  await world.send('level_up', [{ level: 1 }]);
  await page.getByRole('row', { name: /level_up 1/ }).waitFor();
});

test('breaks a member down, shows hostile names as text, and keeps the question in the address', async () => {
  const { projectId } = await worldWithLevels();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/explore`);
  await page.getByLabel('Question').selectOption('breakdown');
  await page.getByText('Choose an event type and a member').waitFor();
  await page.getByLabel('Event type').selectOption('level_up');
  await page.getByRole('combobox', { name: 'Member', exact: true }).fill('character');
  await page.getByText('<img src=x onerror=alert(1)>').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'ranger' }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('level_up-character.csv');
});

test('says what is missing of a funnel, and answers when it is there', async () => {
  const { projectId } = await worldWithLevels();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/explore?analysis=funnel`);
  await page.getByText('Choose at least two steps').waitFor();
  await page.getByLabel('Add a step').selectOption('level_up');
  await page.getByLabel('Add a step').selectOption('quit');
  // The events belong to no account, so no player took a step.
  await page.getByText('No events match').waitFor();
});
