import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { countBlankRows } from './blank-rows.ts';
import { openPage } from './open-page.ts';
import { createWorld } from './world.ts';

const hostile = '<img src=x onerror=alert(1)>';

async function worldWithLevels() {
  const world = await createWorld();
  await world.declare('level_up', { level: { type: 'integer' }, character: { type: 'string' } });
  await world.send('level_up', [
    { level: 1, character: '=1+1' },
    { level: 2, character: hostile },
  ]);
  await world.untilStored(2);
  return world;
}

/** Puts a statement in a new tab and runs it with the keyboard alone. */
async function run(page: Page, sql: string): Promise<void> {
  await page.getByRole('button', { name: 'New query' }).press('Enter');
  await write(page, sql);
  await page.keyboard.press('Control+Enter');
}

async function write(page: Page, sql: string): Promise<void> {
  const editor = page.getByRole('textbox', { name: 'SQL statement' });
  await editor.focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(sql);
}

// Invariant (Queries): The SQL page keeps its tabs through a reload, reads an answer within bounds, and
// ends the query of a page that is left
test('runs statements with parameters, draws them, shows cells as text, exports, and keeps tabs', async () => {
  const { projectId } = await worldWithLevels();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/sql`);
  // The example, and the tables of the project.
  await page.getByText('toStartOfHour').waitFor();
  await page.getByRole('button', { name: 'level_up', exact: true }).waitFor();
  await run(page, 'SELECT character, level FROM level_up WHERE level >= {least:Int64} ORDER BY level');
  await page.getByText('Time range not used').waitFor();
  await page
    .getByRole('alert')
    .getByText(/Fill in each parameter/)
    .waitFor();
  await page.getByLabel(/^least/).fill('1');
  await page.getByLabel(/^least/).press('Enter');
  // Names and numbers are bars first.
  await page.getByRole('list', { name: 'level' }).getByText(hostile).waitFor();
  await page.getByRole('button', { name: 'Table', exact: true }).click();
  await page.getByRole('table', { name: 'Result' }).getByText(hostile).waitFor();
  await page.getByText(/2 rows in .* in ClickHouse/).waitFor();
  await page.getByRole('button', { name: 'Export' }).click();
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV' }).click(),
  ]);
  expect(file.suggestedFilename()).toBe('Query 2.csv');
  await page.reload();
  await page.getByText('{least:Int64}').waitFor();
  expect(await page.getByLabel(/^least/).inputValue()).toBe('1');
  // Saved for everyone in the project.
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(hostile);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Saved', exact: true }).click();
  await page.getByRole('button', { name: `Delete ${hostile}` }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Delete', exact: true }).isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill(hostile);
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
  await dialog.waitFor({ state: 'hidden' });
  await page.getByRole('button', { name: `Delete ${hostile}` }).waitFor({ state: 'detached' });
});

test('explains a refusal where it is, an empty answer, and a cancelled query', async () => {
  const { projectId } = await worldWithLevels();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/sql?sql=SELECT%20level,%20sleep(3)%20FROM%20level_up`);
  // A link opens a statement without running it.
  await page.getByText('Run a statement').waitFor();
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('alert').getByText('queries have no function sleep()').waitFor();
  await page.getByRole('alert').getByText('Line 1, column 15').waitFor();
  expect(await page.locator('.cm-fault').textContent()).toBe('sleep');
  await write(page, 'SELECT level FROM level_u WHERE occurred >= {from:DateTime}');
  await page.getByText('Time range not used').waitFor({ state: 'detached' });
  await write(page, 'SELECT level FROM level_u');
  await page.keyboard.press('Control+Enter');
  await page.getByRole('alert').getByText('Line 1, column 19').waitFor();
  expect(await page.locator('.cm-fault').textContent()).toBe('level_u');
  await write(page, 'SELECT level FROM level_up WHERE level > 9');
  await page.keyboard.press('Control+Enter');
  await page.getByText('No rows').waitFor();
  await run(page, 'SELECT sum(sipHash64(number)) AS n FROM numbers(1000000000)');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText(/^Cancelled/).waitFor();
});

test('scrolls through 100,000 rows without a blank', async () => {
  const { projectId } = await createWorld();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/sql`);
  await run(page, 'SELECT number, toString(number) AS text FROM numbers(100000)');
  const table = page.getByRole('table', { name: 'Result' });
  await table.getByRole('row').nth(3).waitFor();
  expect(await countBlankRows(table, 40)).toBe(0);
  await table.getByText('99999').first().waitFor();
});
