import { createHash } from 'node:crypto';
import { createManualClock, waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';
import { createPlayers, device, password } from '../testing/player-world.ts';

const clock = createManualClock();
const { world, auth } = await startAuthWorld({ now: clock.now, values: { adminSignup: 'open' } });
const { send: authenticate, mailed, register } = createPlayers({ world, auth, clock });

// Invariant (Management): A session ends other sessions of its own account only
test('a start in production without a mail server says that no mail will be sent', async () => {
  const warnings = () => world.log().match(/SMTP_URL is not set/g)?.length ?? 0;
  const before = warnings();
  await world.start();
  expect(warnings()).toBe(before + 1);
  for (const values of [{ development: true }, { outbox: true }, { smtpUrl: 'smtps://mail.example.com' }])
    await world.start(values);
  expect(warnings()).toBe(before + 1);
});

describe('an account by address', () => {
  test('is registered by mail, and one request with both forms of its password signs in', async () => {
    const { key } = await world.project();
    await register(key, 'ada@example.com');
    const plain = await authenticate(key, { emailAddress: ' ADA@example.com ', password });
    expect(plain.authenticatedSession.amr).toEqual(['pwd']);
    const passwordHash = createHash('sha256').update(`HiveMPv1${password}`).digest('hex');
    const hashed = await authenticate(key, { emailAddress: 'ada@example.com', passwordHash });
    expect(hashed.authenticatedSession.accountId).toBe(plain.authenticatedSession.accountId);
    const weak = await auth.send({
      key,
      body: { emailAddress: 'w@example.com', password: 'password1', intent: 'register' },
    });
    expect(weak.body).toMatchObject({ code: 4010, data: { parameterInvalidReason: 'common' } });
    const unequal = await auth.send({
      key,
      body: { emailAddress: 'ada@example.com', password, passwordHash: '0'.repeat(64) },
    });
    expect(unequal.body.code).toBe(1003);
  });

  test('gets mails only from valid templates; an invalid template stops the start', async () => {
    const starting = world.start({ mailTemplates: '/nowhere/at/all' });
    await expect(starting).rejects.toThrow('MAIL_TEMPLATES /nowhere/at/all is not a folder');
  });

  test('gets mails in its language, and without texts that it chose itself', async () => {
    const { key } = await world.project();
    const registration = {
      locale: 'de-AT',
      displayName: 'Kim\r\nBcc: evil@evil.example https://evil.example',
    };
    await register(key, 'kim@example.com', { registration });
    clock.advance(61_000);
    await auth.send({
      key,
      method: 'POST',
      path: 'password/reset',
      body: { emailAddress: 'kim@example.com' },
    });
    const subjects = () =>
      world.db.query<{ subject: string }>(
        "SELECT subject FROM auth.outbox WHERE recipient = 'kim@example.com' ORDER BY id",
      );
    const shown = await waitUntil(async () => ((await subjects()).length > 1 ? await subjects() : null), {
      what: 'two mails',
    });
    expect(shown?.map(({ subject }) => subject)).toEqual([
      'Registrierung bestätigen',
      'Passwort zurücksetzen',
    ]);
  });

  test('takes no name that changes the order of the text around it', async () => {
    const { key } = await world.project();
    const displayName = 'Kim\u202Elmx';
    const session = await authenticate(key, { tokens: device('reorders') });
    const edited = await auth.send({
      key: session.authenticatedSession.apiKey,
      method: 'PATCH',
      path: 'account',
      body: { displayName },
    });
    const registered = await auth.send({
      key,
      body: { tokens: device('reorders too'), registration: { displayName } },
    });
    const twoFactor = { deviceIdentifier: 'mine', deviceIdentifierFriendlyName: displayName };
    const remembered = await auth.send({ key, body: { tokens: device('reorders too'), twoFactor } });
    for (const { body } of [edited, registered, remembered]) {
      expect(body).toMatchObject({ code: 1003 });
      expect(body.fields).toContain('changes the order of the text around it');
    }
  });

  test('cannot be discovered: not by registering, by a wrong password or by a reset', async () => {
    const { key } = await world.project();
    await register(key, 'known@example.com');
    const answers = async (emailAddress: string) => {
      const all = [
        await auth.send({ key, body: { emailAddress } }),
        await auth.send({ key, body: { emailAddress, password: 'wrong wrong wrong' } }),
        await auth.send({ key, body: { emailAddress, password: 'wrong wrong wrong', intent: 'register' } }),
        await auth.send({ key, method: 'POST', path: 'password/reset', body: { emailAddress } }),
      ];
      return all.map(({ status, headers, body }) => {
        const { exchangeId: _, exchangeExpires: __, ...rest } = body === true ? {} : body;
        return JSON.stringify([
          status,
          Object.keys(headers).toSorted(),
          { ...rest, data: { ...rest.data, requestId: '' } },
        ]);
      });
    };
    expect(await answers('unknown@example.com')).toEqual(await answers('known@example.com'));
  });

  test('gets a new password by mail, which ends every earlier session and device', async () => {
    const { key } = await world.project();
    await register(key, 'reset@example.com');
    const { authenticatedSession } = await authenticate(key, { emailAddress: 'reset@example.com', password });
    clock.advance(61_000);
    const before = await world.mailedCode('reset@example.com');
    await auth.send({
      key,
      method: 'POST',
      path: 'password/reset',
      body: { emailAddress: 'reset@example.com' },
    });
    const token = await mailed('reset@example.com', before);
    const weak = await auth.send({ key, path: 'password/reset', body: { token, password: 'password123' } });
    expect(weak.body).toMatchObject({ code: 4010, data: { parameterInvalidReason: 'common' } });
    const next = 'another horse battery staple';
    expect((await auth.send({ key, path: 'password/reset', body: { token, password: next } })).body).toBe(
      true,
    );
    expect(
      (await auth.send({ key, path: 'password/reset', body: { token, password: next } })).body.code,
    ).toBe(4002);
    const dead = await auth.send({ key: authenticatedSession.apiKey, method: 'GET', path: 'session' });
    expect(dead.body).toMatchObject({ code: 2004, data: { invalidSessionId: authenticatedSession.id } });
    const signedIn = await authenticate(key, { emailAddress: 'reset@example.com', password: next });
    expect(signedIn.authenticatedSession).not.toBeNull();
  });
});

test('of a player and of an administrator: a reset changes only the requested one', async () => {
  const { key } = await world.project();
  const emailAddress = 'both@example.com';
  const asAdministrator = { requestedRole: 'builtin:admin', promptForProject: true };
  await register(key, emailAddress, asAdministrator);
  clock.advance(61_000);
  await register(key, emailAddress);
  const reset = async (next: string, more: object) => {
    clock.advance(61_000);
    const before = await world.mailedCode(emailAddress);
    const asked = { key, method: 'POST', path: 'password/reset', body: { emailAddress, ...more } };
    expect((await auth.send(asked)).body).toBe(true);
    const token = await mailed(emailAddress, before);
    const set = await auth.send({ key, path: 'password/reset', body: { token, password: next } });
    expect(set.body).toBe(true);
  };
  await reset('a new one for the installation', { requestedRole: 'builtin:admin' });
  await reset('a new one for the game', {});
  const signIn = async (next: string, more: object) =>
    (await authenticate(key, { emailAddress, password: next, ...more })).authenticatedSession?.role;
  expect(await signIn('a new one for the installation', asAdministrator)).toBe('builtin:admin');
  expect(await signIn('a new one for the game', {})).toBe('builtin:user');
});

test('calls that hash a password or send a mail count against the rate of sign-ins', async () => {
  const { key } = await world.project();
  const { authenticatedSession } = await authenticate(key, { tokens: device('eager') });
  const narrow = await world.start({ ratePerSecond: 2 });
  const codes: (number | undefined)[] = [];
  for (const path of ['account/twofactor', 'account/password', 'account/email', 'account/twofactor']) {
    codes.push((await narrow.send({ key: authenticatedSession.apiKey, path, body: {} })).body.code);
  }
  expect(codes).toEqual([undefined, 1003, 6002, 6002]);
});

describe('a session whose key is sent again', () => {
  test('opens another one that is proven no later and lives no longer, unless credentials are sent too', async () => {
    const { key } = await world.project();
    await register(key, 'stepup@example.com');
    const login = { emailAddress: 'stepup@example.com', password };
    const { authenticatedSession: first } = await authenticate(key, login);
    clock.advance(16 * 60_000);
    const stolen = { tokens: device('a thief’s'), linkDecision: { action: 'link' } };
    for (const body of [{}, stolen]) {
      const { authenticatedSession: next } = await authenticate(first.apiKey, body);
      expect(next).toMatchObject({ accountId: first.accountId, absoluteExpiry: first.absoluteExpiry });
      const removal = await auth.send({ key: next.apiKey, method: 'DELETE', path: 'account' });
      expect(removal.body.code).toBe(2005);
    }
    const { authenticatedSession: proven } = await authenticate(first.apiKey, login);
    expect(proven.absoluteExpiry).toBeGreaterThan(first.absoluteExpiry);
    expect((await auth.send({ key: proven.apiKey, path: 'account/twofactor' })).status).toBe(200);
  });
});

describe('an administrator', () => {
  test('without a project gets one, once, even with concurrent requests', async () => {
    const { key } = await world.project();
    await register(key, 'boss@example.com', { requestedRole: 'builtin:admin' });
    const login = { emailAddress: 'boss@example.com', password, requestedRole: 'builtin:admin' };
    expect((await auth.send({ key, body: login })).body.code).toBe(4014);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        authenticate(key, { ...login, promptForProject: true, registration: { displayName: `b${n}` } }),
      ),
    );
    const placed = answers.filter((answer) => answer.authenticatedSession);
    expect(new Set(placed.map((answer) => answer.authenticatedSession.projectId)).size).toBe(1);
    expect(placed).toHaveLength(20);
    expect(placed.filter((answer) => answer.createdProject)).toHaveLength(1);
    const { authenticatedSession } = placed[0];
    expect(await world.registry.keys(authenticatedSession.projectId)).toHaveLength(1);

    const theirs = await world.project();
    const foreign = await auth.send({ key, body: { ...login, projectId: theirs.projectId } });
    const nowhere = await auth.send({ key, body: { ...login, projectId: 'p-nowherenower' } });
    expect(foreign.body).toEqual({
      ...nowhere.body,
      data: { ...nowhere.body.data, requestId: foreign.body.data.requestId },
    });
    expect(foreign.body.code).toBe(2005);
    const switched = await auth.send({
      key: authenticatedSession.apiKey,
      path: 'authenticate/switch',
      body: { projectId: theirs.projectId },
    });
    expect(switched.body.code).toBe(2005);
  });
});

describe('the endpoints of a session', () => {
  test('renew it within its limit, list and end the other sessions, and end it', async () => {
    const { key } = await world.project();
    const first = (await authenticate(key, { tokens: device('s') })).authenticatedSession;
    const second = (await authenticate(key, { tokens: device('s'), metered: true })).authenticatedSession;
    clock.advance(600_000);
    const renewed = await auth.send({ key: first.apiKey, method: 'POST', path: 'session' });
    expect(renewed.body.expiry).toBe(first.expiry + 600);
    const listed = await auth.send({ key: first.apiKey, method: 'GET', path: 'sessions' });
    expect(listed.body.sessions).toHaveLength(2);
    expect((await auth.send({ key: first.apiKey, method: 'DELETE', path: 'sessions' })).body).toEqual({
      ended: 1,
      unlinkedDevices: 0,
    });
    expect((await auth.send({ key: second.apiKey, method: 'GET', path: 'session' })).body.code).toBe(2004);
    expect((await auth.send({ key: first.apiKey, method: 'DELETE', path: 'session' })).body).toBe(true);
    expect((await auth.send({ key: first.apiKey, method: 'GET', path: 'account' })).body.code).toBe(2004);
  });

  test('end one session of the account, and none of another account', async () => {
    const { key } = await world.project();
    const first = (await authenticate(key, { tokens: device('e') })).authenticatedSession;
    const second = (await authenticate(key, { tokens: device('e') })).authenticatedSession;
    const other = (await authenticate(key, { tokens: device('other') })).authenticatedSession;
    const end = (id: string) =>
      auth.send({ key: first.apiKey, method: 'DELETE', path: `sessions/${encodeURIComponent(id)}` });
    expect((await end(other.id)).body.code).toBe(3001);
    expect((await end("' OR ''='")).body.code).toBe(3001);
    const headers = { Connection: 'close', 'X-API-Key': first.apiKey };
    const ofNoId = await fetch(`${auth.url}/2018-03-24/sessions/`, { method: 'DELETE', headers });
    expect(ofNoId.status).toBe(404);
    expect((await end(second.id)).body).toBe(true);
    expect((await end(second.id)).body.code).toBe(3001);
    expect((await auth.send({ key: second.apiKey, method: 'GET', path: 'session' })).body.code).toBe(2004);
    expect((await auth.send({ key: other.apiKey, method: 'GET', path: 'session' })).status).toBe(200);
    expect((await auth.send({ key: first.apiKey, method: 'GET', path: 'session' })).status).toBe(200);
  });

  test('reach no exchange of another project', async () => {
    const [mine, theirs] = [await world.project(), await world.project()];
    const { exchangeId } = await authenticate(mine.key, {});
    expect((await auth.send({ key: theirs.key, body: { exchangeId } })).body.code).toBe(4012);
  });
});
