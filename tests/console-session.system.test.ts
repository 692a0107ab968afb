import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Database, makeSignInLink } from '@tickrate/accounts';
import { migrateLedger } from '@tickrate/pipeline';
import { createPostgres } from '@tickrate/postgres';
import { createRegistry, migrateRegistry, type Registry } from '@tickrate/registry';
import { findFreePort, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AppProcess, startApp, untilReady } from './event-path/app-process.ts';
import { bareEnvironment } from './standalone-run.ts';

const { url: postgresUrl } = await freshPostgres();
const email = 'ada@example.com';
const password = 'correct horse battery staple';
const apps: AppProcess[] = [];
let registry: Registry;
let accounts: Database;
let consoleUrl: string;
let projects: readonly string[];

beforeAll(async () => {
  await migrateRegistry(postgresUrl);
  await migrateLedger(postgresUrl);
  registry = createRegistry({ postgresUrl, now: Date.now });
  accounts = createPostgres({ postgresUrl, maxConnections: 2, onFault: () => undefined });
  projects = [await newProject('Kart'), await newProject('Chess')];
  const owner = { ADMIN_EMAIL: email, ADMIN_PASSWORD: password };
  const auth = { AUTH_SECRET: 'a secret of tests that is longer than 32 characters', ...owner };
  const authUrl = await start('auth', auth);
  consoleUrl = await start('console', {
    QUEUE_URL: postgresUrl,
    CLICKHOUSE_URL: 'http://127.0.0.1:9',
    AUTH_URL: authUrl,
    TRUSTED_PROXIES: '127.0.0.1',
    OUTBOX: 'true',
  });
});
afterAll(async () => {
  for (const app of apps) app.signal('SIGKILL');
  await Promise.all([...apps.map(({ exited }) => exited), registry.close(), accounts.close()]);
});

async function newProject(name: string): Promise<string> {
  return (await registry.createProject({ name })).id;
}

async function start(app: 'auth' | 'console', more: Readonly<Record<string, string>>): Promise<string> {
  const port = await findFreePort();
  const shared = { PORT: String(port), POSTGRES_URL: postgresUrl, LOG_LEVEL: 'fatal' };
  const sealing = { SECRETS_KEY: 'a key of tests that is longer than 32 characters' };
  apps.push(startApp({ app, environment: { ...shared, ...sealing, ...more } }));
  await untilReady(port);
  return `http://127.0.0.1:${port}`;
}

/** What a browser sends for a page of the console. */
const ofPage = { 'Sec-Fetch-Site': 'same-origin', 'X-Tickrate-Console': '1' };
const home = '203.0.113.7';

interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly cookie?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly from?: string;
}

async function send({ method = 'GET', path, cookie, headers = ofPage, body, from = home }: Sent) {
  const answer = await fetch(consoleUrl + path, {
    method,
    headers: {
      Connection: 'close',
      'X-Forwarded-For': from,
      ...headers,
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(body && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: these tests check what a page decodes
  const decoded: any = await answer.json();
  return { status: answer.status, headers: answer.headers, body: decoded };
}

const exchange = (body: object, more: Partial<Sent> = {}) =>
  send({ method: 'POST', path: '/session/exchange', body: { emailAddress: email, ...body }, ...more });

async function signIn(from = home): Promise<string> {
  // Without it, the same credentials get the same session again for a minute.
  const headers = { ...ofPage, 'Idempotency-Key': randomUUID() };
  const answer = await exchange({ password, projectId: projects[0] }, { from, headers });
  return answer.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
}

// Invariant (Management): A session ends other sessions of its own account only
// Invariant (Management): The cookie of the console opens for its own pages and at its own address only,
// and no answer to a page contains a key
// Invariant (Management): A sign-in link opens one session, whoever uses it at once, and none later
// Invariant (Management): No call of a page returns data of another project than the page shows
describe('the sign-in of a page', () => {
  test('walks the states of the exchange and ends with a cookie that no script can read', async () => {
    const wrong = await exchange({ password: 'wrong' });
    expect([wrong.status, wrong.body.code]).toEqual([401, 4001]);
    const asked = await exchange({});
    expect(asked.body).toMatchObject({ promptForPassword: true, authenticatedSession: null });
    const choice = await exchange({ password, promptForProject: true, exchangeId: asked.body.exchangeId });
    expect(choice.body.availableProjects.map(({ id }: { id: string }) => id)).toEqual(projects);
    expect(choice.headers.get('set-cookie')).toBeNull();
    const done = await exchange({ password, projectId: projects[1], exchangeId: asked.body.exchangeId });
    expect(done.headers.get('set-cookie')).toMatch(
      /^__Host-tickrate=[\w-]+; Max-Age=4\d{4}; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
    );
    expect(done.body.authenticatedSession.projectId).toBe(projects[1]);
    expect(JSON.stringify(done.body)).not.toMatch(/apiKey|secretKey|tk_ses_/);
    const cookie = done.headers.get('set-cookie')?.split(';', 1)[0];
    const read = await send({ path: '/session', cookie });
    expect(read.body).toMatchObject({ projectId: projects[1], role: 'builtin:admin' });
    // What the role permits, with what its scopes include: pages show nothing else.
    expect(read.body.permissions).toEqual(
      expect.arrayContaining(['keys:read', 'keys:write', 'personal:read']),
    );
    expect(JSON.stringify(read.body)).not.toContain('tk_ses_');
  });

  test('counts for the address of the browser, not for that of the console', async () => {
    const cookie = await signIn('198.51.100.9');
    const { body } = await send({ path: '/session', cookie, from: '198.51.100.9' });
    const [row] = await accounts.query<{ client_address: string }>(
      'SELECT client_address FROM auth.sessions WHERE id = $1',
      [body.id],
    );
    expect(row?.client_address).toBe('198.51.100.9');
  });

  test('works again after the key of the console was revoked', async () => {
    await signIn();
    const keys = await registry.keys(projects[0] ?? '');
    for (const { id, comment } of keys)
      if (comment === 'Sign-in at the console') await registry.revokeKey({ keyId: id });
    // Auth learns of the revocation within a second. Until then, the old key signs in as well.
    const hasNewKey = async () => {
      expect(await signIn()).not.toBe('');
      return (await registry.keys(projects[0] ?? '')).length === keys.length + 1;
    };
    await waitUntil(hasNewKey, { timeoutMs: 5_000, what: 'a new key' });
  });

  test('sets up a second factor with the code of a mail, and then asks for its code', async () => {
    const cookie = await signIn();
    const setup = { method: 'PUT', path: '/session/account/twofactor', cookie };
    const asked = await send(setup);
    expect(asked.body).toMatchObject({ promptForTwoFactorCode: true, secret: null, qrSvg: null });
    const mailed = async () => {
      const { body } = await send({ path: '/v1/outbox', cookie });
      return /Code: (\S+)/.exec(body.results[0]?.text)?.[1] ?? null;
    };
    const twoFactorCode = await waitUntil(mailed, { what: 'the code of the mail' });
    const unproven = await send({ ...setup, body: { twoFactorCode: '000000' } });
    expect(unproven.body).toMatchObject({ code: 4004 });
    const begun = await send({ ...setup, body: { twoFactorCode } });
    expect(begun.body.qrSvg).toContain('<svg');
    const wrong = await send({
      method: 'POST',
      path: '/session/account/twofactor',
      cookie,
      body: { twoFactorCode: '000000' },
    });
    expect(wrong.status).toBe(401);
  });
});

describe('the cookie', () => {
  test('is a key of the management API for pages of this origin alone', async () => {
    const cookie = await signIn();
    const path = '/v1/projects';
    expect((await send({ path, cookie })).status).toBe(200);
    const { 'X-Tickrate-Console': _, ...withoutHeader } = ofPage;
    const others = [
      {},
      withoutHeader,
      { ...ofPage, 'Sec-Fetch-Site': 'same-site' },
      { ...ofPage, 'Sec-Fetch-Site': 'cross-site' },
      { ...ofPage, 'Sec-Fetch-Site': 'none' },
      { ...ofPage, Origin: 'https://evil.example' },
    ];
    for (const headers of others) expect((await send({ path, cookie, headers })).body.code).toBe(2001);
    for (const headers of others) {
      const change = { method: 'POST', path: '/session/exchange', headers, body: { password } };
      expect((await send(change)).body.code).toBe(2005);
      expect((await send({ method: 'DELETE', path: '/session', cookie, headers })).body.code).toBe(2005);
    }
    expect((await send({ path, cookie })).status).toBe(200);
  });

  test('opens neither at another address, nor changed, nor beside another one of its name', async () => {
    const cookie = await signIn();
    const path = '/v1/projects';
    for (const from of ['203.0.113.8', '2001:db8::1']) {
      expect((await send({ path, cookie, from })).body.code).toBe(2001);
    }
    for (const forged of [`${cookie}AA`, cookie.slice(0, -4), '__Host-tickrate=', `${cookie}; ${cookie}`]) {
      expect((await send({ path, cookie: forged })).body.code).toBe(2001);
    }
    expect((await send({ path, cookie: `theme=dark; ${cookie}` })).status).toBe(200);
  });

  test('ends with the session, at sign-out and elsewhere', async () => {
    const [mine, other, third] = [await signIn(), await signIn(), await signIn()];
    const { body: own } = await send({ path: '/session', cookie: third });
    const end = { method: 'DELETE', path: `/session/sessions/${own.id}`, cookie: mine };
    expect((await send(end)).body).toBe(true);
    expect((await send(end)).body.code).toBe(3001);
    expect((await send({ path: '/session', cookie: third })).body.code).toBe(2004);
    const listed = await send({ path: '/session/all', cookie: mine });
    expect(listed.body.sessions.filter(({ current }: { current: boolean }) => current)).toHaveLength(1);
    await send({ method: 'DELETE', path: '/session/others', cookie: mine });
    const ended = await send({ path: '/session', cookie: other });
    expect([ended.status, ended.body.code]).toEqual([401, 2004]);
    const out = await send({ method: 'DELETE', path: '/session', cookie: mine });
    expect(out.headers.get('set-cookie')).toMatch(/^__Host-tickrate=; Max-Age=0; /);
    const isOver = async () => (await send({ path: '/v1/projects', cookie: mine })).body.code === 2004;
    await waitUntil(isOver, { what: 'the end of the session at the console' });
    const again = await send({ method: 'DELETE', path: '/session', cookie: mine });
    expect(again.body).toBe(true);
  });
});

test('a tab whose session another tab moved gets 2008, and never the data of the other project', async () => {
  const cookie = await signIn();
  const [first = '', second = ''] = projects;
  const ask = (project: string) =>
    send({ path: `/v1/projects/${project}`, cookie, headers: { ...ofPage, 'X-Tickrate-Project': project } });
  expect((await ask(first)).status).toBe(200);
  const moved = await send({ method: 'PUT', path: '/session/project', cookie, body: { projectId: second } });
  expect(moved.body.authenticatedSession.projectId).toBe(second);
  expect((await ask(second)).status).toBe(200);
  const { status, body } = await ask(first);
  expect([status, body.code, body.data.projectId]).toEqual([409, 2008, second]);
  const unknown = { projectId: `p-${randomUUID().slice(0, 12)}` };
  expect((await send({ method: 'PUT', path: '/session/project', cookie, body: unknown })).status).toBe(403);
});

async function tickrate(words: readonly string[], environment: Readonly<Record<string, string>>) {
  const main = join(import.meta.dirname, '..', 'apps', 'cli', 'src', 'main.ts');
  const env = { ...bareEnvironment(), ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, [main, ...words], { env });
  return stdout;
}

describe('a sign-in link', () => {
  const make = async (nowMs = Date.now()) => {
    const options = { folded: null, consoleUrl, now: () => nowMs, randomBytes };
    const link = await makeSignInLink(accounts, options);
    return { ...link, token: link?.url.split('#link=')[1] ?? '' };
  };
  const open = (token: string, headers: Readonly<Record<string, string>> = ofPage) =>
    send({ method: 'POST', path: '/session/link', body: { token }, headers });

  test('signs the owner of the installation in, once', async () => {
    const { token, url, emailAddress } = await make();
    expect([url, emailAddress]).toEqual([`${consoleUrl}/sign-in#link=${token}`, email]);
    const answers = await Promise.all([1, 2, 3, 4].map(() => open(token)));
    const [signedIn, ...others] = answers.toSorted((a, b) => a.status - b.status);
    expect(signedIn?.body).toMatchObject({ projectId: projects[0], role: 'builtin:admin', amr: ['link'] });
    expect(others.map(({ body }) => body.code)).toEqual([4002, 4002, 4002]);
    const cookie = signedIn?.headers.get('set-cookie')?.split(';', 1)[0];
    expect((await send({ path: '/v1/keys', cookie })).status).toBe(200);
    expect((await open(token)).body.code).toBe(4002);
    const [row] = await accounts.query<{ rows: string }>(
      'SELECT count(*) AS rows FROM auth.sign_in_links l WHERE encode(l.hash, $1) LIKE $2 OR l::text LIKE $2',
      ['escape', `%${token}%`],
    );
    expect(Number(row?.rows)).toBe(0);
  });

  test('changes no way into the account: that requires the password', async () => {
    const { token } = await make();
    const cookie = (await open(token)).headers.get('set-cookie')?.split(';', 1)[0];
    const change = {
      method: 'PUT',
      path: '/session/account/password',
      cookie,
      body: { password: 'another one 4' },
    };
    const { status, body } = await send(change);
    expect([status, body.code]).toEqual([403, 2005]);
  });

  test('is worth nothing when it expired, when it is guessed, and for another origin', async () => {
    expect((await open((await make(Date.now() - 10 * 60_000)).token)).body.code).toBe(4002);
    expect((await open('x'.repeat(43))).body.code).toBe(4002);
    const { token } = await make();
    expect((await open(token, { ...ofPage, 'Sec-Fetch-Site': 'cross-site' })).body.code).toBe(2005);
    expect((await open(token)).status).toBe(200);
  });

  test('is created by a command on the machine of the installation', async () => {
    const made = await tickrate(['sign-in-link', '--url', consoleUrl, '--json'], {
      POSTGRES_URL: postgresUrl,
    });
    const { url, emailAddress } = JSON.parse(made);
    expect(emailAddress).toBe(email);
    expect((await open(url.split('#link=')[1])).status).toBe(200);
  });
});
