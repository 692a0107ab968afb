import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { createWorld } from './world.ts';

async function worldWithDashboard() {
  const world = await createWorld();
  await world.declare('level_up', { level: { type: 'integer' }, character: { type: 'string' } });
  await world.send('level_up', [
    { level: 1, character: 'ranger' },
    { level: 2, character: '<img src=x onerror=alert(1)>' },
  ]);
  await world.untilStored(2);
  const players =
    'SELECT account_id AS player, session_id AS visit, count() AS events FROM level_up GROUP BY 1, 2';
  const { id } = await world.call<{ id: string }>('POST /v1/dashboards', {
    name: 'Levels',
    content: {
      tiles: [
        {
          title: 'Events by character',
          chart: 'bar',
          analysis: {
            name: 'breakdown',
            parameters: {
              type: 'level_up',
              member: 'character',
              where: [{ member: 'character', is: 'equal', value: '{{who}}' }],
            },
          },
        },
        { title: 'Players', chart: 'table', query: { sql: players } },
      ],
      variables: [{ name: 'who', label: 'Character', value: '' }],
    },
  });
  return { world, id, path: `/p/${world.projectId}/dashboards/${id}` };
}

// Invariant (Queries): A link to a dashboard shows its tiles without personal data and nothing else, and
// ends when it is revoked or expires
// Invariant (Queries): A shared link needs no session, and its answers contain no account and no session
// of a player
test('a dashboard is edited with keyboard and mouse and saved, and its filter is in the address', async () => {
  const { world, path } = await worldWithDashboard();
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/dashboards`);
  await page.getByRole('button', { name: 'Levels', exact: true }).click();
  const bars = page.getByRole('list', { name: 'Events by character' });
  await bars.getByText('<img src=x onerror=alert(1)>').waitFor();

  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('button', { name: 'Add a tile' }).click();
  await page.getByLabel('Title').fill('All events');
  await page.getByLabel('Drawn as').selectOption('number');
  await page.getByRole('region', { name: 'Preview' }).getByRole('heading', { name: 'All events' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Add a tile' }).click();
  await page.getByRole('button', { name: /^Move Events by character/ }).focus();
  await page.keyboard.press('Shift+ArrowLeft');
  await page.keyboard.press('ArrowRight');
  await page.getByText('Events by character: column and row 2, 1, size 5 × 7').waitFor({ state: 'attached' });
  // The draft is one person's: another account in this tab finds none.
  const drafts = await page.evaluate(() => Object.keys(sessionStorage));
  expect(drafts).toContainEqual(
    expect.stringMatching(`^tickrate\\.dashboard\\.u-[a-z0-9]+\\.${world.projectId}\\.`),
  );
  await expectAccessible(page);
  const title = await page.getByRole('heading', { name: 'Players', level: 2 }).boundingBox();
  const { x, y } = title ?? { x: 0, y: 0 };
  await page.mouse.move(x + 5, y + 5);
  await page.mouse.down();
  await page.mouse.move(x - 700, y + 5, { steps: 10 });
  await page.mouse.up();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The dashboard was saved').waitFor();

  await visit(path);
  await page.getByRole('article', { name: 'All events' }).getByText('2', { exact: true }).waitFor();
  const { results } = await world.call<{
    results: { content: { tiles: { position: object }[] } }[];
  }>('GET /v1/dashboards');
  const [bar, table] = results[0]?.content.tiles ?? [];
  expect(table?.position).toEqual({ x: 0, y: 0, width: 6, height: 7 });
  expect(bar?.position).toEqual({ x: 1, y: 7, width: 5, height: 7 });

  await page.getByRole('textbox', { name: 'Character' }).fill('ranger');
  await page.keyboard.press('Enter');
  await page.waitForURL(/ranger/);
  await bars.getByText('<img').waitFor({ state: 'detached' });
});

test('leaving the page leaves its editor, which continues with unsaved changes', async () => {
  const { path } = await worldWithDashboard();
  const { page, visit } = await openPage();
  await visit(path);
  const edit = page.getByRole('button', { name: 'Edit', exact: true });
  const leaveAndReturn = async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Dashboards' }).click();
    await page.getByRole('button', { name: 'Levels', exact: true }).click();
    await edit.waitFor();
  };
  await edit.click();
  await page.getByRole('button', { name: 'Discard changes' }).waitFor();
  await leaveAndReturn();
  expect(
    await page.evaluate(() => Object.keys(sessionStorage).filter((key) => /dashboard/.test(key))),
  ).toEqual([]);
  await edit.click();
  await page.getByRole('button', { name: 'Remove Players' }).click();
  await leaveAndReturn();
  await page.getByRole('article', { name: 'Players' }).waitFor();
  await page.getByText('You have unsaved changes to this dashboard').waitFor();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Continue editing' }).click();
  const asked = page.waitForEvent('dialog');
  const closing = page.close({ runBeforeUnload: true });
  const question = await asked;
  expect(question.type()).toBe('beforeunload');
  await question.dismiss();
  await closing;
  // The page answers again: until then, the end of the question would stop the next navigation too.
  await page.evaluate(() => undefined);
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByRole('button', { name: 'Discard changes' }).waitFor();
  await page.getByRole('article', { name: 'Events by character' }).waitFor();
  expect(await page.getByRole('article', { name: 'Players' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('button', { name: 'Keep them' }).click();
  expect(await page.getByRole('article', { name: 'Players' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click();
  await page.getByRole('article', { name: 'Players' }).waitFor();
  expect(await page.getByText('You have unsaved changes').count()).toBe(0);
});

test('a link shows a dashboard without a session and without personal data, until it is revoked', async () => {
  const { path } = await worldWithDashboard();
  const { page, visit } = await openPage();
  await visit(path);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = (await page.getByRole('region', { name: 'Copy the link' }).textContent()) ?? '';
  await page.getByText('Readers of the link do not see: Players.').waitFor();

  const stranger = await openPage({ signedIn: false, width: 390 });
  const answers: string[] = [];
  stranger.page.on('response', async (response) => {
    if (response.url().includes('/v1/')) answers.push(await response.text().catch(() => ''));
  });
  const shown = link.replace(/^https?:\/\/[^/]+/, '');
  await stranger.visit(shown);
  await stranger.page.getByRole('heading', { name: 'Levels', level: 1 }).waitFor();
  await stranger.page.getByText('<img src=x onerror=alert(1)>').waitFor();
  await stranger.page
    .getByRole('article', { name: 'Players' })
    .getByText('A link does not show this tile')
    .waitFor();
  await expectAccessible(stranger.page);
  // On a phone the tiles stand below each other.
  const sides = await stranger.page.evaluate(() => ({
    beyond: document.documentElement.scrollWidth - innerWidth,
    left: new Set([...document.querySelectorAll('article')].map((tile) => tile.getBoundingClientRect().left))
      .size,
  }));
  expect(sides).toEqual({ beyond: 0, left: 1 });
  expect(answers.join('\n')).not.toMatch(/"us?-[a-z0-9]{8,}/);

  await page.getByRole('button', { name: /^Revoke the link/ }).click();
  await page.getByText('There is no link to this dashboard yet').waitFor();
  await stranger.page.reload();
  await stranger.page.getByText('This link does not work').waitFor();
});

test('an answer of Explore becomes a tile', async () => {
  const { world } = await worldWithDashboard();
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/explore?analysis=breakdown&type=level_up&member=level`);
  await page.getByRole('button', { name: 'Save to a dashboard' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Levels', level: 1 }).waitFor();
  await page.getByRole('list', { name: 'Breakdown: level_up · level' }).getByText('2').first().waitFor();
});

test('an answer of the SQL page becomes a tile with its chart, of a dashboard that keeps the range', async () => {
  const { world } = await worldWithDashboard();
  const { page, visit } = await openPage();
  await visit(
    `/p/${world.projectId}/sql?range=7d&sql=SELECT character, count() AS events FROM level_up GROUP BY character`,
  );
  await page.getByRole('button', { name: 'Run' }).click();
  await page.getByRole('list', { name: 'events' }).waitFor();
  await page.getByRole('button', { name: 'Save to a dashboard' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Dashboard').selectOption('A new one');
  await dialog.getByLabel('Name').fill('Characters');
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { name: 'Characters', level: 1 }).waitFor();
  await page.getByRole('article').getByRole('list').getByText('ranger').waitFor();
  await visit(`/p/${world.projectId}/dashboards?range=1h`);
  await page.getByRole('table', { name: 'Dashboards' }).getByText('Characters').click();
  await page.waitForURL(/range=7d/);
});

test('a dashboard in full screen fills the screen, and afterwards has its own heights again', async () => {
  const { path } = await worldWithDashboard();
  const { page, visit } = await openPage({ width: 1920 });
  await visit(path);
  const tile = page.getByRole('article', { name: 'Events by character' });
  await tile.getByText('ranger').waitFor();
  const heightOf = async () => Math.round((await tile.boundingBox())?.height ?? 0);
  const own = await heightOf();
  await page.getByRole('button', { name: 'Full screen' }).click();
  /** What is left below the tiles. */
  const left = () =>
    tile.evaluate((element) => Math.round(innerHeight - element.getBoundingClientRect().bottom));
  await expect.poll(left).toBeLessThan(30);
  expect(await left()).toBeGreaterThanOrEqual(0);
  await page.getByRole('button', { name: 'Leave full screen' }).click();
  await expect.poll(heightOf).toBe(own);
});

test('a tile opens as a question and as SQL, and refreshes without being emptied', async () => {
  const { world, path } = await worldWithDashboard();
  const { page, visit } = await openPage();
  await visit(path);
  const tile = page.getByRole('article', { name: 'Events by character' });
  await tile.getByText('ranger').waitFor();
  const answered = Promise.withResolvers<void>();
  await page.route(
    '**/v1/analyses/breakdown',
    async (route) => {
      await answered.promise;
      await route.continue();
    },
    { times: 1 },
  );
  const asked = page.waitForRequest('**/v1/analyses/breakdown');
  await page.getByRole('button', { name: 'Refresh now' }).click();
  await asked;
  expect(await tile.getByText('ranger').count()).toBe(1);
  answered.resolve();
  await page.getByRole('textbox', { name: 'Character' }).fill('ranger');
  await page.keyboard.press('Enter');
  // The address changes before the links of the page.
  const link = tile.getByRole('link', { name: 'Open Events by character in Explore' });
  await link.and(page.locator('[href*=ranger]')).click();
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  await page.getByRole('list', { name: 'Breakdown' }).getByText('ranger').waitFor();
  expect(await page.getByText('<img src=x onerror=alert(1)>').count()).toBe(0);
  await visit(path);
  await page.getByRole('link', { name: 'Open Players as SQL' }).click();
  await page.getByRole('heading', { level: 1, name: 'SQL' }).waitFor();
  await page.getByRole('textbox', { name: 'SQL statement' }).getByText('session_id').waitFor();
  expect(world.projectId).toBe(new URL(page.url()).pathname.split('/')[2]);
});

test('one cursor moves over all charts, and a drag selects the time range of the page', async () => {
  const { world } = await worldWithDashboard();
  const tiles = ['First', 'Second'].map((title, index) => ({
    title,
    chart: 'line',
    analysis: { name: 'volume', parameters: { per: index === 0 ? 'hour' : 'day', types: ['level_up'] } },
    position: { x: index * 6, y: 0, width: 6, height: 7 },
  }));
  const { id } = await world.call<{ id: string }>('POST /v1/dashboards', {
    name: 'Cursor',
    content: { tiles },
  });
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/dashboards/${id}?range=7d`);
  const [first, second] = [page.locator('figure').first(), page.locator('figure').last()];
  await second.locator('canvas').waitFor();
  const { x, y, width, height } = (await first.locator('.u-over').boundingBox()) ?? raise();
  await page.mouse.move(x + width / 2, y + height / 2);
  for (const chart of [first, second]) await chart.getByText(/\d:\d\d/).waitFor();
  await page.mouse.move(x + width / 4, y + height / 2);
  await page.mouse.down();
  await page.mouse.move(x + width / 2, y + height / 2, { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/range=2[^&]*Z\.\.2/);
});

test('is printed in light colours and within the paper, whatever the theme', async () => {
  const { world } = await worldWithDashboard();
  const tile = {
    title: 'All events',
    chart: 'line',
    analysis: { name: 'volume', parameters: { per: 'hour' } },
  };
  const { id } = await world.call<{ id: string }>('POST /v1/dashboards', {
    name: 'Printed',
    content: { tiles: [{ ...tile, position: { x: 0, y: 0, width: 12, height: 7 } }] },
  });
  const { page, visit } = await openPage({ theme: 'dark', width: 1920 });
  await page.addInitScript(() =>
    localStorage.setItem('tickrate.preferences', JSON.stringify({ theme: 'dark' })),
  );
  await visit(`/p/${world.projectId}/dashboards/${id}`);
  await page.locator('canvas').waitFor();
  await expect.poll(() => look(page)).toMatchObject({ isDrawn: true });
  const onScreen = await look(page);
  expect(onScreen.ground).toBe('rgb(14, 19, 24)');
  await page.emulateMedia({ media: 'print' });
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect
    .poll(() => look(page))
    .toMatchObject({ ground: 'rgb(251, 252, 253)', adjust: 'exact', isPale: false });
  expect((await look(page)).width).toBeLessThanOrEqual(640);
  await page.emulateMedia({ media: 'screen' });
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(() => look(page)).toEqual(onScreen);
});

function raise(): never {
  throw new Error('the chart is not on the screen');
}

/** Whether the marks of the axis are pale, as on a dark ground. */
function look(page: Page) {
  return page.evaluate(() => {
    const canvas = document.querySelector('canvas');
    const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
    let darkest = 255;
    for (let at = 0; at < pixels.length; at += 4)
      if (pixels[at + 3] === 255) darkest = Math.min(darkest, pixels[at] ?? 255);
    const style = getComputedStyle(document.documentElement);
    return {
      ground: style.backgroundColor,
      adjust: style.getPropertyValue('print-color-adjust'),
      width: canvas?.getBoundingClientRect().width,
      isPale: darkest > 100,
      isDrawn: darkest < 255,
    };
  });
}
