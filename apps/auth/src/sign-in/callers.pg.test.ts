import { randomBytes } from 'node:crypto';
import { createManualClock, freshPostgres, startSteamStandIn, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnswerBody, type AuthInstance, type AuthWorld, createAuthWorld } from '../auth-harness.ts';

const { url } = await freshPostgres();
const steam = await startSteamStandIn();
const clock = createManualClock();
const password = 'correct horse battery staple';
const device = (deviceId: string) => ({ deviceTestTokens: [{ deviceId }] });
const newDevice = { tokens: { deviceTokens: [{ deviceId: 'new' }] } };
const withCode = (twoFactorCode: string) => ({ twoFactor: { twoFactorCode } });
let world: AuthWorld;
let one: AuthInstance;
let other: AuthInstance;

beforeAll(async () => {
  world = await createAuthWorld(url, clock.now);
  one = await world.start({ development: true });
  other = await world.start({ development: true });
});
afterAll(async () => {
  await world.close();
  await steam.stop();
});

function project(sessions: object = {}) {
  const { publisherKey, address } = steam;
  const providers = { steam: { publisherKey, appIds: ['480'], profile: false, address } };
  return world.project({ providers, sessions });
}

let players = 0;
function ticket() {
  players += 1;
  const userTicket = steam.issueTicket({ appId: '480', steamId: `7656119796029${1000 + players}` });
  return { steamTokens: [{ userTicket }] };
}

async function send(key: string, body: object, at = one, headers = {}): Promise<AnswerBody> {
  return (await at.send({ key, body, headers })).body;
}

async function register(
  key: string,
  emailAddress: string,
): Promise<{ emailAddress: string; password: string }> {
  await send(key, { emailAddress, password, intent: 'register' });
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' });
  const verify = { key, method: 'POST', path: 'account/email/verify', body: { token, password } };
  expect((await one.send(verify)).body).toBe(true);
  return { emailAddress, password };
}

/** Sets up a second factor, and returns the codes of its authenticator. */
async function enrol(key: string, login: object): Promise<() => string> {
  const { authenticatedSession } = await send(key, login);
  const call = { key: authenticatedSession.apiKey, path: 'account/twofactor' };
  const totp = new TOTP({ secret: Secret.fromBase32((await one.send(call)).body.secret) });
  const code = () => totp.generate({ timestamp: clock.now() });
  expect((await one.send({ ...call, method: 'POST', body: { twoFactorCode: code() } })).status).toBe(200);
  clock.advance(90_000);
  return code;
}

const sessionOf = (answer: AnswerBody) => answer.authenticatedSession;

describe('two callers behind one address', () => {
  test.each([
    ['one after the other', false],
    ['at the same time', true],
  ])('who request a device %s get an account, a key and a secret each', async (_, atOnce) => {
    const { key } = await project();
    const sends = [one, one, other, other].map((at) => () => send(key, newDevice, at));
    const answers: AnswerBody[] = [];
    if (atOnce) answers.push(...(await Promise.all(sends.map((each) => each()))));
    else for (const each of sends) answers.push(await each());
    for (const read of [
      (answer: AnswerBody) => sessionOf(answer).accountId,
      (answer: AnswerBody) => sessionOf(answer).apiKey,
      (answer: AnswerBody) => answer.issuedDeviceToken.deviceSecret,
      (answer: AnswerBody) => answer.exchangeId,
    ])
      expect(new Set(answers.map(read)).size).toBe(4);
  });

  test.each([
    ['a ticket that is refused', { steamTokens: [{ userTicket: '00' }] }],
    ['a test device', device('same')],
  ])('who request a device with %s share nothing, because that is not a secret', async (_, tokens) => {
    const { key } = await project();
    const body = { tokens: { ...newDevice.tokens, ...tokens }, linkDecision: { action: 'link' } };
    const sends = [send(key, body), send(key, body), send(key, body, other)];
    const answers = [...(await Promise.all(sends)), await send(key, body)];
    expect(new Set(answers.map((answer) => sessionOf(answer).apiKey)).size).toBe(4);
    expect(new Set(answers.map(({ issuedDeviceToken }) => issuedDeviceToken.deviceSecret)).size).toBe(4);
  });

  test('who request a device with a password that is not permitted share nothing', async () => {
    const { key } = await project({ passwordSignIn: false });
    const body = { ...newDevice, emailAddress: 'kept@example.com', password: 'that was kept' };
    const answers = [await send(key, body), ...(await Promise.all([send(key, body), send(key, body)]))];
    expect(new Set(answers.map((answer) => sessionOf(answer).accountId)).size).toBe(3);
  });

  test('who name an unknown exchange share nothing', async () => {
    const { key } = await project();
    const body = { ...newDevice, exchangeId: 'x-aaaaaaaaaaaaaaaaaaaa' };
    const answers = [await send(key, body), await send(key, body, other)];
    expect(new Set(answers.map((answer) => sessionOf(answer).accountId)).size).toBe(2);
  });

  test('get different exchanges, whatever they send alike', async () => {
    const { key } = await project({ askMarketing: true });
    const login = await register(key, 'shared@example.com');
    const { emailAddress } = login;
    for (const body of [{}, { emailAddress }, login, { tokens: device('shared') }, { tokens: ticket() }]) {
      const sends = [send(key, body), send(key, body), send(key, body, other)];
      const ids = [...(await Promise.all(sends)), await send(key, body)].map(({ exchangeId }) => exchangeId);
      expect(new Set(ids).size).toBe(4);
    }
  });
});

describe('a second factor that one caller has passed', () => {
  test('does not count for a caller with the address or the password, or with a guessed exchange', async () => {
    const { key, projectId } = await project();
    const login = await register(key, 'victim@example.com');
    const code = await enrol(key, login);
    const value = { terms: { eula: '2' } };
    await world.registry.setPolicy({ projectId, name: 'sessions', value });
    const stranger = async (at: AuthInstance) =>
      (await send(key, { tokens: device('?') }, at)).promptForTerms;
    await waitUntil(async () => (await stranger(one)) && (await stranger(other)), { what: 'the policy' });
    expect(await send(key, { ...login, ...withCode(code()) })).toMatchObject({ promptForTerms: true });
    const twoFactorCode = code();
    const renewed = { registration: { acceptedTerms: [{ id: 'eula', version: '2' }] } };
    const attacks = [
      { emailAddress: login.emailAddress },
      { ...login },
      { ...login, ...renewed },
      { ...login, ...renewed, ...withCode('000000') },
    ];
    for (const at of [one, other]) {
      for (const attack of attacks.slice(0, 3)) {
        const told = await send(key, attack, at);
        expect(told.authenticatedSession).toBeNull();
        expect(told.promptForTerms).toBe(false);
        const named = await send(key, { ...login, ...renewed, exchangeId: told.exchangeId }, at);
        expect(named).toMatchObject({ promptForTwoFactorCode: true, authenticatedSession: null });
      }
    }
    expect(await send(key, attacks[3] ?? {})).toMatchObject({ code: 4004 });
    const owner = await send(key, { ...login, ...renewed, ...withCode(twoFactorCode) }, other);
    expect(sessionOf(owner)).toMatchObject({ amr: ['pwd', 'otp'] });
  });

  test('does not count in an exchange that started before it was passed', async () => {
    const { key } = await project({ askMarketing: true });
    const login = await register(key, 'before@example.com');
    const code = await enrol(key, { ...login, marketingPreferenceOptIn: false });
    const thief = await send(key, login);
    const owner = await send(key, login);
    expect(owner.exchangeId).not.toBe(thief.exchangeId);
    const linking = { tokens: ticket(), ...withCode(code()) };
    const { exchangeId } = owner;
    expect(await send(key, { ...login, ...linking, exchangeId })).toMatchObject({ promptForLinking: true });
    const stolen = await send(key, { ...login, exchangeId: thief.exchangeId }, other);
    expect(stolen).toMatchObject({ promptForTwoFactorCode: true, authenticatedSession: null });
    const skip = { linkDecision: { action: 'skip' } };
    const done = await send(key, { ...login, tokens: linking.tokens, ...skip, exchangeId }, other);
    expect(sessionOf(done)).toMatchObject({ amr: ['pwd', 'otp'] });
  });

  test('creates one session, even if the exchange and the repeated code continue at the same time', async () => {
    const { key } = await project();
    const login = await register(key, 'split@example.com');
    const code = await enrol(key, login);
    const twoFactor = withCode(code());
    const asked = { ...login, tokens: ticket() };
    const { exchangeId } = await send(key, { ...asked, ...twoFactor });
    const skip = { ...asked, linkDecision: { action: 'skip' } };
    const answers = await Promise.all([
      send(key, { ...skip, exchangeId }),
      send(key, { ...skip, ...twoFactor }, other),
      send(key, { ...skip, ...twoFactor, metered: true }),
      send(key, { ...skip, ...twoFactor, metered: true, promptForProject: false }, other),
    ]);
    const sessions = answers.flatMap((answer) => sessionOf(answer)?.id ?? []);
    expect(new Set(sessions).size).toBe(1);
  });

  test('expires 30 minutes after it was passed, and 10 minutes after its last use', async () => {
    const { key } = await project();
    const login = await register(key, 'over@example.com');
    const code = await enrol(key, login);
    for (const steps of [[11], [9, 9, 9, 4]]) {
      const body = { ...login, tokens: ticket(), ...withCode(code()) };
      const { exchangeId } = await send(key, body);
      for (const minutes of steps) {
        clock.advance(minutes * 60_000);
        if (minutes === 9)
          expect(await send(key, { ...body, exchangeId })).toMatchObject({ promptForLinking: true });
      }
      const { twoFactor: _, ...without } = body;
      const late = await send(key, { ...without, exchangeId, linkDecision: { action: 'skip' } });
      expect(late).toMatchObject({ promptForTwoFactorCode: true });
    }
  });
});

describe('the repeat of an answer', () => {
  const strong = () => ({ 'Idempotency-Key': randomBytes(16).toString('hex') });

  test('is returned for the same Idempotency-Key, also by another process at the same time', async () => {
    const { key } = await project();
    const headers = strong();
    const sends = [one, one, other, other].map((at) => send(key, newDevice, at, headers));
    const answers = [...(await Promise.all(sends)), await send(key, newDevice, other, headers)];
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const theirs = await send(key, newDevice, one, strong());
    expect(sessionOf(theirs).accountId).not.toBe(sessionOf(answers[0]).accountId);
    const more = await send(key, { ...newDevice, metered: true }, one, headers);
    expect(sessionOf(more).accountId).not.toBe(sessionOf(answers[0]).accountId);
    clock.advance(61_000);
    const late = await send(key, newDevice, one, headers);
    expect(sessionOf(late).accountId).not.toBe(sessionOf(answers[0]).accountId);
  });

  test('is not returned to another key with the same Idempotency-Key, of any project', async () => {
    const { key, projectId } = await project();
    const headers = strong();
    const mine = await send(key, newDevice, one, headers);
    const sibling = await world.registry.createKey({
      projectId,
      kind: 'public',
      comment: '',
      createdBy: 'test',
    });
    for (const their of [sibling.text, (await project()).key]) {
      const told = await send(their, newDevice, one, headers);
      expect(sessionOf(told).accountId).not.toBe(sessionOf(mine).accountId);
    }
  });

  test.each([
    '1',
    'my-first-device',
    '0'.repeat(64),
    '1234567890123456789012',
    'a b'.repeat(20),
    'ab'.repeat(20),
  ])('is refused for the guessable Idempotency-Key %s', async (weak) => {
    const { key } = await project();
    const refused = await send(key, newDevice, one, { 'Idempotency-Key': weak });
    expect(refused).toMatchObject({ code: 1003, data: { parameterName: 'Idempotency-Key' } });
  });

  test.each([
    ['a ticket', async () => ({ tokens: ticket() })],
    ['an address and its password', (key: string) => register(key, 'repeat@example.com')],
  ])('is only for callers with the same credentials: %s', async (_, make) => {
    const { key } = await project();
    const body = await make(key);
    const sends = [one, other, one, other].map((at) => send(key, body, at));
    const answers = [...(await Promise.all(sends)), await send(key, body, other)];
    expect(sessionOf(answers[0])).not.toBeNull();
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    clock.advance(61_000);
    expect(sessionOf(await send(key, body)).id).not.toBe(sessionOf(answers[0]).id);
  });

  test('is returned for the device secret, and for a session key, also by another process at the same time', async () => {
    const { key } = await project();
    const { issuedDeviceToken } = await send(key, newDevice);
    const body = { tokens: { deviceTokens: [issuedDeviceToken] } };
    const answers = await Promise.all([one, other, one, other].map((at) => send(key, body, at)));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const { apiKey } = sessionOf(answers[0]);
    const more = await Promise.all([one, other].map((at) => send(apiKey, {}, at)));
    expect(more[1]).toEqual(more[0]);
    const guess = { tokens: { deviceTokens: [{ ...issuedDeviceToken, deviceSecret: 'a guess' }] } };
    expect(sessionOf(await send(key, guess))).toBeNull();
  });

  test('is returned for the exchange, and not to a key that does not name it', async () => {
    const { key } = await project();
    const { exchangeId } = await send(key, {});
    const body = { ...newDevice, exchangeId };
    const answers = [await send(key, body), await send(key, body, other)];
    expect(answers[1]).toEqual(answers[0]);
    expect(await send((await project()).key, body)).toMatchObject({ code: 4012 });
    const { projectId } = sessionOf(answers[0]);
    const sibling = await world.registry.createKey({
      projectId,
      kind: 'public',
      comment: '',
      createdBy: 'test',
    });
    expect(await send(sibling.text, body)).toMatchObject({ code: 4012 });
    const unnamed = await send(key, newDevice);
    expect(sessionOf(unnamed).accountId).not.toBe(sessionOf(answers[0]).accountId);
    clock.advance(61_000);
    expect(sessionOf(await send(key, body)).accountId).not.toBe(sessionOf(answers[0]).accountId);
  });

  test('is not returned for a test device, whose id is not secret: same account, different session', async () => {
    const { key } = await project();
    const body = { tokens: device('open') };
    const answers = [await send(key, body), await send(key, body), await send(key, body, other)];
    expect(new Set(answers.map((answer) => sessionOf(answer).accountId)).size).toBe(1);
    expect(new Set(answers.map((answer) => sessionOf(answer).apiKey)).size).toBe(3);
  });

  test('contains the one session of a code that two processes receive at the same time', async () => {
    const { key } = await project();
    const login = await register(key, 'atonce@example.com');
    const code = await enrol(key, login);
    const body = { ...login, ...withCode(code()) };
    const answers = await Promise.all([one, other, one, other, other].map((at) => send(key, body, at)));
    expect(sessionOf(answers[0])).not.toBeNull();
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    const changed = await send(key, { ...body, metered: true }, other);
    expect(changed).toMatchObject({ code: 4005 });
  });

  test('ends with its session', async () => {
    const { key } = await project();
    const body = { tokens: ticket() };
    const first = sessionOf(await send(key, body));
    await one.send({ key: first.apiKey, method: 'DELETE', path: 'session' });
    const again = sessionOf(await send(key, body, other));
    expect(again).toMatchObject({ accountId: first.accountId });
    expect(again.id).not.toBe(first.id);
  });
});

describe('a client that sends no exchange id', () => {
  test('passes a second factor, linking and terms by sending everything again', async () => {
    const { key } = await project({ askMarketing: true });
    const login = await register(key, 'loops@example.com');
    const code = await enrol(key, { ...login, marketingPreferenceOptIn: false });
    clock.advance(61_000);
    const body = { emailAddress: login.emailAddress };
    expect(await send(key, body)).toMatchObject({ promptForPassword: true });
    expect(await send(key, login, other)).toMatchObject({ promptForTwoFactorCode: true });
    const all = { ...login, tokens: ticket(), ...withCode(code()) };
    expect(await send(key, all)).toMatchObject({ promptForLinking: true });
    clock.advance(5 * 60_000);
    expect(await send(key, all, other)).toMatchObject({ promptForLinking: true });
    const done = await send(key, { ...all, linkDecision: { action: 'link' } }, other);
    expect(sessionOf(done)).toMatchObject({ amr: ['steam', 'pwd', 'otp'] });
  });

  test('passes the choice of a project with a used code', async () => {
    const { key } = await project();
    const login = { ...(await register(key, 'none@example.com')) };
    const open = await world.start({ adminSignup: 'open' });
    const admin = { requestedRole: 'builtin:admin', promptForProject: true };
    const emailAddress = 'boss@example.com';
    await send(key, { emailAddress, password, ...admin, intent: 'register' }, open);
    const found = await waitUntil(() => world.mailedCode(emailAddress).catch(() => null), {
      what: 'a mail',
    }).catch(() => null);
    if (found !== null)
      await open.send({
        key,
        method: 'POST',
        path: 'account/email/verify',
        body: { token: found, password },
      });
    const own = { emailAddress, password, ...admin };
    const code = await enrol(key, own);
    const { authenticatedSession } = await send(key, { ...own, ...withCode(code()) }, open);
    const grant =
      "INSERT INTO auth.members (account_id, project_id, role, granted) VALUES ($1, $2, 'viewer', now())";
    const second = await project();
    await world.db.query(grant, [authenticatedSession.accountId, second.projectId]);
    clock.advance(90_000);
    const again = { ...own, ...withCode(code()) };
    expect(await send(key, again)).toMatchObject({ promptForProject: true });
    const withoutCode = await send(key, { ...own, projectId: second.projectId }, other);
    expect(withoutCode).toMatchObject({ promptForTwoFactorCode: true });
    const codeAlone = await send(key, { emailAddress, ...admin, ...withCode(again.twoFactor.twoFactorCode) });
    expect(codeAlone).toMatchObject({ promptForPassword: true });
    clock.advance(4 * 60_000);
    const chosen = await send(key, { ...again, projectId: second.projectId }, other);
    expect(sessionOf(chosen)).toMatchObject({ projectId: second.projectId });
    expect(login.password).toBe(password);
    await open.stop();
  });
});
