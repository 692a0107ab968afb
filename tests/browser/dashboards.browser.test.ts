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

test('a link shows a dashboard without a session and without personal data, until it is revoked', async () => {
  const { path } = await worldWithDashboard();
  const { page, visit } = await openPage();
  await visit(path);
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByRole('button', { name: 'Create a link' }).click();
  const link = (await page.getByRole('region', { name: 'Copy the link' }).textContent()) ?? '';

  const stranger = await openPage({ signedIn: false, width: 390 });
  const answers: string[] = [];
  stranger.page.on('response', async (response) => {
    if (response.url().includes('/v1/')) answers.push(await response.text().catch(() => ''));
  });
  const shown = link.replace(/^https?:\/\/[^/]+/, '');
  await stranger.visit(shown);
  await stranger.page.getByRole('heading', { name: 'Levels', level: 1 }).waitFor();
  await stranger.page.getByText('<img src=x onerror=alert(1)>').waitFor();
  await stranger.page.getByRole('article', { name: 'Players' }).getByRole('alert').waitFor();
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
