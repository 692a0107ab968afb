import { createManualClock, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';
import { beginSetup } from '../testing/player-world.ts';

const clock = createManualClock();
const password = 'correct horse battery staple';
const { world, auth } = await startAuthWorld({ now: clock.now });

let players = 0;

/** An account whose second factor this device has passed, and a sign-in with the device and without a code. */
async function trusting(deviceIdentifier: string) {
  players += 1;
  const { key } = await world.project();
  const login = { emailAddress: `trusting${players}@example.com`, password };
  const send = async (by: string, path: string, body?: object, method = 'PUT'): Promise<AnswerBody> =>
    (await auth.send({ key: by, method, path, ...(body && { body }) })).body;
  await send(key, 'authenticate', { ...login, intent: 'register' });
  const token = await waitUntil(() => world.mailedCode(login.emailAddress), { what: 'a mail' });
  expect(await send(key, 'account/email/verify', { token, password }, 'POST')).toBe(true);
  const { apiKey } = (await send(key, 'authenticate', login)).authenticatedSession;
  const totp = new TOTP({ secret: Secret.fromBase32((await beginSetup({ world, auth }, apiKey)).secret) });
  const code = () => ({ twoFactorCode: totp.generate({ timestamp: clock.now() }) });
  expect(await send(apiKey, 'account/twofactor', code(), 'POST')).toHaveProperty('recoveryCodes');
  clock.advance(90_000);
  const twoFactor = { ...code(), deviceIdentifier, trustThisDevice: true };
  const first = await send(key, 'authenticate', { ...login, twoFactor });
  const again = () => send(key, 'authenticate', { ...login, metered: true, twoFactor: { deviceIdentifier } });
  return { first, again, accountId: first.authenticatedSession.accountId };
}

// Invariant (Sign-in): No device is trusted by an identifier that can be guessed
test.each(['417', 'my phone', '1'.repeat(32), 'device-1'])(
  'a device called %s is not trusted',
  async (name) => {
    const { first, again } = await trusting(name);
    expect(first.notices).toEqual(['deviceNotTrusted']);
    expect(await again()).toMatchObject({ promptForTwoFactorCode: true, authenticatedSession: null });
  },
);

test('a trusted device must send a code while the second factor is locked', async () => {
  const { first, again, accountId } = await trusting('5f0c9a1e-7b3d-4e62-9c58-2d1f0a6b8e47');
  expect(first.notices).toEqual([]);
  const sql = 'UPDATE auth.totps SET locked_until = $2 WHERE account_id = $1';
  await world.db.query(sql, [accountId, new Date(clock.now() + 60_000)]);
  expect(await again()).toMatchObject({ promptForTwoFactorCode: true });
  clock.advance(61_000);
  expect((await again()).authenticatedSession).toMatchObject({ accountId });
});
