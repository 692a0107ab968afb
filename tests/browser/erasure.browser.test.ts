import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { signUp } from './sign-up.ts';
import { createWorld } from './world.ts';

// Invariant (Privacy): A player erased on the page leaves nothing personal on it, and the certificate
// verifies there until it is changed
test('erases a player, whose events are masked, with a certificate that verifies until it is changed', async () => {
  const world = await createWorld('Forgotten');
  await world.declare('chat', { room: { type: 'string' }, said: { type: 'string', 'x-personal': true } });
  const player = await signUp(world, 'Ada');
  await player.send('chat', { room: 'lobby', said: 'call me at 555-1234' });
  await world.untilStored(1);
  const { page, visit } = await openPage();
  await visit(`/p/${world.projectId}/players/${player.accountId}`);
  const erasure = page.getByRole('region', { name: 'Erasure' });
  await erasure.getByRole('button', { name: 'Erase this player' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('What happens to the events').selectOption('mask');
  await dialog.getByRole('textbox').fill('Ada');
  await expectAccessible(page);
  // The last answer with the account can come after the certificate.
  const complete = page.getByText('The erasure is complete.').waitFor({ timeout: 60_000 });
  await page.route(`**/v1/players/${player.accountId}`, async (route) => {
    // The console refuses a cookie without the header that only a browser sets.
    const headers = { ...(await route.request().allHeaders()), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers });
    await complete;
    // Unless the page no longer waits for it.
    await route.fulfill({ response }).catch(() => undefined);
  });
  await dialog.getByRole('button', { name: 'Erase this player' }).click();
  await complete;
  await page.getByRole('heading', { name: 'This player was erased', exact: true }).waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  expect(await page.getByRole('button', { name: 'Erase this player' }).count()).toBe(0);
  await expectAccessible(page);
  const certificate = JSON.parse((await erasure.locator('pre').textContent()) ?? '');
  expect(certificate).toMatchObject({ projectId: world.projectId, mode: 'mask' });

  await visit(`/p/${world.projectId}/players`);
  await page.getByRole('button', { name: 'Verify a certificate' }).click();
  const verify = async (text: object, verdict: string) => {
    await page.getByLabel('Paste a certificate.', { exact: false }).fill(JSON.stringify(text));
    await page.getByRole('button', { name: 'Verify', exact: true }).click();
    await page.getByText(verdict).waitFor();
  };
  await verify(certificate, 'The certificate is intact.');
  await verify({ ...certificate, mode: 'remove' }, 'The certificate was changed since it was made.');

  await visit(`/p/${world.projectId}/types/chat`);
  await page.getByText('"room": "lobby"').waitFor();
  expect(await page.locator('body').textContent()).not.toContain('555-1234');
});

test('an id without an account, erasure and events is named as such, and cannot be erased', async () => {
  const { projectId } = await createWorld('Never seen');
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/players/u-nobody`);
  await page.getByRole('heading', { name: 'No player has this id' }).waitFor();
  await page.getByText('No events of this player in this time range.').waitFor();
  expect(await page.getByRole('button', { name: 'Erase this player' }).count()).toBe(0);
  expect(await page.getByRole('region', { name: 'Sessions' }).count()).toBe(0);
  await expectAccessible(page);
});
