import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { createWorld } from './world.ts';

// Invariant (Management): A declaration that is being edited survives a reload, and the form and the JSON
// never change what the other shows
test('a declaration is edited as a form and as JSON, tried while it is typed, and not lost by a reload', async () => {
  const world = await createWorld();
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/types`);
  await page.getByRole('button', { name: 'New event type' }).first().click();
  const name = page.getByLabel('Name', { exact: true });
  await name.fill('boss down!');
  await name.and(page.locator('[aria-invalid=true]')).waitFor();
  await name.fill('boss_down');
  await page.getByRole('button', { name: 'Add a member' }).click();
  // The new member's name has the focus, and typing replaces it.
  await page.getByLabel('Name of member_2').and(page.locator(':focus')).waitFor();
  await page.keyboard.type('position');
  // Enter in a name adds the next member, and declares nothing.
  await page.keyboard.press('Enter');
  await page.getByLabel('Name of member_3').and(page.locator(':focus')).waitFor();
  await page.getByRole('button', { name: 'Remove member_3' }).click();
  await page.getByLabel('Type of position').selectOption('object');
  await page.getByLabel('required').first().check();
  await page.getByLabel('personal').nth(1).check();
  await page.getByRole('button', { name: 'Limits and description of level' }).click();
  expect(await page.getByLabel('Smallest value').inputValue()).toBe('');
  await page.getByLabel('Smallest value').fill('1');
  await page.getByLabel('Largest value').fill('0');
  await page.getByText('is greater than maximum').first().waitFor();
  await page.getByLabel('Largest value').fill('9007199254740993');
  await page.getByText('Enter a number that JSON keeps exactly.').waitFor();
  // The document has no such number, so it is not declared without it.
  await page.getByRole('button', { name: 'Declare' }).click();
  await page.getByLabel('Largest value').and(page.locator(':focus')).waitFor();
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

test('sends a test event that fits the declaration, and shows it when it is stored', async () => {
  const world = await createWorld('First of a type');
  await world.declare('boss_down', {
    level: { type: 'integer', minimum: 7 },
    by: { type: 'string', enum: ['sword'] },
  });
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/types/boss_down`);
  await page.getByText('No events of this type yet.').waitFor();
  await page.getByRole('button', { name: 'Create a key for it' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByText('The gateway accepted the event.').waitFor();
  await page.getByText('{ "by": "sword", "level": 7 }').waitFor();
});

test('says what does not exist, with nothing to try again', async () => {
  const world = await createWorld();
  const { page, visit } = await openPage();
  const missing = [
    ['types/nope', 'This does not exist'],
    ['players/u-aaaaaaaaaaaaaaaaaa', 'No player has this id'],
  ] as const;
  for (const [path, name] of missing) {
    await visit(`/p/${world.projectId}/${path}`);
    await page.getByRole('heading', { name }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  }
});

test('compares any two versions, and exports and imports all declarations after their differences', async () => {
  const world = await createWorld();
  const integer = { type: 'integer', minimum: 1 };
  await world.declare('boss_down', { level: integer });
  await world.declare('boss_down', { level: integer, zone: { type: 'string', maxLength: 20 } });
  await world.declare('boss_down', { level: { type: 'string', maxLength: 9 } });
  await world.declare('boss_up', { level: integer });
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/types/boss_down`);
  const difference = page.getByRole('region', { name: 'Difference of two versions' });
  await difference.getByText('Breaks clients of version 2').waitFor();
  await difference.getByLabel('To').selectOption({ label: 'Version 1' });
  await difference.getByLabel('From').selectOption({ label: 'Version 1' });
  await difference.getByText('No change').waitFor();
  await visit(`/p/${world.projectId}/types`);
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const file = JSON.parse(await text(await saved.createReadStream()));
  expect(file.declarations.map(({ name }: { name: string }) => name)).toEqual(['boss_down', 'boss_up']);
  file.declarations[1].declaration.properties.level = { type: 'boolean' };
  file.declarations.push({ name: 'no type', declaration: { type: 'object' } });
  const choose = (content: string) =>
    page
      .getByLabel('Import', { exact: true })
      .and(page.locator('input'))
      .setInputFiles({
        name: 'declarations.json',
        mimeType: 'application/json',
        buffer: Buffer.from(content),
      });
  await choose('{"no": 1}');
  await page.getByText('This file has no declarations').waitFor();
  await choose(JSON.stringify(file));
  const dialog = page.getByRole('dialog', { name: 'Import declarations' });
  const outcome = (name: string) => dialog.getByRole('listitem').filter({ hasText: name });
  await outcome('boss_down').getByText('No change').waitFor();
  await outcome('boss_up').getByText('Breaks clients of the version before').waitFor();
  await outcome('no type').getByText('refused').waitFor();
  await expectAccessible(page);
  const before = await world.call<{ versions: object[] }>('GET /v1/event-types/boss_up');
  expect(before.versions).toHaveLength(1);
  await dialog.getByRole('button', { name: 'Declare 1 type' }).click();
  await page.getByText('1 type was declared').waitFor();
  const after = await world.call<{ versions: { declaration: object }[] }>('GET /v1/event-types/boss_up');
  expect(after.versions[1]?.declaration).toMatchObject({ properties: { level: { type: 'boolean' } } });
});

test('the editor of a type shows nothing of the type that was edited before', async () => {
  const world = await createWorld();
  for (const type of ['one', 'two'])
    await world.declare(type, { [`member_of_${type}`]: { type: 'integer' } });
  const { page, visit } = await openPage();
  const description = page.getByLabel('What this event means', { exact: true });
  const memberOf = (type: string) => page.getByText(`member_of_${type}`).first();
  await visit(`/p/${world.projectId}/types/one?edit=true`);
  await description.fill('typed for the first type');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('two');
  await page.getByRole('option', { name: 'two Event type' }).click();
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.waitForURL(/two\?.*edit=true/);
  expect(await description.inputValue()).toBe('');
  // Over the page of the second type, at which nothing is edited.
  await page.evaluate(() => history.go(-2));
  await page.waitForURL(/one\?.*edit=true/);
  await page.getByRole('heading', { level: 1, name: /one/ }).waitFor();
  await memberOf('one').waitFor();
  expect(await description.inputValue()).toBe('typed for the first type');
  await page.evaluate(() => history.go(2));
  await page.waitForURL(/two\?.*edit=true/);
  await page.getByRole('heading', { level: 1, name: /two/ }).waitFor();
  expect(await description.inputValue()).toBe('');
});
