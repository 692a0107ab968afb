import { createManualClock, waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';

const clock = createManualClock();
const password = 'correct horse battery staple';
const newDevice = { tokens: { deviceTokens: [{ deviceId: 'new' }] } };
const quarterMs = 16 * 60_000;
const { world, auth } = await startAuthWorld({ now: clock.now });

async function send(key: string, body: object): Promise<AnswerBody> {
  return (await auth.send({ key, body })).body;
}

async function call(key: string, method: string, path: string, body?: object): Promise<AnswerBody> {
  return (await auth.send({ key, method, path, ...(body && { body }) })).body;
}

const isRejected = {
  authenticatedSession: null,
  promptForEmailAddress: true,
  tokens: [{ provider: 'device', status: 'rejected' }],
};

async function accountsOf(projectId: string): Promise<number> {
  return (await world.db.query('SELECT FROM auth.accounts WHERE realm = $1', [projectId])).length;
}

let players = 0;

async function player(sessions: object = {}) {
  players += 1;
  const emailAddress = `way${players}@example.com`;
  const { key } = await world.project({ sessions });
  const login = { emailAddress, password };
  await send(key, { ...login, intent: 'register' });
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' });
  expect(await call(key, 'POST', 'account/email/verify', { token, password })).toBe(true);
  const { authenticatedSession: session } = await send(key, login);
  return { key, login, session };
}

const identitiesOf = async (session: AnswerBody) =>
  (await call(session.apiKey, 'GET', 'account/identities')).identities.length;

async function actsOf(accountId: string): Promise<string[]> {
  const sql = 'SELECT act FROM auth.audit WHERE account_id = $1 ORDER BY id';
  return (await world.db.query<{ act: string }>(sql, [accountId])).map(({ act }) => act);
}

async function subjectsTo(address: string): Promise<string[]> {
  const sql = 'SELECT subject FROM auth.outbox WHERE recipient = $1';
  return (await world.db.query<{ subject: string }>(sql, [address])).map(({ subject }) => subject);
}

/** A device with which another account signs in. */
async function foreignDevice(key: string) {
  const { issuedDeviceToken, authenticatedSession } = await send(key, newDevice);
  return { tokens: { deviceTokens: [issuedDeviceToken] }, accountId: authenticatedSession.accountId };
}

const additions: readonly (readonly [string, (key: string) => Promise<object>])[] = [
  ['a new device', async () => ({ ...newDevice, linkDecision: { action: 'link' } })],
  [
    'a token that nobody has',
    async () => ({
      tokens: { deviceTestTokens: [{ deviceId: 'unknown' }] },
      linkDecision: { action: 'link' },
    }),
  ],
  [
    'a token of another account',
    async (key) => {
      const { tokens, accountId } = await foreignDevice(key);
      return { tokens, linkDecision: { action: 'move', accountRef: accountId } };
    },
  ],
];

// Invariant (Sign-in): A way into an existing account is added only as the project links, by a sign-in
// within 15 minutes, with an audit entry and a mail
// Invariant (Sign-in): A changed password, or the end of all other sessions, leaves no other device token
// as a way in, and an unlinked identity no session
// Invariant (Sign-in): An unlinked device token is rejected and creates no account
describe.each(additions)('%s', (_, bodyFor) => {
  test('cannot be added by a session with an old sign-in', async () => {
    const { key, login, session } = await player();
    const body = await bodyFor(key);
    clock.advance(quarterMs);
    expect(await send(session.apiKey, body)).toMatchObject({ code: 2005 });
    expect(await identitiesOf(session)).toBe(0);
    const proven = await send(session.apiKey, { ...login, ...body });
    expect(proven.authenticatedSession.accountId).toBe(session.accountId);
    expect(await identitiesOf(session)).toBe(1);
  });

  test('is recorded in the audit trail, and reported by mail', async () => {
    const { key, login, session } = await player();
    const added = await send(session.apiKey, await bodyFor(key));
    expect(added.authenticatedSession.accountId).toBe(session.accountId);
    const acts = await actsOf(session.accountId);
    expect(acts.filter((act) => act === 'identityLinked' || act === 'identityMoved')).toHaveLength(1);
    const isMailed = async () =>
      (await subjectsTo(login.emailAddress)).includes('A way into your account was added');
    await waitUntil(isMailed, { what: 'the mail' });
  });

  test('is not added where the project never links', async () => {
    const { key, login, session } = await player({ linking: 'never' });
    const body = await bodyFor(key);
    for (const [by, more] of [
      [session.apiKey, {}],
      [key, login],
    ] as const) {
      const answer = await send(by, { ...more, ...body });
      expect(answer.issuedDeviceToken).toBeNull();
      expect(answer.promptForLinking || answer.notices.includes('tokenNotLinked')).toBe(true);
    }
    expect(await identitiesOf(session)).toBe(0);
  });
});

test('a new device requires a decision, like any token that the account lacks', async () => {
  const { key, login, session } = await player();
  for (const [by, more] of [
    [session.apiKey, {}],
    [key, login],
  ] as const) {
    const asked = await send(by, { ...more, ...newDevice });
    expect(asked).toMatchObject({ promptForLinking: true, linking: { options: ['link', 'skip'] } });
    const skipped = await send(by, { ...more, ...newDevice, linkDecision: { action: 'skip' } });
    expect(skipped).toMatchObject({ issuedDeviceToken: null, notices: ['tokenNotLinked'] });
  }
  const linked = await send(key, { ...login, ...newDevice, linkDecision: { action: 'link' } });
  expect(linked.issuedDeviceToken.deviceSecret).toMatch(/^[\w-]{43}$/);
});

test('after an old sign-in, tokens that the project links without a question are left out', async () => {
  const { session } = await player({ linking: 'auto' });
  clock.advance(quarterMs);
  const answer = await send(session.apiKey, { tokens: { deviceTestTokens: [{ deviceId: 'auto' }] } });
  expect(answer).toMatchObject({ notices: ['tokenNotLinked'] });
  expect(await identitiesOf(answer.authenticatedSession)).toBe(0);
});

async function linkDevice(key: string, login: object) {
  const { issuedDeviceToken, authenticatedSession } = await send(key, {
    ...login,
    ...newDevice,
    linkDecision: { action: 'link' },
  });
  return { tokens: { deviceTokens: [issuedDeviceToken] }, session: authenticatedSession };
}

describe('a device that another person has linked', () => {
  test('does not sign in after a change of the password, except for the device that changed it', async () => {
    const { key, login } = await player();
    const [own, theirs] = [await linkDevice(key, login), await linkDevice(key, { ...login, metered: true })];
    const { authenticatedSession } = await send(key, { tokens: own.tokens });
    const change = { password: 'another horse battery staple' };
    expect(await call(authenticatedSession.apiKey, 'PUT', 'account/password', change)).toBe(true);
    const accountOf = async ({ tokens }: { tokens: object }) =>
      (await send(key, { tokens, metered: true })).authenticatedSession?.accountId;
    expect(await accountOf(own)).toBe(authenticatedSession.accountId);
    expect(await accountOf(theirs)).toBeUndefined();
  });

  test('does not sign in after a reset of the password', async () => {
    const { key, login, session } = await player();
    const { tokens } = await linkDevice(key, login);
    const before = await world.mailedCode(login.emailAddress);
    clock.advance(1_000);
    await call(key, 'POST', 'password/reset', { emailAddress: login.emailAddress });
    const mailed = async () => {
      const code = await world.mailedCode(login.emailAddress);
      return code === before ? null : code;
    };
    const token = await waitUntil(mailed, { what: 'the mail' });
    expect(await call(key, 'PUT', 'password/reset', { token, password: 'another horse battery' })).toBe(true);
    const back = await send(key, { tokens, metered: true });
    expect(session).not.toBeNull();
    expect(back).toMatchObject(isRejected);
  });

  test('is rejected after it was unlinked, and creates no account', async () => {
    for (const sessions of [{}, { passwordSignIn: false }]) {
      const { key, projectId } = await world.project();
      const { issuedDeviceToken, authenticatedSession: session } = await send(key, newDevice);
      const other = { deviceTestTokens: [{ deviceId: `second ${projectId}` }] };
      await send(session.apiKey, { tokens: other, linkDecision: { action: 'link' } });
      const { identities } = await call(session.apiKey, 'GET', 'account/identities');
      const own = identities.find(({ provider }: { provider: string }) => provider === 'device');
      expect(await call(session.apiKey, 'DELETE', `account/identities/${own.id}`)).toBe(true);
      await world.registry.setPolicy({ projectId, name: 'sessions', value: sessions });
      const shown = { tokens: { deviceTokens: [issuedDeviceToken] } };
      const expected = 'passwordSignIn' in sessions ? { code: 4002 } : isRejected;
      const isAnswered = async () => {
        const answer = await send(key, { ...shown, metered: true });
        expect(answer.authenticatedSession ?? null).toBeNull();
        return answer.code === 4002 || !('passwordSignIn' in sessions) ? answer : null;
      };
      expect(await waitUntil(isAnswered, { what: 'the policy' })).toMatchObject(expected);
      expect(await accountsOf(projectId)).toBe(1);
    }
  });

  test('does not sign in after its player signed out everywhere else', async () => {
    const { key, login } = await player();
    const [own, theirs] = [await linkDevice(key, login), await linkDevice(key, { ...login, metered: true })];
    const { authenticatedSession } = await send(key, { tokens: own.tokens });
    const ended = await call(authenticatedSession.apiKey, 'DELETE', 'sessions');
    expect(ended).toMatchObject({ unlinkedDevices: 1 });
    expect(await send(key, { tokens: theirs.tokens, metered: true })).toMatchObject(isRejected);
    const back = await send(key, { tokens: own.tokens, metered: true });
    expect(back.authenticatedSession.accountId).toBe(authenticatedSession.accountId);
  });

  test('has no session after it was unlinked', async () => {
    const { key, login } = await player();
    const { tokens, session } = await linkDevice(key, login);
    const lost = (await send(key, { tokens })).authenticatedSession;
    const steppedUp = (await send(lost.apiKey, { metered: true })).authenticatedSession;
    const own = (await send(key, { ...login, metered: true })).authenticatedSession;
    const [{ id }] = (await call(own.apiKey, 'GET', 'account/identities')).identities;
    expect(await call(own.apiKey, 'DELETE', `account/identities/${id}`)).toBe(true);
    for (const { apiKey } of [lost, steppedUp, session])
      expect(await call(apiKey, 'GET', 'session')).toMatchObject({ code: 2004 });
    expect(await call(own.apiKey, 'GET', 'session')).toMatchObject({ id: own.id });
  });
});

test('a player with devices only keeps them all with a first password', async () => {
  const { key } = await world.project();
  const made = await send(key, newDevice);
  const body = { password: 'correct horse battery staple' };
  expect(await call(made.authenticatedSession.apiKey, 'PUT', 'account/password', body)).toBe(true);
  const back = await send(key, { tokens: { deviceTokens: [made.issuedDeviceToken] } });
  expect(back.authenticatedSession.accountId).toBe(made.authenticatedSession.accountId);
});
