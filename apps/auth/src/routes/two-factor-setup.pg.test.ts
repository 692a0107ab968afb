import { createManualClock } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';
import { createPlayers, device, sessionOf } from '../testing/player-world.ts';

const clock = createManualClock();
const { world, auth, key } = await startAuthWorld({ now: clock.now });
const { mailed, register, send, sendLater } = createPlayers({ world, auth, clock });

const asked = {
  promptForEmailVerification: true,
  promptForTwoFactorCode: true,
  secret: null,
  otpauthUri: null,
  qrSvg: null,
};
const shown = {
  promptForEmailVerification: false,
  promptForTwoFactorCode: false,
  secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
  otpauthUri: expect.stringContaining('otpauth://totp/'),
  qrSvg: expect.stringContaining('<svg'),
};

/** The calls of a session for its second factor. */
function callsOf({ apiKey }: { readonly apiKey: string }) {
  const call = async (method: string, twoFactorCode?: string): Promise<AnswerBody> => {
    const body = twoFactorCode === undefined ? {} : { body: { twoFactorCode } };
    return (await auth.send({ key: apiKey, method, path: 'account/twofactor', ...body })).body;
  };
  return {
    begin: (code?: string) => call('PUT', code),
    confirm: (code: string) => call('POST', code),
    remove: () => call('DELETE'),
  };
}

const codeOf = ({ secret }: AnswerBody): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() });

async function signUp(emailAddress: string) {
  const login = await register(key, emailAddress);
  const session = sessionOf(await send(key, login));
  const before = await world.mailedCode(emailAddress);
  // The mails of a test are in the order of its clock.
  clock.advance(1_000);
  return { ...callsOf(session), login, session, before };
}

/** The number of mails with a code for the setup of a second factor. */
async function setupMails(recipient: string): Promise<number> {
  const subject = 'Confirm that you are setting up a second factor';
  const sql = 'SELECT FROM auth.outbox WHERE recipient = $1 AND subject = $2';
  return (await world.db.query(sql, [recipient, subject])).length;
}

// Invariant (Sign-in): No second factor of an account with an address is offered for setup before the code
// mailed to it, in a sign-in or from a session
// Invariant (Sign-in): A second factor that is being set up belongs to the session or the exchange that
// began it
test('a session shows no second factor to set up before the code of a mail', async () => {
  const { begin, confirm, remove, before, login, session } = await signUp('owner@example.com');
  expect(await begin()).toEqual(asked);
  const code = await mailed(login.emailAddress, before);
  for (const wrong of ['123456', 'aaaa-bbbb-cccc-dddd', before ?? '']) {
    expect(await begin(wrong)).toMatchObject({ code: 4004, data: {} });
  }
  expect(await confirm('123456')).toMatchObject({ code: 3001 });
  const setup = await begin(code.toUpperCase().replaceAll('-', ' '));
  expect(setup).toEqual(shown);
  expect((await confirm(codeOf(setup))).recoveryCodes).toHaveLength(10);
  expect(await begin(code)).toMatchObject({ code: 3003 });
  expect(await remove()).toBe(true);
  // The code of the mail ended with the setup.
  expect(await begin(code)).toEqual(asked);
  expect((await auth.send({ key: session.apiKey, method: 'GET', path: 'account' })).body.hasTwoFactor).toBe(
    false,
  );
});

test('a thief of a password neither sees nor replaces nor confirms the setup of the owner', async () => {
  const owner = await signUp('robbed@example.com');
  const thief = callsOf(sessionOf(await sendLater(key, owner.login)));
  await owner.begin();
  const setup = await owner.begin(await mailed(owner.login.emailAddress, owner.before));
  expect(await thief.begin()).toEqual(asked);
  expect(await thief.begin('123456')).toMatchObject({ code: 4004 });
  for (let n = 0; n < 12; n++) expect(await thief.confirm('123456')).toMatchObject({ code: 3001 });
  expect(await thief.confirm(codeOf(setup))).toMatchObject({ code: 3001 });
  expect((await owner.confirm(codeOf(setup))).recoveryCodes).toHaveLength(10);
  expect(await thief.begin()).toMatchObject({ code: 2004 });
});

test('a code mailed to one account sets up nothing on another', async () => {
  const one = await signUp('one@example.com');
  const other = await signUp('other@example.com');
  await one.begin();
  await other.begin();
  await mailed(other.login.emailAddress, other.before);
  const code = await mailed(one.login.emailAddress, one.before);
  expect(await other.begin(code)).toMatchObject({ code: 4004 });
  expect(await one.begin(code)).toEqual(shown);
});

test('a mailed code is valid for 30 minutes, and an expired one gets a new mail', async () => {
  const { begin, before, login } = await signUp('busy@example.com');
  await begin();
  const first = await mailed(login.emailAddress, before);
  clock.advance(29 * 60_000);
  const fresh = callsOf(sessionOf(await send(key, login)));
  expect(await fresh.begin(first)).toEqual(shown);
  expect(await fresh.begin()).toEqual(asked);
  const second = await mailed(login.emailAddress, first);
  expect(await fresh.begin(first)).toEqual(shown);
  expect(await fresh.begin(second)).toEqual(shown);
  clock.advance(31 * 60_000);
  const late = callsOf(sessionOf(await send(key, login)));
  expect(await late.begin(second)).toEqual(asked);
  expect(await late.begin(await mailed(login.emailAddress, second))).toEqual(shown);
});

test('a setup ends 30 minutes after it began', async () => {
  const { begin, confirm, before, login } = await signUp('slow@example.com');
  await begin();
  const setup = await begin(await mailed(login.emailAddress, before));
  clock.advance(31 * 60_000);
  expect(await confirm(codeOf(setup))).toMatchObject({ code: 3001 });
});

test('mails nothing for an old sign-in, or beside a second factor', async () => {
  const { begin, confirm, before, login } = await signUp('still@example.com');
  clock.advance(16 * 60_000);
  expect(await begin()).toMatchObject({ code: 2005 });
  const fresh = callsOf(sessionOf(await sendLater(key, login)));
  await fresh.begin();
  const setup = await fresh.begin(await mailed(login.emailAddress, before));
  expect(await confirm(codeOf(setup))).toMatchObject({ code: 3001 });
  await fresh.confirm(codeOf(setup));
  clock.advance(61_000);
  expect(await fresh.begin()).toMatchObject({ code: 3003 });
  expect(await setupMails(login.emailAddress)).toBe(1);
});

test('an account without an address sets one up without a mail', async () => {
  const session = sessionOf(await send(key, { tokens: device('no address') }));
  const { begin, confirm } = callsOf(session);
  const setup = await begin();
  expect(setup).toEqual(shown);
  const wrong = await Promise.all(Array.from({ length: 6 }, () => confirm('wrong')));
  expect(wrong.map(({ code }) => code).sort()).toEqual([4004, 4004, 4004, 4004, 4004, 4009]);
  const other = await begin();
  expect(other.secret).not.toBe(setup.secret);
  expect((await confirm(codeOf(other))).recoveryCodes).toHaveLength(10);
});
