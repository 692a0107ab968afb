import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  findFreePort,
  freshPostgres,
  startClickHouseServer,
  startRedisServer,
  waitUntil,
} from '@tickrate/testkit';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { type AppProcess, startApp, untilReady } from './event-path/app-process.ts';

const root = join(import.meta.dirname, '..');
const composeFile = readFileSync(join(root, 'docker-compose.yml'), 'utf8');
const { services } = parse(composeFile, { merge: true }) as {
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string | null>> }>
  >;
};
const emailAddress = 'you@example.com';
const password = 'correct horse battery staple';
const folder = mkdtempSync(join(tmpdir(), 'tickrate-compose-'));
const apps: AppProcess[] = [];
const mails: string[] = [];
const smtp = new SMTPServer({
  authOptional: true,
  async onData(stream, _session, done) {
    mails.push(Buffer.concat(await stream.toArray()).toString('utf8'));
    done();
  },
});
const { url: postgresUrl } = await freshPostgres();
const [clickhouse, valkey] = await Promise.all([
  startClickHouseServer(),
  startRedisServer({ settings: { requirepass: 'valkey', appendfsync: 'always' } }),
]);
const localStores = {
  POSTGRES_URL: postgresUrl,
  CLICKHOUSE_URL: clickhouse.url,
  QUEUE_URL: valkey.url.replace('redis://', 'redis://:valkey@'),
};
const urls = { auth: '', console: '' };

beforeAll(async () => {
  smtp.listen(0, '127.0.0.1');
  await once(smtp.server, 'listening');
});
afterAll(async () => {
  for (const app of apps) app.signal('SIGKILL');
  await Promise.all(apps.map(({ exited }) => exited));
  await Promise.all([clickhouse.stop(), valkey.stop()]);
  await new Promise<void>((resolve) => smtp.close(resolve));
  rmSync(folder, { recursive: true });
});

/** The variables that docker-compose.yml sets for a service, with this `.env`, for stores and ports of this machine. */
function environmentOf(service: string, env: Readonly<Record<string, string>> = {}): Record<string, string> {
  const required = 'a value of tests that is longer than 32 characters';
  const resolve = (text: string): string => {
    const once = text.replaceAll(
      /\$\{(\w+)(?:(:-|:\?)([^{}]*))?\}/g,
      (_all, variable, kind, rest) => env[variable] ?? (kind === ':-' ? rest : required),
    );
    return once === text ? text : resolve(once);
  };
  const filled = Object.entries(services[service]?.environment ?? {}).flatMap(([name, text]) => {
    // Without a value, it is passed on if `.env` has it.
    const value = text === null ? env[name] : resolve(text);
    return value === undefined ? [] : [[name, localStores[name as keyof typeof localStores] ?? value]];
  });
  return { ...Object.fromEntries(filled), HOST: '127.0.0.1', METRICS_HOST: '127.0.0.1', METRICS_PORT: '0' };
}

async function start(app: 'auth' | 'console', more: Readonly<Record<string, string>>): Promise<void> {
  const port = await findFreePort();
  apps.push(startApp({ app, environment: { ...more, PORT: String(port), LOG_LEVEL: 'fatal' } }));
  await untilReady(port);
  urls[app] = `http://127.0.0.1:${port}`;
}

/** Runs `tickrate` as a process, in a container or beside them. */
async function tickrate(args: readonly string[], environment: Readonly<Record<string, string>>) {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; output: string }>();
  execFile(
    process.execPath,
    ['apps/cli/src/main.ts', ...args],
    { cwd: root, env: environment },
    (error, out, complaint) => resolve({ code: error?.code ?? 0, output: out + complaint }),
  ).stdin?.end();
  return promise;
}

test('the steps of docs/containers.md lead to a first administrator, who was invited and signs in', async () => {
  const inContainer = environmentOf('migrate');
  expect(await tickrate(['migrate'], inContainer)).toMatchObject({ code: 0 });
  const { output: printed } = await tickrate(['first-project', 'My game'], inContainer);
  const [administrativeKey = '', publicKey = ''] = [/tk_adm_\w+/, /tk_pub_\w+/].map(
    (form) => form.exec(printed)?.[0],
  );
  const { output: findings } = await tickrate(['doctor'], inContainer);
  for (const finding of [/✓ +Queue +Redis, 0 events wait/, /✓ +Redis writes/, /✓ +ClickHouse settings/]) {
    expect(findings).toMatch(finding);
  }
  // It belongs to `npm start`.
  expect(findings).not.toContain('Data folder');

  const { port } = smtp.server.address() as AddressInfo;
  const env = { SMTP_URL: `smtp://127.0.0.1:${port}`, CONSOLE_URL: 'https://console.example.com' };
  // The mail server of this test has no certificate.
  await start('auth', { ...environmentOf('auth', env), DEVELOPMENT: 'true' });
  await start('console', { ...environmentOf('console'), AUTH_URL: urls.auth });

  const outside = { TICKRATE_URL: urls.console, TICKRATE_AUTH_URL: urls.auth };
  const asKey = { ...outside, TICKRATE_KEY: administrativeKey };
  const signIn = ['sign-in', '--email', emailAddress, '--data', join(folder, 'session')];
  const asPerson = { ...outside, TICKRATE_PUBLIC_KEY: publicKey, TICKRATE_PASSWORD: password };
  expect(await tickrate(signIn, asPerson)).toMatchObject({ code: 1 });
  expect(await tickrate(['invitations', 'create', emailAddress, 'owner'], asKey)).toMatchObject({ code: 0 });
  const invitation = await waitUntil(() => mails.find((mail) => mail.includes('invites you')), {
    timeoutMs: 20_000,
    what: 'the invitation',
  });
  expect(invitation).toContain('https://console.example.com');

  // What the page behind the link does.
  const page = (path: string, body: object) =>
    fetch(urls.console + path, {
      method: 'POST',
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        'X-Tickrate-Console': '1',
        'Content-Type': 'application/json',
        Connection: 'close',
      },
      body: JSON.stringify(body),
    });
  await page('/session/exchange', { emailAddress, password, intent: 'register' });
  const codeOf = (mail: string) => /^Code: (\S+)/m.exec(mail)?.[1];
  const code = await waitUntil(() => mails.map(codeOf).find((found) => found !== undefined), {
    timeoutMs: 20_000,
    what: 'the mail that confirms the address',
  });
  expect((await page('/session/account/email/verify', { token: code, password })).status).toBe(200);

  expect(await tickrate(signIn, asPerson)).toMatchObject({ code: 0 });
  const { output } = await tickrate(['members', 'list', '--data', join(folder, 'session')], outside);
  expect(output).toMatch(/owner +you@example\.com/);
}, 240_000);

test('sign-in with an administrative key alone, or without a folder, opens no session and says what to set', async () => {
  const outside = { TICKRATE_URL: urls.console, TICKRATE_AUTH_URL: urls.auth, TICKRATE_PASSWORD: password };
  const signIn = ['sign-in', '--email', emailAddress, '--data'];
  const withKey = await tickrate([...signIn, join(folder, 'other')], {
    ...outside,
    TICKRATE_KEY: 'tk_adm_x',
  });
  expect(withKey).toMatchObject({
    code: 64,
    output: expect.stringMatching(/^tickrate: .*TICKRATE_PUBLIC_KEY.*\n$/),
  });
  const unwritable = await tickrate([...signIn, join(root, 'package.json')], {
    ...outside,
    TICKRATE_PUBLIC_KEY: 'tk_pub_x',
  });
  expect(unwritable).toMatchObject({
    code: 69,
    output: expect.stringMatching(/^tickrate: .*--data DIR.*\n$/),
  });
});
