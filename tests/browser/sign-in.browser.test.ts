import { waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import type { Locator, Page } from 'playwright-core';
import { expect, inject, test } from 'vitest';
import { expectAccessible, openPage } from './open-page.ts';
import { createWorld } from './world.ts';

// Invariant (Management): An administrator with a second factor signs in with its code or a recovery code,
// and with the password alone never
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

// A session ends an hour after its last renewal.
test('using a page renews its session', async () => {
  const { page, visit } = await openPage();
  await visit(`/p/${inject('product').projectId}/overview`);
  const renewed = page.waitForResponse(
    (response) => response.request().method() === 'POST' && new URL(response.url()).pathname === '/session',
  );
  await page.getByRole('heading', { level: 1, name: 'Overview' }).click();
  const answer = await renewed;
  expect(answer.status()).toBe(200);
  expect((await answer.json()).expiry).toBeGreaterThan(Date.now() / 1_000 + 3_590);
});

test('two browsers that sign in within a minute have a session each', async () => {
  const [one, other] = [await openPage({ signedIn: false }), await openPage({ signedIn: false })];
  const { email, password } = inject('product').admin;
  for (const { page } of [one, other]) {
    await page.goto(`/sign-in?next=/p/${inject('product').projectId}/overview`);
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  }
  await one.page.getByRole('button', { name: 'Account' }).click();
  await one.page.getByRole('menuitem', { name: 'Sign out' }).click();
  await one.page.getByLabel('Password', { exact: true }).waitFor();
  await other.page.reload();
  await other.page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
});

test('sets up a second factor, signs in with its code and a recovery code, and ends another session', async () => {
  const world = await createWorld();
  const administrator = await world.join('admin');
  const { page, visit } = await openPage({ as: administrator });
  await visit(`/p/${world.projectId}/account`);
  await expectAccessible(page);
  const before = await world.mailedCodes(administrator.email);
  await page.getByRole('button', { name: 'Set up' }).click();
  await page.getByText('We mailed a code to').waitFor();
  await page.getByText('This installation has no mail server').waitFor();
  await expectAccessible(page);
  const mailed = await waitUntil(
    async () => (await world.mailedCodes(administrator.email)).find((code) => !before.includes(code)),
    { what: 'the code of the mail' },
  );
  await page.getByLabel('Code from the mail').fill('123456');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This is not the code of the mail').waitFor();
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByText('Earlier codes stay valid').waitFor();
  await page.getByLabel('Code from the mail').fill(mailed ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('img', { name: 'QR code' }).waitFor();
  const secret = Secret.fromBase32((await page.getByRole('dialog').locator('code').textContent()) ?? '');
  await page.getByLabel('Code', { exact: true }).fill('000000x');
  await page.getByRole('button', { name: 'Turn on' }).click();
  await page.getByText('is wrong').waitFor();
  expect(await page.getByLabel('Code', { exact: true }).inputValue()).toBe('000000x');
  await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret }).generate());
  await page.getByRole('button', { name: 'Turn on' }).click();
  const codes = page.getByRole('list', { name: 'Keep your recovery codes' }).getByRole('listitem');
  await codes.first().waitFor();
  await expectAccessible(page);
  const [recovery = ''] = await codes.allTextContents();
  await page.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).waitFor();

  // The code of this step is spent: the code of the next one is accepted too.
  await signInWith(page, administrator, new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 }));
  const other = await openPage({ signedIn: false });
  await signInWith(other.page, administrator, recovery);
  await visit(`/p/${world.projectId}/account`);
  await page
    .getByRole('row', { name: /recovery code/ })
    .getByRole('button')
    .click();
  await page.getByText('The session has ended').waitFor();
  await other.page.reload();
  await other.page.getByLabel('Password', { exact: true }).waitFor();
});

test.each([
  { name: 'the address of the console', path: () => '/' },
  { name: 'a deep link', path: (projectId: string) => `/p/${projectId}/types` },
])('a sign-in from $name leads to the page, and no ended session covers it', async ({ path }) => {
  const { page } = await openPage({ signedIn: false });
  const world = await createWorld();
  await page.goto(path(world.projectId));
  await fillCredentials(page, await world.join('admin'));
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await expectUncovered(page);
});

test('a registration from a deep link leads to the page, and no ended session covers it', async () => {
  const world = await createWorld();
  const { page } = await openPage({ signedIn: false });
  const email = `new-${world.projectId}@example.com`;
  await world.call('POST /v1/invitations', { emailAddress: email, role: 'admin' });
  await page.goto(`/p/${world.projectId}/nowhere`);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Choose a password').fill(`a long password of ${world.projectId}`);
  await page.getByRole('button', { name: 'Create an account' }).click();
  await page.getByLabel('Code', { exact: true }).waitFor();
  const code = await waitUntil(async () => (await world.mailedCodes(email))[0], {
    what: 'the code of the mail',
  });
  await page.getByLabel('Code', { exact: true }).fill(code ?? '');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This page does not exist').waitFor();
  expect(await page.title()).toBe('This page does not exist · Tickrate');
  await expectUncovered(page);
});

test('the link of an invitation registers its address, and says no more to an address without one', async () => {
  const world = await createWorld();
  const email = `new-${world.projectId}@example.com`;
  await world.call('POST /v1/invitations', { emailAddress: email, role: 'viewer' });
  const link = await waitUntil(
    async () => {
      const { results } = await world.call<{ results: { to: string; text: string }[] }>('GET /v1/outbox');
      return /\/sign-in\?\S+/.exec(results.find(({ to }) => to === email)?.text ?? '')?.[0];
    },
    { what: 'the mail of the invitation' },
  );
  const texts: string[] = [];
  for (const each of [link ?? '', '/sign-in?invited=nobody@example.com&project=2048&role=viewer']) {
    const { page } = await openPage({ signedIn: false });
    await page.goto(each);
    await page.getByText(/^You are invited to “.+”, as viewer$/).waitFor();
    const address = await page.getByLabel('E-mail address').inputValue();
    await page.getByLabel('Choose a password').fill(`a long password of ${world.projectId}`);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Code', { exact: true }).waitFor();
    await page.getByText('The owner of the installation finds the code').waitFor();
    const text = (await page.getByRole('main').textContent()) ?? '';
    expect(text).toContain(`If ${address} was invited`);
    texts.push(text.replaceAll(address, 'ADDRESS').replace(/“.+?”/, 'PROJECT'));
  }
  expect(texts[1]).toBe(texts[0]);
});

test('a removed member cannot read the page, learns why, and continues in another project', async () => {
  const [world, other] = [await createWorld(), await createWorld('Kart on ice')];
  const member = await world.join('viewer');
  const { page, visit } = await openPage({ as: member });
  await other.call('POST /v1/invitations', { emailAddress: member.email, role: 'viewer' });
  await openPage({ as: { ...member, projectId: other.projectId } });
  await visit(`/p/${world.projectId}/overview`);
  const { results } = await world.call<{ results: { accountId: string; emailAddress: string }[] }>(
    'GET /v1/members',
  );
  const account = results.find(({ emailAddress }) => emailAddress === member.email);
  await world.call(`DELETE /v1/members/${account?.accountId}`);
  // The page asks for its first event again and again, and so learns of the end.
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await dialog.waitFor();
  const overlay = page.locator('div', { has: dialog }).last().locator('xpath=..');
  expect(await overlay.evaluate((element) => getComputedStyle(element).backgroundColor)).toMatch(/^rgb\(/);
  await fillCredentials(dialog, member);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  await dialog.getByText('You are no longer a member of this project').waitFor();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: 'Open another project' }).click();
  await page.getByRole('button', { name: 'Project: Kart on ice' }).waitFor();
  await expectUncovered(page);
});

test('the page of a session that ended is no page of the next user', async () => {
  const world = await createWorld();
  const [one, two] = [await world.join('admin'), await world.join('viewer')];
  const { page, context, visit } = await openPage({ as: one });
  await visit(`/p/${world.projectId}/overview`);
  await page.evaluate(() => document.body.setAttribute('data-of', 'the first user'));
  await context.clearCookies();
  // The page asks for its first event again and again, and so learns of the end.
  const dialog = page.getByRole('dialog', { name: 'Your session has ended' });
  await fillCredentials(dialog, two);
  expect(await dialog.getByRole('button', { name: 'Create an account' }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Sign in', exact: true }).click();
  // Nothing of the document of the first user is left.
  await page.locator('body:not([data-of])').waitFor({ state: 'attached' });
  await expectUncovered(page);
});

/** A page is shown and can be used: no dialog covers it. */
async function expectUncovered(page: Page): Promise<void> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Explore' }).click();
  await page.getByRole('heading', { level: 1, name: 'Explore' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
}

async function fillCredentials(
  within: Page | Locator,
  { email, password }: Pick<Administrator, 'email' | 'password'>,
): Promise<void> {
  await within.getByLabel('E-mail address').fill(email);
  await within.getByLabel('Password', { exact: true }).fill(password);
}

async function signInWith(
  page: Page,
  { email, password, projectId }: Administrator,
  code: string,
): Promise<void> {
  await page.context().clearCookies();
  await page.goto(`/sign-in?next=/p/${projectId}/overview`);
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByLabel('Code', { exact: true }).fill(code);
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
}

interface Administrator {
  readonly email: string;
  readonly password: string;
  readonly projectId: string;
}
