import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import type { AnswerBody } from '../testing/auth-world.ts';
import {
  device,
  newDevice,
  password,
  sessionOf,
  startSteamWorld,
  withCode,
} from '../testing/player-world.ts';

const { clock, enrolWith, one, other, project, register, send, ticket, world } = await startSteamWorld();

// Invariant (Sign-in): Callers who share an address, a key or an account's address share no account,
// session, secret or exchange unless they send the same secrets
// Invariant (Sign-in): Identical sign-ins create one session, and a code creates one, on any number of
// processes
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
  ])('that request a device with %s share nothing, because that is not a secret', async (_, tokens) => {
    const { key } = await project();
    const body = { tokens: { ...newDevice.tokens, ...tokens }, linkDecision: { action: 'link' } };
    const sends = [send(key, body), send(key, body), send(key, body, other)];
    const answers = [...(await Promise.all(sends)), await send(key, body)];
    expect(new Set(answers.map((answer) => sessionOf(answer).apiKey)).size).toBe(4);
    expect(new Set(answers.map(({ issuedDeviceToken }) => issuedDeviceToken.deviceSecret)).size).toBe(4);
  });

  test('that request a device with a password that is not permitted share nothing', async () => {
    const { key } = await project({ passwordSignIn: false });
    const body = { ...newDevice, emailAddress: 'kept@example.com', password: 'that was kept' };
    const answers = [await send(key, body), ...(await Promise.all([send(key, body), send(key, body)]))];
    expect(new Set(answers.map((answer) => sessionOf(answer).accountId)).size).toBe(3);
  });

  test('that name an unknown exchange share nothing', async () => {
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
    const code = await enrolWith(key, login);
    const value = { terms: { eula: '2' } };
    await world.registry.setPolicy({ projectId, name: 'sessions', value });
    const stranger = async (at: typeof one) => (await send(key, { tokens: device('?') }, at)).promptForTerms;
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
        const shown = await send(key, attack, at);
        expect(shown.authenticatedSession).toBeNull();
        expect(shown.promptForTerms).toBe(false);
        const named = await send(key, { ...login, ...renewed, exchangeId: shown.exchangeId }, at);
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
    const code = await enrolWith(key, { ...login, marketingPreferenceOptIn: false });
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
    const code = await enrolWith(key, login);
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
    const code = await enrolWith(key, login);
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

describe('a client that sends no exchange id', () => {
  test('passes a second factor, linking and terms by sending everything again', async () => {
    const { key } = await project({ askMarketing: true });
    const login = await register(key, 'loops@example.com');
    const code = await enrolWith(key, { ...login, marketingPreferenceOptIn: false });
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
    const code = await enrolWith(key, own);
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
