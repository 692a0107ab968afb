import { createHash } from 'node:crypto';
import { createManualClock, freshPostgres, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnswerBody, type AuthInstance, type AuthWorld, createAuthWorld } from '../auth-harness.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
let world: AuthWorld;
let auth: AuthInstance;

beforeAll(async () => {
  world = await createAuthWorld(url, clock.now);
  auth = await world.start({ adminSignup: 'open' });
});
afterAll(() => world.close());

const password = 'correct horse battery staple';
const device = (deviceId: string) => ({ deviceTestTokens: [{ deviceId }] });

async function authenticate(key: string, body: object): Promise<AnswerBody> {
  return (await auth.send({ key, body })).body;
}

/** The code of the next mail. */
function mailed(to: string, before: string | null = null): Promise<string> {
  return waitUntil(
    async () => {
      const code = await world.mailedCode(to);
      return code === before ? null : code;
    },
    { what: `a mail to ${to}` },
  ) as Promise<string>;
}

async function register(key: string, emailAddress: string, more: object = {}): Promise<void> {
  const before = await world.mailedCode(emailAddress);
  const begun = await authenticate(key, { emailAddress, password, intent: 'register', ...more });
  expect(begun).toMatchObject({ authenticatedSession: null, promptForEmailVerification: true });
  const token = await mailed(emailAddress, before);
  const done = await auth.send({
    key,
    method: 'POST',
    path: 'account/email/verify',
    body: { token, password },
  });
  expect(done.body).toBe(true);
}

async function enrol(sessionKey: string): Promise<{ code: () => string; recoveryCodes: string[] }> {
  const begun = await auth.send({ key: sessionKey, path: 'account/twofactor' });
  expect(begun.body).toMatchObject({ otpauthUri: expect.stringContaining('otpauth://totp/') });
  const secret = Secret.fromBase32(new URL(begun.body.otpauthUri).searchParams.get('secret') ?? '');
  const code = () => new TOTP({ secret }).generate({ timestamp: clock.now() });
  const confirmed = await auth.send({
    key: sessionKey,
    method: 'POST',
    path: 'account/twofactor',
    body: { twoFactorCode: code() },
  });
  expect(confirmed.body.recoveryCodes).toHaveLength(10);
  // A new time step, and more than the minute in which an earlier sign-in is answered again.
  clock.advance(90_000);
  return { code, recoveryCodes: confirmed.body.recoveryCodes };
}

test('a start in production without a mail server says that no mail will be sent', async () => {
  const warnings = () => world.log().match(/no mail is sent/g)?.length;
  expect(warnings()).toBe(1);
  await world.start({ development: true });
  expect(warnings()).toBe(1);
  await world.start({ outbox: true });
  expect(warnings()).toBe(1);
  await world.start({ smtpUrl: 'smtps://mail.example.com' });
  expect(warnings()).toBe(1);
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
    const told = await waitUntil(async () => ((await subjects()).length > 1 ? await subjects() : null), {
      what: 'two mails',
    });
    expect(told?.map(({ subject }) => subject)).toEqual([
      'Registrierung bestätigen',
      'Passwort zurücksetzen',
    ]);
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

describe('a second factor', () => {
  test('is requested after the password, accepts each code once, and is not required on a trusted device', async () => {
    const { key } = await world.project();
    await register(key, 'two@example.com');
    const login = { emailAddress: 'two@example.com', password };
    const { authenticatedSession } = await authenticate(key, login);
    const { code, recoveryCodes } = await enrol(authenticatedSession.apiKey);

    const asked = await authenticate(key, login);
    expect(asked).toMatchObject({ promptForTwoFactorCode: true, authenticatedSession: null });
    const wrong = await auth.send({ key, body: { ...login, twoFactor: { twoFactorCode: '000000' } } });
    expect(wrong.body).toMatchObject({ code: 4004, data: { amount: 4 } });
    const wrongPassword = await auth.send({
      key,
      body: { ...login, password: 'no no no no', twoFactor: { twoFactorCode: code() } },
    });
    expect(wrongPassword.body.code).toBe(4001);

    const spaced = `${code().slice(0, 3)} ${code().slice(3)}`;
    const twoFactor = {
      twoFactorCode: spaced,
      deviceIdentifier: 'a-device-of-mine-0123456789',
      trustThisDevice: true,
    };
    const passed = await authenticate(key, { ...login, twoFactor });
    expect(passed.authenticatedSession.amr).toEqual(['pwd', 'otp']);
    const replayed = await auth.send({
      key,
      body: { ...login, metered: true, twoFactor: { twoFactorCode: code() } },
    });
    expect(replayed.body.code).toBe(4005);
    const trusted = await authenticate(key, {
      ...login,
      twoFactor: { deviceIdentifier: 'a-device-of-mine-0123456789' },
    });
    expect(trusted.authenticatedSession).not.toBeNull();
    const recovered = await authenticate(key, { ...login, twoFactor: { twoFactorCode: recoveryCodes[0] } });
    expect(recovered.authenticatedSession).not.toBeNull();
    const again = await auth.send({
      key,
      body: { ...login, metered: true, twoFactor: { twoFactorCode: recoveryCodes[0] } },
    });
    expect(again.body.code).toBe(4005);
    const still = {
      ...login,
      twoFactor: { deviceIdentifier: 'a-device-of-mine-0123456789', trustThisDevice: true },
    };
    clock.advance(29 * 24 * 3_600_000);
    expect((await authenticate(key, still)).authenticatedSession).not.toBeNull();
    clock.advance(24 * 3_600_000);
    expect(await authenticate(key, still)).toMatchObject({ promptForTwoFactorCode: true });
  });

  test('of 200 parallel sends of one right code makes one session', async () => {
    const { key } = await world.project();
    await register(key, 'many@example.com');
    const login = { emailAddress: 'many@example.com', password };
    const { code } = await enrol((await authenticate(key, login)).authenticatedSession.apiKey);
    const body = { ...login, twoFactor: { twoFactorCode: code() } };
    const answers = await Promise.all(Array.from({ length: 200 }, () => auth.send({ key, body })));
    const sessions = new Set(answers.flatMap((answer) => answer.body.authenticatedSession?.id ?? []));
    expect(sessions.size).toBe(1);
  });

  test('shows during its setup how many attempts are left', async () => {
    const { key } = await world.project();
    const { authenticatedSession } = await authenticate(key, { tokens: device('typist') });
    await auth.send({ key: authenticatedSession.apiKey, path: 'account/twofactor' });
    const call = { key: authenticatedSession.apiKey, method: 'POST', path: 'account/twofactor' };
    const left: number[] = [];
    for (let n = 0; n < 10; n++) {
      const { body } = await auth.send({ ...call, body: { twoFactorCode: 'wrong' } });
      left.push(body.data.amount);
    }
    expect(left).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]);
    const { body } = await auth.send({ ...call, body: { twoFactorCode: 'wrong' } });
    expect(body).toMatchObject({ code: 4009, data: { retryAfterSeconds: 900 } });
  });

  test('allows ten wrong codes in 15 minutes, across sign-in methods and exchanges', async () => {
    const { key } = await world.project();
    await register(key, 'guess@example.com');
    const login = { emailAddress: 'guess@example.com', password };
    const linkDecision = { action: 'link' };
    const linked = await authenticate(key, { ...login, tokens: device('guess'), linkDecision });
    const { code } = await enrol(linked.authenticatedSession.apiKey);
    const guess = (waysIn: object, guessed: string) =>
      auth.send({ key, body: { ...waysIn, twoFactor: { twoFactorCode: guessed } } });
    for (let round = 0; round < 4; round++) {
      const codes: number[] = [];
      // Most by the token, because hashing a password takes time.
      const waysIn = [login, ...Array.from({ length: 7 }, () => ({ tokens: device('guess') }))];
      for (let n = 0; n < 5; n++) {
        const sent = waysIn.map((wayIn, at) => guess(wayIn, `wrong ${n} ${at}`));
        codes.push(...(await Promise.all(sent)).map(({ body }) => body.code));
      }
      expect(codes.filter((each) => each === 4004)).toHaveLength(10);
      expect(codes.filter((each) => each === 4009)).toHaveLength(30);
      const right = await guess(login, code());
      expect(right.body).toMatchObject({ code: 4009, data: { retryAfterSeconds: expect.any(Number) } });
      clock.advance(15 * 60_000 + 1_000);
    }
    expect((await guess(login, code())).body.authenticatedSession).not.toBeNull();
  });
});

test('calls that hash a password or send a mail count against the rate of sign-ins', async () => {
  const { key } = await world.project();
  const { authenticatedSession } = await authenticate(key, { tokens: device('eager') });
  const narrow = await world.start({ ratePerSecond: 2 });
  const codes: (number | undefined)[] = [];
  for (const path of ['account/email', 'account/password', 'account/email', 'account/password']) {
    codes.push((await narrow.send({ key: authenticatedSession.apiKey, path, body: {} })).body.code);
  }
  expect(codes).toEqual([1003, 1003, 6002, 6002]);
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

describe('linking', () => {
  test('asks before it links a token to a proven account, and follows the decision', async () => {
    const { key } = await world.project();
    await register(key, 'link@example.com');
    const body = { emailAddress: 'link@example.com', password, tokens: device('mine') };
    const asked = await authenticate(key, body);
    expect(asked).toMatchObject({
      promptForLinking: true,
      linking: { reason: 'unlinkedToken', options: ['link', 'skip'] },
    });
    const linked = await authenticate(key, { ...body, linkDecision: { action: 'link' } });
    const byToken = await authenticate(key, { tokens: device('mine') });
    expect(byToken.authenticatedSession.accountId).toBe(linked.authenticatedSession.accountId);
  });

  test('uses the only other account if the client names none', async () => {
    const { key } = await world.project();
    await register(key, 'sole@example.com');
    const other = await authenticate(key, { tokens: device('sole') });
    const { accountId } = other.authenticatedSession;
    const body = { emailAddress: 'sole@example.com', password, tokens: device('sole') };
    const switched = await authenticate(key, { ...body, linkDecision: { action: 'switch' } });
    expect(switched.authenticatedSession.accountId).toBe(accountId);
    const moved = await authenticate(key, { ...body, linkDecision: { action: 'move' } });
    expect(moved.authenticatedSession.accountId).not.toBe(accountId);
    clock.advance(61_000);
    const byToken = await authenticate(key, { tokens: device('sole') });
    expect(byToken.authenticatedSession.accountId).toBe(moved.authenticatedSession.accountId);
  });

  test('leaves the address of an archived account to it, and reports this only to a caller who proves the address', async () => {
    const { key } = await world.project();
    const emailAddress = 'aside@example.com';
    const verify = async (session: string, path: string, body: object) => {
      const before = await world.mailedCode(emailAddress);
      await auth.send({ key: session, path, body: { emailAddress, ...body } });
      const token = await mailed(emailAddress, before);
      clock.advance(61_000);
      const given = { key: session, method: 'POST', path: 'account/email/verify' };
      return (await auth.send({ ...given, body: { token, password } })).body;
    };
    const aside = (await authenticate(key, { tokens: device('aside') })).authenticatedSession;
    expect(await verify(aside.apiKey, 'account/email', {})).toBe(true);
    const kept = (await authenticate(key, { tokens: device('kept') })).authenticatedSession;
    const moving = { tokens: device('aside'), linkDecision: { action: 'move' } };
    expect((await authenticate(kept.apiKey, moving)).authenticatedSession.accountId).toBe(kept.accountId);
    expect(await verify(kept.apiKey, 'account/email', {})).toMatchObject({ code: 3011 });
    const registering = { password, intent: 'register' };
    expect(await verify(key, 'authenticate', registering)).toMatchObject({ code: 3011 });
  });

  test('never guesses between accounts, and moves a token only with a proof of both', async () => {
    const { key } = await world.project();
    await register(key, 'move@example.com');
    const other = await authenticate(key, { tokens: device('theirs') });
    const { code } = await enrol(other.authenticatedSession.apiKey);
    const body = { emailAddress: 'move@example.com', password, tokens: device('theirs') };
    const asked = await authenticate(key, body);
    expect(asked.linking).toMatchObject({
      reason: 'tokenOnOtherAccount',
      options: ['skip', 'switch', 'move'],
    });
    const accountRef = asked.linking.accounts[0].accountRef;
    expect(accountRef).toBe(other.authenticatedSession.accountId);
    const move = { ...body, linkDecision: { action: 'move', accountRef } };
    expect(await authenticate(key, move)).toMatchObject({
      promptForTwoFactorCode: true,
      authenticatedSession: null,
    });
    const moved = await authenticate(key, { ...move, twoFactor: { twoFactorCode: code() } });
    expect(moved.authenticatedSession.accountId).not.toBe(accountRef);
    const byToken = await authenticate(key, { tokens: device('theirs') });
    expect(byToken.authenticatedSession.accountId).toBe(moved.authenticatedSession.accountId);
    const session = byToken.authenticatedSession.apiKey;
    const { body: list } = await auth.send({ key: session, method: 'GET', path: 'account/identities' });
    const undone = await auth.send({
      key: session,
      method: 'DELETE',
      path: `account/identities/${list.identities[0].id}`,
    });
    expect(undone.body).toBe(true);
    const back = await auth.send({
      key,
      body: { tokens: device('theirs'), twoFactor: { twoFactorCode: code() } },
    });
    expect([back.body.code ?? 'prompt']).not.toContain(4002);
  });

  test('keeps a sign-in method: of two concurrent unlinkings one is refused', async () => {
    const { key } = await world.project({ sessions: { linking: 'auto' } });
    const first = await authenticate(key, { tokens: device('one') });
    const tokens = { deviceTestTokens: [{ deviceId: 'one' }, { deviceId: 'two' }] };
    const both = await authenticate(key, { tokens });
    expect(both.authenticatedSession.accountId).toBe(first.authenticatedSession.accountId);
    const session = both.authenticatedSession.apiKey;
    const { body } = await auth.send({ key: session, method: 'GET', path: 'account/identities' });
    expect(body.identities).toHaveLength(2);
    const ends = await Promise.all(
      body.identities.map(({ id }: { id: string }) =>
        auth.send({ key: session, method: 'DELETE', path: `account/identities/${id}` }),
      ),
    );
    expect(ends.map((answer) => answer.body.code ?? 'done').toSorted()).toEqual([3012, 'done']);
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
