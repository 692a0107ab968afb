import type { Locator } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { openPage } from './open-page.ts';
import { seedProject } from './seed-project.ts';
import { signUp } from './sign-up.ts';
import { createWorld } from './world.ts';

// Invariant (Management): A page never shows another project's data, also after another tab switched the
// project
test('moves by keyboard, keeps the time range in the address, and shows hostile names as text', async () => {
  const hostile = '<img src=x onerror=alert(1)>😀';
  const world = await createWorld(hostile);
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/overview?range=7d&zone=UTC`);
  await page.getByRole('button', { name: `Project: ${hostile}` }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('u');
  await page.getByRole('heading', { name: 'Quarantine', level: 1 }).waitFor();
  expect(new URL(page.url()).searchParams.get('range')).toBe('7d');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search or jump to' }).and(page.locator(':focus')).waitFor();
  await page.keyboard.type('players');
  // While the next page is loading, this one keeps its name.
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/\/players-page-[^/]+\.js$/, async (route) => {
    asked.resolve();
    await released.promise;
    await route.continue();
  });
  await page.keyboard.press('Enter');
  await asked.promise;
  await page.waitForURL('**/players?*');
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Quarantine');
  released.resolve();
  await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
});

test('only a reader of German loads the German texts, once', async () => {
  const world = await createWorld('Languages');
  const { page, visit } = await openPage();
  const loaded: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/assets/german-')) loaded.push(request.url());
  });
  await visit(`/p/${world.projectId}/overview`);
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('heading', { name: 'Settings', level: 1 }).waitFor();
  expect(loaded).toEqual([]);
  for (const [language, title] of [
    ['Deutsch', 'Einstellungen'],
    ['English', 'Settings'],
    ['Deutsch', 'Einstellungen'],
  ] as const) {
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: language, exact: true }).click();
    await page.getByRole('heading', { name: title, level: 1 }).waitFor();
  }
  expect(loaded).toHaveLength(1);
});

test('the palette finds event types, dashboards, saved queries and players, with one call for each', async () => {
  const world = await createWorld('Finding');
  await world.declare('boss_defeated', { level: { type: 'integer' } });
  await world.call('POST /v1/dashboards', { name: 'Boss fights', content: { tiles: [] } });
  await world.call('POST /v1/saved-queries', {
    name: 'Bosses by day',
    content: { sql: 'SELECT 42 AS boss' },
  });
  const player = await signUp(world, 'Ada');
  const { page, context, visit } = await openPage();
  await visit(`/p/${world.projectId}/live`);
  const asked: string[] = [];
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/\/v1\/(event-types|dashboards|saved-queries|players)/.test(pathname)) asked.push(pathname);
  });
  const search = async (text: string, name: string) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type(text);
    await page.getByRole('option', { name }).click();
  };
  const statement = page.getByRole('textbox', { name: 'SQL statement' });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('boss');
  await page.getByRole('option', { name: 'boss_defeated Event type' }).waitFor();
  await page.getByRole('option', { name: 'Boss fights Dashboard' }).waitFor();
  await page.getByRole('option', { name: 'Bosses by day Saved query' }).waitFor();
  expect(asked.toSorted()).toEqual(['/v1/dashboards', '/v1/event-types', '/v1/saved-queries']);
  await page.getByRole('option', { name: 'Boss fights Dashboard' }).click();
  await page.getByRole('heading', { name: 'Boss fights', level: 1 }).waitFor();
  await search('boss_', 'boss_defeated Event type');
  await page.getByRole('heading', { name: 'boss_defeated', level: 1 }).waitFor();
  await search('Bosses', 'Bosses by day Saved query');
  await statement.getByText('SELECT 42 AS boss').waitFor();
  await search(player.accountId, `Ada · ${player.accountId} Player`);
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
});

test('the palette finds a name behind the first 200 of its kind, and asks the server once typing pauses', async () => {
  const world = await createWorld('Many');
  const save = (name: string) =>
    world.call('POST /v1/saved-queries', { name, content: { sql: `SELECT '${name}' AS name` } });
  for (let number = 100; number <= 300; number += 1) await save(`Report ${number}`);
  await save('Zebra crossings');
  const { page, context, visit } = await openPage();
  await visit(`/p/${world.projectId}/live`);
  const asked: (string | null)[] = [];
  context.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === '/v1/saved-queries') asked.push(searchParams.get('search'));
  });
  await page.keyboard.press('Control+k');
  await page.keyboard.type('zebra cross', { delay: 20 });
  await page.getByRole('option', { name: 'Zebra crossings Saved query' }).click();
  await page.getByRole('textbox', { name: 'SQL statement' }).getByText("SELECT 'Zebra crossings'").waitFor();
  const searched = asked.filter((each) => each !== null);
  expect(searched.at(-1)).toBe('zebra cross');
  // A busy machine can pause between two letters, but not between all.
  expect(searched.length).toBeLessThan('zebra cross'.length / 2);
});

test('the keys of lists move in the list that has the focus, and leave Enter to links', async () => {
  const world = await seedProject('Keys');
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/quarantine`);
  const [counts, events] = [
    page.getByRole('table', { name: 'By type and reason' }),
    page.getByRole('table', { name: 'Events' }),
  ];
  await events.getByRole('row').nth(2).waitFor();
  const chosen = (table: Locator) => table.getByRole('row', { selected: true });
  await page.keyboard.press('j');
  expect(await chosen(counts).count()).toBe(1);
  await events.focus();
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  expect(await chosen(events).count()).toBe(1);
  await page.keyboard.press('Enter');
  await page.getByRole('region', { name: 'Event', exact: true }).waitFor();
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Players' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Players', level: 1 }).waitFor();
  await page.keyboard.press('/');
  expect(await page.getByRole('searchbox').evaluate((field) => field === document.activeElement)).toBe(true);
  await visit(`/p/${world.projectId}/pipeline`);
  await page.keyboard.press('/');
  await page.getByRole('combobox', { name: 'Search or jump to' }).waitFor();
});

test('shows nothing of another project that another tab switched to', async () => {
  const [one, two] = [await createWorld('One'), await createWorld('Two')];
  const { page, visit, newTab } = await openPage();
  await visit(`/p/${one.projectId}/live`);
  const other = await newTab();
  await other.goto(`/p/${two.projectId}/types`);
  await other.getByRole('button', { name: 'Project: Two' }).waitFor();
  await page.bringToFront();
  // The stream notices it by itself.
  await page.getByRole('dialog', { name: 'The session is in another project' }).waitFor();
  await page.getByRole('button', { name: 'Switch back to this project' }).click();
  await page.getByText('sessionInOtherProject').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Players' }).click();
  await page.getByRole('heading', { name: 'No players yet' }).waitFor();
});

test('after a sign-in in one tab, the others continue', async () => {
  const world = await createWorld('Tabs');
  const { page, context, visit, newTab } = await openPage();
  await visit(`/p/${world.projectId}/types`);
  const other = await newTab();
  await other.goto(`/p/${world.projectId}/players`);
  await other.getByRole('heading', { name: 'No players yet' }).waitFor();
  await context.clearCookies();
  for (const each of [page, other]) {
    // Not a click of the mouse: a page that asks again by itself shows the dialog before, and covers the link.
    await each.getByRole('link', { name: 'Settings' }).dispatchEvent('click');
    await each.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  }
  const { email, password } = inject('product').admin;
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.getByLabel('E-mail address').fill(email);
  await dialog.getByLabel('Password', { exact: true }).fill(password);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await other.getByRole('dialog').waitFor({ state: 'detached' });
});
