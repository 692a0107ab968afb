import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { runGame } from './run-game.ts';
import { createWorld } from './world.ts';

// Invariant (Management): A tab that switches the project itself shows no note about another tab, and the
// demo is started and removed with one click each
// Invariant (Management): Typed text stays on the page when the session ends
test('leads an empty project to its first event, and notices it by itself', async () => {
  const world = await createWorld('Empty');
  const { page, context, visit } = await openPage();
  // As in a headless browser without a locale. uPlot draws nothing with it.
  await context.addInitScript(() => {
    Object.defineProperty(Navigator.prototype, 'language', { get: () => 'en-US@posix', configurable: true });
  });
  await visit(`/p/${world.projectId}/overview`);
  await page.getByRole('button', { name: 'Declare the type level_up' }).click();
  await page.getByRole('button', { name: 'Create a key for your game' }).click();
  await page.getByLabel('Or from your game').selectOption('C++ (Unreal)');
  await page.getByRole('region', { name: 'C++ (Unreal)' }).getByText('json.member("level", 12)').waitFor();
  await page.getByLabel('Or from your game').selectOption('TypeScript');
  const lines = await page.getByRole('region', { name: 'TypeScript' }).textContent();
  await runGame(lines ?? '');
  await page.getByRole('heading', { name: 'Your first event is here' }).waitFor();
  await page.getByRole('region', { name: 'level_up' }).getByText('"level": 12').waitFor();
  await page.getByRole('button', { name: 'Show the overview' }).click();
  await page.waitForURL(/range=1h/);
  await page.getByText('Every accepted event is accounted for').waitFor();
  await visit(`/p/${world.projectId}/overview?range=24h`);
  await page
    .getByRole('heading', {
      name: 'Stored events per 10 minutes by type, last 24 hours',
    })
    .waitFor();
  await page.getByLabel('Counted by').selectOption('When they arrived');
  await page.locator('figure canvas').first().waitFor();
  await page.getByRole('button', { name: 'Open as SQL' }).click();
  await page
    .getByRole('textbox', { name: 'SQL statement' })
    .getByText('toStartOfInterval(received, INTERVAL 600 SECOND)')
    .waitFor();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByText('level_up').first().waitFor();
});

test('an empty project offers the demo with one click, and the demo is removed with one', async () => {
  const world = await createWorld('Waiting');
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/overview`);
  await page.getByRole('button', { name: 'Start the demo' }).click();
  await page.getByRole('progressbar', { name: 'Past events of the demo' }).waitFor();
  await page.getByRole('link', { name: 'Open Ember Arena' }).click();
  const tour = page.getByRole('region', { name: 'A tour of the demo' });
  await tour.getByRole('link', { name: 'Live' }).waitFor();
  expect(await tour.getByRole('link').count()).toBe(5);
  await page.getByRole('navigation').getByRole('link', { name: 'Players', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Players' }).waitFor();
  await page.getByText(/of [\d,]+ past events sent/).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Overview', exact: true }).click();
  await chooseLanguage(page, 'Deutsch');
  const rundgang = page.getByRole('region', { name: 'Rundgang durch die Demo' });
  await rundgang.getByText('Schritt 4 des Tutorials verliert ein Drittel aller Spieler').waitFor();
  await rundgang.getByRole('link', { name: 'Quarantäne' }).waitFor();
  await chooseLanguage(page, 'English');
  await tour.getByRole('button', { name: 'Remove the demo' }).click();
  await page.getByRole('button', { name: /^Project: (?!Ember Arena)/ }).waitFor({ timeout: 40_000 });
  await visit(`/p/${world.projectId}/overview`);
  await page.getByRole('button', { name: 'Start the demo' }).waitFor();
});

async function chooseLanguage(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('option', { name, exact: true }).click();
}

test('asks for a new sign-in when the session ends, and keeps what was typed', async () => {
  const world = await createWorld('Ending');
  const { page, context, visit } = await openPage();
  await visit(`/p/${world.projectId}/players`);
  await page.getByRole('button', { name: 'Verify a certificate' }).click();
  const certificate = page.getByLabel('Paste a certificate.', { exact: false });
  await certificate.fill('{"id": "typed"}');
  await expectAccessible(page);
  await context.clearCookies();
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  await expectAccessible(page);
  expect(await certificate.inputValue()).toBe('{"id": "typed"}');
});
