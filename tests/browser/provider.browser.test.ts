import { migrateLedger } from '@tickrate/pipeline';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { findFreePort, freshPostgres, startOidcServer } from '@tickrate/testkit';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type AppProcess, startApp, untilReady } from '../event-path/app-process.ts';
import { expectAccessible, openPage } from './open-page.ts';

const { url: postgresUrl } = await freshPostgres();
const ports = { console: await findFreePort(), other: await findFreePort() };
const origin = `http://127.0.0.1:${ports.console}`;
let groups = ['leads'];
const provider = await startOidcServer({
  redirectUri: `${origin}/sign-in`,
  clientSecret: 'a secret of the client',
  claimsOf: () => ({ name: 'Kim', email: 'kim@studio.example', email_verified: true, groups }),
});
const registry = createRegistry({ postgresUrl, now: Date.now });
const accounts = createPostgres({ postgresUrl, maxConnections: 1, onFault: () => undefined });
const apps: AppProcess[] = [];
let projectId: string;

beforeAll(async () => {
  await migrateRegistry(postgresUrl);
  await migrateLedger(postgresUrl);
  projectId = (await registry.createProject({ name: 'Kart' })).id;
  await startConsole(ports.console, {});
  await startConsole(ports.other, { ADMIN_OIDC_ONLY: 'true' });
});
afterAll(async () => {
  for (const app of apps) app.signal('SIGKILL');
  await Promise.all([
    ...apps.map(({ exited }) => exited),
    registry.close(),
    accounts.close(),
    provider.stop(),
  ]);
});

/** A console with the auth that signs its administrators in by the provider. */
async function startConsole(port: number, more: Readonly<Record<string, string>>): Promise<void> {
  const authPort = await findFreePort();
  const shared = {
    POSTGRES_URL: postgresUrl,
    SECRETS_KEY: 'a key of tests that is longer than 32 characters',
    CLICKHOUSE_URL: inject('product').clickhouse,
    LOG_LEVEL: 'fatal',
  };
  const environment = {
    ...shared,
    PORT: String(authPort),
    AUTH_SECRET: 'a secret of tests that is longer than 32 characters',
    CONSOLE_URL: origin,
    ADMIN_OIDC_ISSUER: provider.issuer,
    ADMIN_OIDC_CLIENT_ID: provider.clientId,
    ADMIN_OIDC_CLIENT_SECRET: 'a secret of the client',
    ADMIN_OIDC_NAME: 'Studio ID',
    ADMIN_OIDC_SCOPES: 'openid,profile,email,groups',
    ADMIN_OIDC_GROUPS: `leads=admin@${projectId}`,
    ...more,
  };
  apps.push(startApp({ app: 'auth', environment }));
  await untilReady(authPort);
  const authUrl = `http://127.0.0.1:${authPort}`;
  const ofConsole = { ...shared, PORT: String(port), QUEUE_URL: postgresUrl, AUTH_URL: authUrl };
  apps.push(startApp({ app: 'console', environment: ofConsole }));
  await untilReady(port);
}

// The forms of the provider ask for a font.
const fonts = 'https://fonts.googleapis.com';

async function openSignIn(options: { readonly origin?: string; readonly language?: 'de-DE' } = {}) {
  const others = [provider.issuer, fonts];
  const { page, context } = await openPage({ signedIn: false, origin, others, ...options });
  await context.route(`${fonts}/**`, (route) => route.abort());
  return page;
}

async function signInAtProvider(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Studio ID' }).click();
  await page.getByPlaceholder('Enter any login').fill('kim');
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

const roles = () =>
  accounts.query<{ role: string; email: string }>(
    'SELECT m.role, a.email FROM auth.members m JOIN auth.accounts a ON a.id = m.account_id',
    [],
  );

// Invariant (Management): An administrator who signs in with the studio's provider has the roles of its groups, and no
// address opens the account of another one
test('signs in at the provider with the role of a group, and not without it', async () => {
  const page = await openSignIn();
  await page.goto(`/sign-in?next=${encodeURIComponent(`/p/${projectId}/settings?part=members`)}`);
  await page.getByLabel('Password', { exact: true }).waitFor();
  await expectAccessible(page);
  await signInAtProvider(page);
  await page.getByRole('row', { name: /kim@studio\.example.*by group/ }).waitFor();
  await expectAccessible(page);
  expect(await roles()).toEqual([{ role: 'admin', email: 'kim@studio.example' }]);
  expect(await page.evaluate(() => [document.cookie, sessionStorage.getItem('tickrate.visit')])).toEqual([
    '',
    null,
  ]);

  groups = [];
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Sign in with Studio ID' }).click();
  await page.getByText('none of your groups has a role here').waitFor();
  await expectAccessible(page);
  expect(await roles()).toEqual([]);
  await page.getByRole('button', { name: 'Start again' }).click();
  await page.getByLabel('Password', { exact: true }).waitFor();
});

test('a return that no visit of this tab began is refused', async () => {
  const page = await openSignIn();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await page.goto(`/sign-in?code=a-code-of-another&state=${'f'.repeat(32)}`);
  await page.getByText('This sign-in was not begun in this tab').waitFor();
  expect(page.url()).toBe(`${origin}/sign-in`);
  expect(sent).not.toContain('PUT /session/provider');
});

test('shows no password where the provider is the only way', async () => {
  const page = await openSignIn({ origin: `http://127.0.0.1:${ports.other}`, language: 'de-DE' });
  await page.goto('/sign-in');
  await page.getByRole('button', { name: 'Mit Studio ID anmelden' }).waitFor();
  expect(await page.getByRole('textbox').count()).toBe(0);
  await expectAccessible(page);
});
