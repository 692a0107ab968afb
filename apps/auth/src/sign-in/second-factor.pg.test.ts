import { createManualClock } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';
import { createPlayers, device, password } from '../testing/player-world.ts';

const clock = createManualClock();
const { world, auth } = await startAuthWorld({ now: clock.now, values: { adminSignup: 'open' } });
const { send: authenticate, register, enrol } = createPlayers({ world, auth, clock });

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
    for (let n = 0; n < 5; n++) {
      const { body } = await auth.send({ ...call, body: { twoFactorCode: 'wrong' } });
      left.push(body.data.amount);
    }
    expect(left).toEqual([4, 3, 2, 1, 0]);
    const { body } = await auth.send({ ...call, body: { twoFactorCode: 'wrong' } });
    expect(body).toMatchObject({ code: 4009, data: { retryAfterSeconds: 600 } });
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
