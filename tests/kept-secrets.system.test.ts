import { migrateLedger } from '@tickrate/pipeline';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { findFreePort, freshPostgres, type SteamStandIn, startSteamStandIn } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AppProcess, startApp, untilReady } from './event-path/app-process.ts';

const { url: postgresUrl } = await freshPostgres();
const secret = 'A-SECRET-OF-STEAM';
const apps: AppProcess[] = [];
const keys = { administrative: '', public: '' };
let consoleUrl: string;
let authUrl: string;
let theirs: SteamStandIn;
let elsewhere: SteamStandIn;

beforeAll(async () => {
  theirs = await startSteamStandIn(secret);
  elsewhere = await startSteamStandIn(secret);
  await migrateRegistry(postgresUrl);
  await migrateLedger(postgresUrl);
  const registry = createRegistry({ postgresUrl, now: Date.now });
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  for (const kind of ['administrative', 'public'] as const) {
    const scopes = kind === 'administrative' ? ['policies:write'] : [];
    keys[kind] = (await registry.createKey({ projectId, kind, scopes, comment: '', createdBy: 'test' })).text;
  }
  await registry.close();
  authUrl = await start('auth', { AUTH_SECRET: 'a secret of tests that is longer than 32 characters' });
  consoleUrl = await start('console', { QUEUE_URL: postgresUrl, CLICKHOUSE_URL: 'http://127.0.0.1:9' });
});
afterAll(async () => {
  for (const app of apps) app.signal('SIGKILL');
  await Promise.all([...apps.map(({ exited }) => exited), theirs.stop(), elsewhere.stop()]);
});

async function start(app: 'auth' | 'console', more: Readonly<Record<string, string>>): Promise<string> {
  const port = await findFreePort();
  const shared = { PORT: String(port), POSTGRES_URL: postgresUrl, LOG_LEVEL: 'fatal' };
  const sealing = { SECRETS_KEY: 'a key of tests that is longer than 32 characters' };
  const development = { DEVELOPMENT: 'true' };
  apps.push(startApp({ app, environment: { ...shared, ...sealing, ...development, ...more } }));
  await untilReady(port);
  return `http://127.0.0.1:${port}`;
}

interface Answer {
  readonly version: string;
  readonly value: { readonly steam: Readonly<Record<string, unknown>> };
  readonly code?: number;
  readonly data?: { readonly parameterName: string; readonly parameterInvalidReason: string };
}

async function send(
  url: string,
  key: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Answer }> {
  const answer = await fetch(url, {
    method: body ? 'PUT' : 'GET',
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json', Connection: 'close' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer };
}

async function set(steam: object) {
  const url = `${consoleUrl}/v1/policies/providers`;
  const { version } = (await send(url, keys.administrative)).body;
  return send(url, keys.administrative, { version, value: { steam } });
}

function signIn(steamId: string) {
  const userTicket = theirs.issueTicket({ appId: '480', steamId });
  const tokens = { steamTokens: [{ userTicket }] };
  return send(`${authUrl}/2018-03-24/authenticate`, keys.public, { tokens });
}

// Invariant (Management): A provider's stored secret is sent only to the place it was set for
test('a secret of a provider goes to no other address than it was set for', async () => {
  const { body } = await set({ publisherKey: secret, appIds: ['480'], address: theirs.address });
  const shown = body.value.steam;
  expect(shown['publisherKey']).toBe('********');
  await signIn('76561197960287001');
  expect(theirs.requests.length).toBeGreaterThan(0);

  const moved = await set({ ...shown, address: elsewhere.address });
  await signIn('76561197960287002');
  expect(elsewhere.requests).toEqual([]);
  expect([moved.body.code, moved.body.data?.parameterName]).toEqual([1003, 'value.steam.publisherKey']);
  expect(moved.body.data?.parameterInvalidReason).toContain('address');

  const { address: _, ...withoutAddress } = shown;
  expect((await set(withoutAddress)).body.code).toBe(1003);
  expect((await set({ ...shown, profile: false })).status).toBe(200);
  expect((await set({ ...shown, publisherKey: 'another', address: elsewhere.address })).status).toBe(200);
});
