import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { signUp } from './sign-up.ts';
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
  await page.getByRole('button', { name: 'Create a key for your game' }).click();
  await page.getByRole('button', { name: 'Send a test event' }).click();
  await page.getByRole('row', { name: /level_up 1/ }).waitFor();
});

test('breaks a member down, shows hostile names as text, and keeps the question in the address', async () => {
  const { projectId } = await worldWithLevels();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/explore`);
  await page.getByLabel('Question').selectOption('breakdown');
  await page.getByText('Choose an event type and a member').waitFor();
  await page.getByLabel('Event type').selectOption('level_up');
  // A suggestion counts as chosen; another path counts with Enter.
  await page.locator('datalist option[value=character]').first().waitFor({ state: 'attached' });
  await page.getByRole('combobox', { name: 'Member', exact: true }).fill('character');
  await page.getByText('<img src=x onerror=alert(1)>').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'ranger' }).waitFor();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('level_up-character.csv');
  const [picture] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'PNG' }).click(),
  ]);
  expect(picture.suggestedFilename()).toBe('level_up-character.png');
  const bytes = await buffer(await picture.createReadStream());
  expect(bytes.subarray(1, 4).toString()).toBe('PNG');
  expect(bytes.length).toBeGreaterThan(2_000);
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

test('says after seven seconds why an answer takes long', async () => {
  const { projectId } = await worldWithLevels();
  const { page, visit } = await openPage();
  const answered = Promise.withResolvers<void>();
  await page.route('**/v1/analyses/breakdown', async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.clock.install();
  await visit(`/p/${projectId}/explore`);
  await page.getByLabel('Question').selectOption('breakdown');
  await page.getByLabel('Event type').selectOption('level_up');
  const member = page.getByRole('combobox', { name: 'Member', exact: true });
  // From the question on, only the test moves the time.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60_000);
  await member.fill('character');
  await member.press('Enter');
  await page.waitForURL(/member=character/);
  const note = page.getByRole('status').filter({ hasText: 'This takes long.' });
  await page.locator('.skeleton').first().waitFor();
  await page.clock.fastForward(6_000);
  expect(await note.count()).toBe(0);
  await page.clock.fastForward(2_000);
  await note.waitFor();
  await page.clock.resume();
  answered.resolve();
  await page.getByRole('button', { name: 'ranger' }).waitFor();
  await note.waitFor({ state: 'detached' });
});

test('shows a fortnight of retention without a cut column, and opens a player behind a cell', async () => {
  const world = await createWorld('Retention');
  await world.declare('level_up', { level: { type: 'integer' } });
  const player = await signUp(world, 'Ada');
  await player.send('level_up', { level: 3 });
  await world.untilStored(1);
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/explore?analysis=retention&range=30d`);
  const heat = page.getByRole('region', { name: 'Retention' }).last();
  await heat.getByRole('columnheader', { name: 'D14' }).waitFor();
  const beyond = await heat.evaluate((frame) => frame.scrollWidth - frame.clientWidth);
  expect(beyond).toBe(0);
  await visit(`/p/${world.projectId}/explore?range=1h`);
  await page.getByRole('table', { name: 'Events over time' }).getByText('level_up').click();
  await page.getByRole('dialog').getByRole('row').filter({ hasText: player.accountId }).click();
  await page.getByRole('heading', { level: 1, name: 'Ada' }).waitFor();
});

test('opens the players behind a part of a split volume, distinct players and lengths of sessions', async () => {
  const world = await createWorld('Behind');
  await world.declare('level_up', { character: { type: 'string', maxLength: 20 } });
  const [ada, max] = [await signUp(world, 'Ada'), await signUp(world, 'Max')];
  await ada.send('level_up', { character: 'ranger' });
  await max.send('level_up', { character: 'mage' });
  await max.send('level_up', {});
  await world.untilStored(3);
  const { page, visit } = await openPage();
  const dialog = page.getByRole('dialog');
  const listed = async (...players: readonly { readonly accountId: string }[]) => {
    for (const { accountId } of players) await dialog.getByText(accountId).waitFor();
    // The head is a row too.
    expect(await dialog.getByRole('row').count()).toBe(players.length + 1);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  };
  await visit(`/p/${world.projectId}/explore?range=1h&split=character`);
  const sums = page.getByRole('table', { name: 'Events over time' });
  await sums.getByText('level_up: ranger').click();
  await listed(ada);
  await sums.getByText('level_up: Without a value').click();
  await listed(max);
  const [eve, ida] = [await signUp(world, 'Eve'), await signUp(world, 'Ida')];
  for (const character of ['bard', 'cleric', 'druid', 'monk']) {
    await eve.send('level_up', { character });
    await eve.send('level_up', { character });
  }
  await ida.send('level_up', { character: 'wizard' });
  await world.untilStored(12);
  // Five values have a line of their own: four of Eve, and one of the others.
  await visit(`/p/${world.projectId}/explore?range=1h&split=character`);
  await sums.getByText('level_up: Other values').click();
  await listed(ada, max, ida);
  await visit(`/p/${world.projectId}/explore?range=1h&analysis=players&split=character`);
  const parts = page.getByRole('table', { name: 'Distinct players' });
  await parts.getByText('monk').click();
  await listed(eve);
  await parts.getByText('Other values').click();
  await listed(ada, max, ida);
  for (const analysis of ['players', 'session-length']) {
    await visit(`/p/${world.projectId}/explore?range=1h&analysis=${analysis}`);
    await page.getByRole('button', { name: 'Players behind this' }).click();
    await listed(ada, max, eve, ida);
  }
});
