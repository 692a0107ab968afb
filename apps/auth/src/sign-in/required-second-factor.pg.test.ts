import { createManualClock, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';
import { beginSetup, createPlayers, device, password, withCode } from '../testing/player-world.ts';

const clock = createManualClock();
const { world, auth } = await startAuthWorld({ now: clock.now, values: { adminSignup: 'open' } });
const { audited, mailedCodeFor, register, sendLater, showSetup } = createPlayers({ world, auth, clock });

describe('a project that requires a second factor', () => {
  const codeOf = ({ secret }: { secret: string }, atMs = clock.now()) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: atMs });
  const begin = async (emailAddress: string, sessions: object = {}) => {
    const made = await world.project({ sessions: { requireSecondFactor: true, ...sessions } });
    await register(made.key, emailAddress);
    return { ...made, login: { emailAddress, password } };
  };

  test('shows its setup to a caller who reads the mail: the same one throughout, completed by its first code', async () => {
    const { projectId, key, login } = await begin('setup@example.com');
    const mailed = await mailedCodeFor(key, login);
    const asked = await sendLater(key, { ...login, ...withCode(mailed) });
    expect(asked).toMatchObject({ promptForTwoFactorEnrolment: true, authenticatedSession: null });
    const { exchangeId, twoFactorEnrolment: setUp } = asked;
    expect(setUp).toMatchObject({ otpauthUri: expect.stringContaining('setup%40example.com') });
    const again = { ...login, exchangeId };
    expect((await sendLater(key, again)).twoFactorEnrolment).toEqual(setUp);
    const wrong = await sendLater(key, { ...again, ...withCode('not one') });
    expect([wrong.code, wrong.data.amount]).toEqual([4004, 4]);
    expect((await sendLater(key, again)).twoFactorEnrolment).toEqual(setUp);

    clock.advance(61_000);
    const body = { ...login, ...withCode(codeOf(setUp)) };
    const { body: shown } = await auth.send({ key, body });
    expect(shown).toMatchObject({ promptForTwoFactorEnrolment: false, twoFactorEnrolment: null });
    expect(shown.authenticatedSession.amr).toEqual(['pwd', 'otp']);
    expect(shown.recoveryCodes).toHaveLength(10);
    expect((await auth.send({ key, body })).body).toEqual(shown);
    expect((await auth.send({ key, body: { ...body, metered: true } })).body.data.reason).toBe(
      'twoFactorCodeUsed',
    );

    expect(await sendLater(key, login)).toMatchObject({ promptForTwoFactorCode: true });
    const [recoveryCode] = shown.recoveryCodes;
    const recovered = await sendLater(key, { ...login, ...withCode(recoveryCode) });
    expect(recovered.authenticatedSession.amr).toEqual(['pwd', 'recovery']);
    expect(recovered.recoveryCodes).toBeNull();
    expect((await audited(projectId)).filter(({ act }) => act === 'secondFactorEnrolled')).toHaveLength(1);
  });

  test('ends sessions and trusted devices without it, and mails the owner', async () => {
    const { projectId, key, login } = await begin('thief@example.com', { requireSecondFactor: false });
    const trusted = { deviceIdentifier: 'device-of-a-thief-0123456789', trustThisDevice: true };
    const early = await sendLater(key, { ...login, twoFactor: trusted });
    const value = { requireSecondFactor: true };
    await world.registry.setPolicy({ projectId, name: 'sessions', value });
    const asks = async () => (await sendLater(key, login)).promptForEmailVerification === true;
    await waitUntil(asks);
    // An earlier session that was opened with the password opens no other.
    const byKey = await sendLater(early.authenticatedSession.apiKey, {});
    expect(byKey).toMatchObject({ promptForEmailVerification: true, authenticatedSession: null });
    const { twoFactorEnrolment } = await showSetup(key, login);
    const { authenticatedSession } = await sendLater(key, {
      ...login,
      ...withCode(codeOf(twoFactorEnrolment, clock.now() + 61_000)),
    });
    expect(authenticatedSession).not.toBeNull();
    const old = await auth.send({ key: early.authenticatedSession.apiKey, method: 'GET', path: 'session' });
    expect(old.body.code).toBe(2004);
    expect(await sendLater(key, { ...login, twoFactor: trusted })).toMatchObject({
      promptForTwoFactorCode: true,
    });
    const subject = 'A second factor was set up';
    const mails = () =>
      world.db.query('SELECT FROM auth.outbox WHERE recipient = $1 AND subject = $2', [
        login.emailAddress,
        subject,
      ]);
    await waitUntil(async () => (await mails()).length === 1, { what: 'the news by mail' });
  });

  test('starts the setup again after the exchange has ended, whatever code is sent', async () => {
    const { key, login } = await begin('late@example.com');
    const first = await showSetup(key, login);
    clock.advance(31 * 60_000);
    const { exchangeId } = first;
    const stale = { ...login, exchangeId, ...withCode(codeOf(first.twoFactorEnrolment)) };
    expect(await sendLater(key, stale)).toMatchObject({ promptForEmailVerification: true });
    const again = await showSetup(key, login);
    expect(again.twoFactorEnrolment.secret).not.toBe(first.twoFactorEnrolment.secret);
    const code = codeOf(again.twoFactorEnrolment, clock.now() + 61_000);
    const { authenticatedSession } = await sendLater(key, {
      ...login,
      ...withCode(code),
      exchangeId: again.exchangeId,
    });
    expect(authenticatedSession).not.toBeNull();
  });

  test('does not require it from players of a platform', async () => {
    const { key } = await world.project({ sessions: { requireSecondFactor: true } });
    expect((await sendLater(key, { tokens: device('platform') })).authenticatedSession).not.toBeNull();
  });

  test('creates one if several callers confirm the same setup at the same time', async () => {
    const { projectId, key, login } = await begin('parallel@example.com');
    const other = await world.start();
    const asked = await showSetup(key, login);
    clock.advance(61_000);
    const twoFactor = { twoFactorCode: codeOf(asked.twoFactorEnrolment) };
    const bodies = Array.from({ length: 8 }, (_, n) => ({
      ...login,
      twoFactor: { ...twoFactor, deviceIdentifierFriendlyName: `device ${n}` },
    }));
    const at = (n: number) => (n % 2 === 0 ? auth : other);
    const answers = await Promise.all(bodies.map((body, n) => at(n).send({ key, body })));
    const sessions = answers.filter(({ body }) => body.authenticatedSession);
    expect(sessions).toHaveLength(1);
    expect(sessions[0]?.body.recoveryCodes).toHaveLength(10);
    expect((await audited(projectId)).filter(({ act }) => act === 'secondFactorEnrolled')).toHaveLength(1);
    await other.stop();
  });
});

test('an installation that requires a second factor requires it from its first administrator too', async () => {
  const strict = await world.start({ adminSecondFactor: 'required' });
  const { key } = await world.project();
  const body = {
    emailAddress: 'first@example.com',
    password,
    requestedRole: 'builtin:admin',
    promptForProject: true,
  };
  const { body: asked } = await strict.send({ key, body });
  expect(asked).toMatchObject({ promptForTwoFactorEnrolment: true, authenticatedSession: null });
  const totp = new TOTP({ secret: Secret.fromBase32(asked.twoFactorEnrolment.secret) });
  const twoFactor = { twoFactorCode: totp.generate({ timestamp: clock.now() }) };
  const { body: shown } = await strict.send({ key, body: { ...body, twoFactor } });
  expect(shown.authenticatedSession).toMatchObject({ amr: ['pwd', 'otp'], newAccount: true });
  expect(shown.createdProject).not.toBeNull();
  expect(shown.recoveryCodes).toHaveLength(10);
  await strict.stop();
});

test('a setup or removal of a second factor is reported by mail', async () => {
  const { key } = await world.project();
  const login = { emailAddress: 'shown@example.com', password };
  await register(key, login.emailAddress);
  const session = (await sendLater(key, login)).authenticatedSession.apiKey;
  const call = { key: session, path: 'account/twofactor' };
  const { secret } = await beginSetup({ world, auth }, session);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const twoFactorCode = totp.generate({ timestamp: clock.now() });
  await auth.send({ ...call, method: 'POST', body: { twoFactorCode } });
  expect((await auth.send({ ...call, method: 'DELETE' })).body).toBe(true);
  const subjects = async () => {
    const mails = await world.db.query<{ subject: string }>(
      'SELECT subject FROM auth.outbox WHERE recipient = $1',
      [login.emailAddress],
    );
    return mails.map(({ subject }) => subject);
  };
  const isMailed = async () => (await subjects()).length === 4;
  await waitUntil(isMailed, { what: 'the news by mail' });
  expect(await subjects()).toEqual(
    expect.arrayContaining(['A second factor was set up', 'Your second factor was taken away']),
  );
});
