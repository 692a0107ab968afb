import { createManualClock } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';

const clock = createManualClock();
const { auth, key } = await startAuthWorld({ now: clock.now });

const tokens = (...ids: string[]) => ({ deviceTestTokens: ids.map((deviceId) => ({ deviceId })) });

async function authenticate(body: object): Promise<AnswerBody> {
  return (await auth.send({ key, body })).body;
}

async function enrol(device: string): Promise<string[]> {
  const { authenticatedSession } = await authenticate({ tokens: tokens(device) });
  const call = { key: authenticatedSession.apiKey, path: 'account/twofactor' };
  const begun = await auth.send(call);
  const secret = Secret.fromBase32(new URL(begun.body.otpauthUri).searchParams.get('secret') ?? '');
  const twoFactorCode = new TOTP({ secret }).generate({ timestamp: clock.now() });
  const { body } = await auth.send({ ...call, method: 'POST', body: { twoFactorCode } });
  clock.advance(61_000);
  return body.recoveryCodes;
}

test('an accepted code is recognised in the same sign-in, in any spelling', async () => {
  const [code = ''] = await enrol('retyped');
  const asked = { tokens: tokens('retyped', 'to link') };
  const once = await authenticate({ ...asked, twoFactor: { twoFactorCode: code } });
  expect(once).toMatchObject({ promptForLinking: true });
  const retyped = code.replaceAll('-', ' ').toUpperCase();
  const skip = { ...asked, linkDecision: { action: 'skip' } };
  const other = await authenticate({ ...skip, twoFactor: { twoFactorCode: '123456' } });
  expect(other).toMatchObject({ code: 4004 });
  const done = await authenticate({ ...skip, twoFactor: { twoFactorCode: retyped } });
  expect(done).toMatchObject({ authenticatedSession: { amr: ['deviceTest', 'recovery'] } });
});
