import { expect, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { createWorld } from './world.ts';

test('creates a key, shows it once, and revokes it after its name was typed', async () => {
  const { projectId } = await createWorld();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/settings`);
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Purpose').fill('Web shop <b>');
  await expectAccessible(page);
  await page.getByRole('dialog').getByRole('button', { name: 'Create a key' }).click();
  const text = (await page.getByRole('region', { name: 'Key', exact: true }).textContent()) ?? '';
  expect(text).toMatch(/^tk_pub_[0-9A-Za-z]{36}$/);
  await page.getByRole('button', { name: 'Done' }).click();
  const row = page.getByRole('row', { name: 'Web shop <b>' });
  await row.getByText('active').waitFor();
  await row.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(text.slice(0, 12));
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await row.getByText('revoked').waitFor();
  expect(await page.content()).not.toContain(text);
});

test('invites an administrator and lists the invitation; the audit shows it', async () => {
  const { projectId } = await createWorld();
  const { page, visit } = await openPage();
  await visit(`/p/${projectId}/settings?part=members`);
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('dialog').getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('row', { name: /ada@example\.com viewer/ }).waitFor();
  await visit(`/p/${projectId}/settings?part=audit`);
  await page.getByRole('row', { name: /inviteMember/ }).click();
  await page.getByRole('dialog').getByText('"act": "inviteMember"').waitFor();
});
