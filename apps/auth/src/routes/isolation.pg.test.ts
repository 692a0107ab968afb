import { migrateLedger } from '@tickrate/pipeline';
import { createManualClock, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AuthInstance,
  type AuthWorld,
  createAuthWorld,
  sessionOperations,
} from '../testing/auth-world.ts';

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly takes: 'session' | 'any';
}

interface Victim {
  readonly projectId: string;
  readonly key: string;
  readonly sessionKey: string;
  readonly accountId: string;
  /** Texts that no answer to others may contain. */
  readonly own: readonly string[];
  /** All ids of the victim, for every endpoint at the same time. */
  readonly named: object;
  readonly exchangeId: string;
  readonly identityId: string;
}

const { url } = await freshPostgres();
const clock = createManualClock();
const endpoints = readEndpoints();
const password = 'correct horse battery staple';
const emailAddress = 'victim@example.com';
let world: AuthWorld;
let auth: AuthInstance;
let victim: Victim;
let foreign: { readonly projectId: string; readonly key: string };

beforeAll(async () => {
  await migrateLedger(url);
  world = await createAuthWorld(url, clock.now);
  auth = await world.start();
  victim = await makeVictim();
  foreign = await world.project();
});
afterAll(() => world.close());

// Invariant (Sign-in): At every sign-in endpoint, keys of another project read and change nothing of this
// project
test('this test covers every endpoint, with the kind of key that it accepts', () => {
  expect(endpoints.length).toBeGreaterThan(20);
  expect(endpoints.filter(({ takes }) => takes === 'any').map(nameOf)).toEqual([
    'PUT authenticate',
    'GET authenticate/provider',
    'POST authenticate/provider',
    'PUT authenticate/provider',
    'POST account/email/verify',
    'POST password/reset',
    'PUT password/reset',
    'GET account/erasure/:id',
  ]);
});

test('every endpoint refuses a missing, an unknown and an administrative key', async () => {
  const administrative = await Promise.all([
    administrativeKey(victim.projectId),
    administrativeKey(foreign.projectId),
  ]);
  const { sessionKey } = victim;
  const altered = `${sessionKey.slice(0, -1)}${sessionKey.endsWith('x') ? 'y' : 'x'}`;
  const unknown = [altered, 'tk_pub_nobody', 'x'];
  for (const endpoint of endpoints) {
    expect(await codeOf(endpoint, undefined), nameOf(endpoint)).toBe(2001);
    for (const key of unknown) expect(await codeOf(endpoint, key), nameOf(endpoint)).toBe(2002);
    const data = { expectedSessionType: endpoint.takes === 'session' ? 'session' : 'public' };
    for (const key of administrative)
      expect((await call(endpoint, key)).body, nameOf(endpoint)).toMatchObject({ code: 2003, data });
  }
});

test('a public key of any project reaches no endpoint of a session', async () => {
  for (const endpoint of endpoints.filter(({ takes }) => takes === 'session')) {
    for (const key of [victim.key, foreign.key])
      expect(await codeOf(endpoint, key), nameOf(endpoint)).toBe(2003);
  }
});

test('the keys of another project read and change nothing of this one, at any endpoint', async () => {
  const before = await rowsOfVictim();
  for (const endpoint of endpoints) {
    for (const [key, more] of [
      [foreign.key, {}],
      [foreign.key, { exchangeId: victim.exchangeId }],
      [await strangerKey(endpoint), {}],
    ] as const) {
      const answer = await call(endpoint, key, more);
      const text = JSON.stringify([answer.body, answer.headers]);
      expect(
        victim.own.filter((own) => text.includes(own)),
        `${nameOf(endpoint)} ${text}`,
      ).toEqual([]);
      expect(answer.status, nameOf(endpoint)).toBeLessThan(500);
    }
  }
  // Waits for background work, such as mails.
  await auth.stop();
  expect(await rowsOfVictim()).toEqual(before);
  auth = await world.start();
  expect(
    (await auth.send({ key: victim.sessionKey, method: 'GET', path: 'account' })).body.emailAddress,
  ).toBe(emailAddress);
});

test('an id of another project gets the same answer as an unknown one', async () => {
  const key = await strangerKey({ method: 'DELETE', path: 'account/identities/:id', takes: 'session' });
  const nobodys = '0198c0de-0000-7000-8000-000000000000';
  const [theirs, none] = await Promise.all(
    [victim.identityId, nobodys].map((id) =>
      auth.send({ key, method: 'DELETE', path: `account/identities/${id}` }),
    ),
  );
  const shown = ({ status, body }: { status: number; body: { code: number; message: string } }) => [
    status,
    body.code,
    body.message,
  ];
  expect(theirs && shown(theirs)).toEqual(none && shown(none));
  expect(theirs?.body.code).toBe(3001);
});

/** The table of routes itself, so that the test includes every new route. */
function readEndpoints(): Endpoint[] {
  return sessionOperations.map(({ method, path, keys }) => ({
    method,
    path: path.replace('/2018-03-24/', '').replace(/\{(\w+)\}/, ':$1'),
    takes: keys.includes('public') ? 'any' : 'session',
  }));
}

function nameOf({ method, path }: Endpoint): string {
  return `${method} ${path}`;
}

function call({ method, path }: Endpoint, key: string | undefined, more: object = {}) {
  const body = JSON.stringify({ ...victim.named, ...more });
  return auth.send({
    ...(key !== undefined && { key }),
    method,
    body,
    path: path.replace(':id', victim.identityId),
    headers: { 'Content-Length': String(Buffer.byteLength(body)) },
  });
}

async function codeOf(endpoint: Endpoint, key: string | undefined): Promise<number> {
  return (await call(endpoint, key)).body.code;
}

async function administrativeKey(projectId: string): Promise<string> {
  const given = {
    projectId,
    kind: 'administrative',
    comment: '',
    createdBy: 'test',
    scopes: ['project:read'],
  } as const;
  return (await world.registry.createKey(given)).text;
}

/** The key of a new account for each endpoint, because some of them end the session. */
async function strangerKey(endpoint: Endpoint): Promise<string> {
  const tokens = { deviceTestTokens: [{ deviceId: `stranger of ${nameOf(endpoint)}` }] };
  const { body } = await auth.send({ key: foreign.key, body: { tokens } });
  return body.authenticatedSession.apiKey;
}

async function makeVictim(): Promise<Victim> {
  const { projectId, key } = await world.project();
  await auth.send({ key, body: { emailAddress, password, intent: 'register' } });
  const token = await mailed();
  await auth.send({ key, method: 'POST', path: 'account/email/verify', body: { token, password } });
  const tokens = { deviceTestTokens: [{ deviceId: 'victim' }] };
  const { body } = await auth.send({
    key,
    body: { emailAddress, password, tokens, linkDecision: { action: 'link' } },
  });
  const { apiKey, secretKey, accountId, id } = body.authenticatedSession;
  await auth.send({ key: apiKey, method: 'PATCH', path: 'account', body: { displayName: 'Wilhelmina' } });
  const listed = await auth.send({ key: apiKey, method: 'GET', path: 'account/identities' });
  const identityId = listed.body.identities[0].id;
  clock.advance(61_000);
  await auth.send({ key, method: 'POST', path: 'password/reset', body: { emailAddress } });
  const reset = await mailed(token);
  const open = await auth.send({ key, body: {} });
  const linkDecision = { action: 'move', accountRef: accountId };
  return {
    projectId,
    key,
    sessionKey: apiKey,
    accountId,
    identityId,
    own: [projectId, key, apiKey, secretKey, accountId, id, 'Wilhelmina'],
    exchangeId: open.body.exchangeId,
    named: {
      projectId,
      token: reset,
      tokens,
      emailAddress,
      password: 'the stranger chose this',
      linkDecision,
    },
  };
}

async function mailed(earlier: string | null = null): Promise<string> {
  const later = async () => {
    const code = await world.mailedCode(emailAddress);
    return code === earlier ? null : code;
  };
  return (await waitUntil(later, { what: 'a mail' })) ?? '';
}

const ofRealm = ['accounts', 'identities', 'sessions', 'mail_tokens', 'device_secrets'];
const ofAccount = ['passwords', 'totps', 'recovery_codes', 'known_devices', 'roles'];

/** All stored rows of the victim's project. */
function rowsOfVictim(): Promise<unknown[]> {
  const { projectId } = victim;
  const selects = [
    ...ofRealm.map(
      (table) => `SELECT '${table}' AS kind, t::text AS row FROM auth.${table} t WHERE realm = $1`,
    ),
    ...ofAccount.map(
      (table) =>
        `SELECT '${table}', t::text FROM auth.${table} t JOIN auth.accounts a ON a.id = t.account_id WHERE a.realm = $1`,
    ),
    "SELECT 'exchanges', t::text FROM auth.exchanges t WHERE project_id = $1",
    "SELECT 'session_keys', t::text FROM registry.session_keys t WHERE project_id = $1",
  ];
  return world.db.query(`${selects.join(' UNION ALL ')} ORDER BY 1, 2`, [projectId]);
}
