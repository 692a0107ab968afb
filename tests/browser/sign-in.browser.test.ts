import { expect, inject, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';

test('shows a refusal in the words of the catalogue, then signs in', async () => {
  const { page, visit } = await openPage({ signedIn: false });
  await page.goto(`/sign-in#link=${'A'.repeat(43)}`);
  await page.getByText('This link was already used or is older than ten minutes').waitFor();
  await visit(`/p/${inject('product').projectId}/overview`);
  await page.getByLabel('E-mail address').fill('nobody@example.com');
  await page.getByLabel('Password', { exact: true }).fill('not the password');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('The e-mail address or the password is wrong').waitFor();
  await expectAccessible(page);
  const { email, password } = inject('product').admin;
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await page.title()).toBe('Overview · Tickrate');
  expect(await page.evaluate(() => document.cookie)).toBe('');
});
