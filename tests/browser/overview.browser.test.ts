import { expect, test } from 'vitest';
import { openPage } from './open-page.ts';
import { createWorld } from './world.ts';

test('leads an empty project to its first event, and notices it within two seconds', async () => {
  const world = await createWorld('Empty');
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/overview`);
  await page.getByRole('button', { name: 'Declare the type level_up' }).click();
  await page.getByRole('button', { name: 'Create a key for your game' }).click();
  await page.getByLabel('Or from your game').selectOption('C++ (Unreal)');
  await page.getByRole('region', { name: 'C++ (Unreal)' }).getByText('json.member("level", 12)').waitFor();
  const line = await page.getByRole('region', { name: 'curl' }).textContent();
  const [, url = '', key = ''] = /'(http[^']+)' -H 'X-API-Key: ([^']+)'/.exec(line ?? '') ?? [];
  const sent = await fetch(url, {
    method: 'PUT',
    headers: { Connection: 'close', 'X-API-Key': key, 'Content-Type': 'application/json' },
    body: '{"level":12}',
  });
  expect(sent.status).toBe(200);
  await page.getByRole('heading', { name: 'Your first event is here' }).waitFor({ timeout: 2_000 });
  await page.getByRole('region', { name: 'level_up' }).getByText('"level": 12').waitFor();
  await page.getByRole('button', { name: 'Show the overview' }).click();
  await page.waitForURL(/range=1h/);
  await page.getByText('Every accepted event is accounted for').waitFor();
});

test('asks for a new sign-in when the session ends, and keeps what was typed', async () => {
  const world = await createWorld('Ending');
  const { page, context, visit } = await openPage();
  await visit(`/p/${world.projectId}/players`);
  await page.getByRole('button', { name: 'Verify a certificate' }).click();
  const certificate = page.getByLabel('Paste a certificate.', { exact: false });
  await certificate.fill('{"id": "typed"}');
  await context.clearCookies();
  await page.getByRole('button', { name: 'Verify', exact: true }).click();
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor();
  expect(await certificate.inputValue()).toBe('{"id": "typed"}');
});
