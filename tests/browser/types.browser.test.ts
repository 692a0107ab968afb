import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { createWorld } from './world.ts';

test('a declaration is edited as a form and as JSON, tried while it is typed, and not lost by a reload', async () => {
  const world = await createWorld();
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/types`);
  await page.getByRole('button', { name: 'New event type' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('boss_down');
  await page.getByRole('button', { name: 'Add a member' }).click();
  await page.getByLabel('Name of member_2').fill('position');
  await page.getByLabel('Type of position').selectOption('object');
  await page.getByLabel('required').first().check();
  await page.getByLabel('personal').nth(1).check();
  await page.getByRole('button', { name: 'Limits and description of level' }).click();
  await page.getByLabel('Largest value').fill('0');
  await page.getByText('is greater than maximum').first().waitFor();
  await page.getByLabel('Largest value').fill('9007199254740993');
  await page.getByText('Enter a number that JSON keeps exactly.').waitFor();
  await page.getByLabel('Largest value').fill('50');
  await page.getByRole('button', { name: 'Move position up' }).click();
  await page.getByText('First version').waitFor();
  const sample = page.getByLabel('Try an event with this draft');
  await sample.fill('{"level": 51}');
  await page.getByText('must be between 1 and 50').waitFor();
  await sample.fill('{"level": 50}');
  await page.getByText('This event would be accepted').waitFor();
  await expectAccessible(page);
  await page.reload();
  await page.getByRole('radio', { name: 'JSON' }).click();
  expect(JSON.parse(await page.getByRole('textbox', { name: 'JSON' }).inputValue())).toEqual({
    type: 'object',
    required: ['level'],
    properties: {
      position: { type: 'object', properties: { member_1: { type: 'string' } }, 'x-personal': true },
      level: { type: 'integer', minimum: 1, maximum: 50 },
    },
  });
  await page.getByRole('button', { name: 'Declare' }).click();
  await page.getByRole('heading', { level: 1, name: 'boss_down' }).waitFor();

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Remove position' }).click();
  await page.getByText('Breaks clients of the version before').waitFor();
  await page.getByRole('button', { name: 'Declare the breaking version' }).click();
  await page.getByText('Version 2', { exact: true }).first().waitFor();
  const declared = await world.call<{ versions: { declaration: object }[] }>('GET /v1/event-types/boss_down');
  expect(declared.versions[1]?.declaration).toMatchObject({ properties: { level: { maximum: 50 } } });
});
