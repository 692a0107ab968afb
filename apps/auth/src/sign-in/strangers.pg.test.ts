import { randomBytes } from 'node:crypto';
import { createManualClock, waitUntil } from '@tickrate/testkit';
import fc from 'fast-check';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';

const clock = createManualClock();
const password = 'correct horse battery staple';
const newDevice = { deviceTokens: [{ deviceId: 'new' }] };
const withCode = (twoFactorCode: string) => ({ twoFactor: { twoFactorCode } });
const { world, auth: one } = await startAuthWorld({ now: clock.now });
const other = await world.start();

async function send(key: string, body: object, at = one, headers = {}): Promise<AnswerBody> {
  return (await at.send({ key, body, headers })).body;
}

interface Login {
  readonly emailAddress: string;
  readonly password: string;
}

async function newMail(to: string, act: () => Promise<unknown>): Promise<string> {
  const before = await world.mailedCode(to);
  clock.advance(61_000);
  await act();
  const mailed = async () => {
    const code = await world.mailedCode(to);
    return code === before ? null : code;
  };
  return (await waitUntil(mailed, { what: `a mail to ${to}` })) ?? '';
}

async function register(key: string, emailAddress: string): Promise<Login> {
  const login = { emailAddress, password };
  const token = await newMail(emailAddress, () => send(key, { ...login, intent: 'register' }));
  const verify = { key, method: 'POST', path: 'account/email/verify', body: { token, password } };
  expect((await one.send(verify)).body).toBe(true);
  return login;
}

function codeOf({ twoFactorEnrolment }: AnswerBody): string {
  const secret = Secret.fromBase32(twoFactorEnrolment.secret);
  return new TOTP({ secret }).generate({ timestamp: clock.now() });
}

// Invariant (Sign-in): No second factor of an account with an address is offered for setup before the code
// mailed to it, in a sign-in or from a session
// Invariant (Sign-in): A second factor that is being set up belongs to the session or the exchange that
// began it
// Invariant (Sign-in): Callers who share an address, a key or an account's address share no account,
// session, secret or exchange unless they send the same secrets
describe("a thief with the password, at the owner's address, of an account that must set up a second factor", () => {
  const strict = { sessions: { requireSecondFactor: true } };
  const isAsked = { promptForEmailVerification: true, promptForTwoFactorCode: true };
  const isWithheld = { ...isAsked, twoFactorEnrolment: null, authenticatedSession: null };

  test("gets no secret before, during and after the owner's setup", async () => {
    const { key } = await world.project(strict);
    const login = await register(key, 'owner@example.com');
    const thief = await send(key, login);
    expect(thief).toMatchObject(isWithheld);
    const mailed = await newMail(login.emailAddress, () => send(key, login));
    const shown = await send(key, { ...login, ...withCode(mailed) });
    expect(shown).toMatchObject({ promptForTwoFactorEnrolment: true });
    for (const at of [one, other]) {
      for (const exchangeId of [thief.exchangeId, undefined, 'x-aaaaaaaaaaaaaaaaaaaa']) {
        expect(await send(key, { ...login, exchangeId }, at)).toMatchObject(isWithheld);
        expect(
          await send(key, { ...login, exchangeId, emailAddress: login.emailAddress.toUpperCase() }, at),
        ).toMatchObject(isWithheld);
      }
    }
    const named = { ...login, exchangeId: thief.exchangeId };
    expect(await send(key, { ...named, ...withCode(codeOf(shown)) })).toMatchObject({ code: 4004 });
    const done = await send(key, { ...login, ...withCode(codeOf(shown)) }, other);
    expect(done.authenticatedSession).toMatchObject({ amr: ['pwd', 'otp'] });
    const after = await send(key, { ...login, metered: true });
    expect(after).toMatchObject({ ...isWithheld, promptForEmailVerification: false });
    const late = await send(key, { ...login, metered: true, ...withCode(mailed) });
    expect(late).toMatchObject({ code: 4004 });
  });

  test('changes nothing for an owner who repeats the password and the code: the secret is the same for 60 s', async () => {
    const { key } = await world.project(strict);
    const login = await register(key, 'repeated@example.com');
    const mailed = await newMail(login.emailAddress, () => send(key, login));
    const proven = { ...login, ...withCode(mailed) };
    const shown = await send(key, proven);
    const again = [await send(key, proven), await send(key, proven, other)];
    for (const { twoFactorEnrolment } of again)
      expect(twoFactorEnrolment.secret).toBe(shown.twoFactorEnrolment.secret);
    expect(await send(key, login)).toMatchObject(isWithheld);
    clock.advance(61_000);
    const late = await send(key, proven);
    expect(late.twoFactorEnrolment.secret).not.toBe(shown.twoFactorEnrolment.secret);
    const done = await send(key, { ...login, ...withCode(codeOf(shown)) });
    expect(done.authenticatedSession).toMatchObject({ amr: ['pwd', 'otp'] });
  });

  test('gets 4004 for a wrong code of the mail, five times in one exchange', async () => {
    const { key } = await world.project(strict);
    const login = await register(key, 'mistyped@example.com');
    // No mail was sent yet: an early code is not wrong.
    expect(await send(key, { ...login, ...withCode('aaaa-bbbb-cccc-dddd') })).toMatchObject(isWithheld);
    const mailed = await newMail(login.emailAddress, () => send(key, login));
    const { exchangeId } = await send(key, login);
    const wrong = { ...login, ...withCode('aaaa-bbbb-cccc-dddd') };
    expect(await send(key, wrong)).toMatchObject({ code: 4004 });
    const named: AnswerBody[] = [];
    for (let n = 0; n < 6; n++) named.push(await send(key, { ...wrong, exchangeId }));
    expect(named.map(({ code, data }) => [code, data.amount])).toEqual([
      ...[4, 3, 2, 1, 0].map((left) => [4004, left]),
      [4009, undefined],
    ]);
    // The guesses of others do not lock out the owner.
    expect(await send(key, { ...login, ...withCode(mailed) })).toMatchObject({
      promptForTwoFactorEnrolment: true,
    });
  });

  test("can guess five codes of the owner's setup, and no more", async () => {
    const { key } = await world.project(strict);
    const login = await register(key, 'guessed@example.com');
    const mailed = await newMail(login.emailAddress, () => send(key, login));
    const shown = await send(key, { ...login, ...withCode(mailed) });
    const right = codeOf(shown);
    const guesses = ['100000', '200000', '300000', '400000', '500000', '600000'].filter(
      (code) => code !== right,
    );
    const codes: number[] = [];
    for (const guess of guesses.slice(0, 5))
      codes.push((await send(key, { ...login, ...withCode(guess) }, other)).code);
    expect(codes).toEqual([4004, 4004, 4004, 4004, 4004]);
    expect(await send(key, { ...login, ...withCode(right) })).toMatchObject({ code: 4009 });
    const again = await send(key, { ...login, ...withCode(mailed) });
    expect(again.twoFactorEnrolment.secret).not.toBe(shown.twoFactorEnrolment.secret);
    const { authenticatedSession } = await send(key, { ...login, ...withCode(codeOf(again)) });
    expect(authenticatedSession).toMatchObject({ amr: ['pwd', 'otp'] });
  });

  test('causes one mail a minute, whose code is valid for this account and half an hour', async () => {
    const { key } = await world.project(strict);
    const [mine, theirs] = [
      await register(key, 'mine@example.com'),
      await register(key, 'theirs@example.com'),
    ];
    await world.db.query('UPDATE auth.accounts SET email_verified = NULL WHERE email = $1', [
      mine.emailAddress,
    ]);
    const mailed = await newMail(mine.emailAddress, () => send(key, mine));
    expect(await send(key, mine)).toMatchObject(isWithheld);
    expect(await world.mailedCode(mine.emailAddress)).toBe(mailed);
    expect(await send(key, { ...theirs, ...withCode(mailed) })).toMatchObject(isWithheld);
    const verify = { key, method: 'POST', path: 'account/email/verify', body: { token: mailed, password } };
    expect((await one.send(verify)).body).toMatchObject({ code: 4002 });
    const typed = mailed.replaceAll('-', ' ').toUpperCase();
    expect(await send(key, { ...mine, ...withCode(typed) })).toMatchObject({
      promptForTwoFactorEnrolment: true,
    });
    clock.advance(31 * 60_000);
    expect(await send(key, { ...mine, ...withCode(mailed) })).toMatchObject(isWithheld);
  });
});

describe('a caller with the exchange of another, but without its key', () => {
  test('is refused, and learns nothing of its proofs', async () => {
    const { key, projectId } = await world.project();
    const sibling = await world.registry.createKey({
      projectId,
      kind: 'public',
      comment: '',
      createdBy: 'test',
    });
    const { key: foreign } = await world.project();
    const login = await register(key, 'held@example.com');
    const { exchangeId } = await send(key, { emailAddress: login.emailAddress });
    for (const their of [sibling.text, foreign]) {
      for (const body of [{ exchangeId }, { ...login, exchangeId }, { tokens: newDevice, exchangeId }])
        expect(await send(their, body)).toMatchObject({ code: 4012 });
    }
  });
});

type Sending =
  | 'nothing'
  | 'address'
  | 'newDevice'
  | 'testDevice'
  | 'ownDevice'
  | 'password'
  | 'wrongPassword'
  | 'foreignExchange';

interface Step {
  readonly who: 0 | 1;
  readonly what: Sending;
  readonly isNamed: boolean;
  readonly isKeyed: boolean;
  readonly isRepeated: boolean;
  readonly isElsewhere: boolean;
}

interface Player {
  readonly login: Login;
  readonly idempotencyKey: string;
  device: object | null;
  exchangeId: string | null;
}

/** Everything that only one caller may receive. */
function secretsOf({ authenticatedSession: session, issuedDeviceToken, exchangeId }: AnswerBody): string[] {
  const shown = session === null ? [] : [session.id, session.apiKey, session.secretKey];
  return [...shown, ...(issuedDeviceToken === null ? [] : [issuedDeviceToken.deviceSecret]), exchangeId];
}

test('two callers at one address share nothing, in any order of requests', async () => {
  const { key } = await world.project({ sessions: { linking: 'never' } });
  const step: fc.Arbitrary<Step> = fc.record({
    who: fc.constantFrom(0 as const, 1 as const),
    what: fc.constantFrom(
      ...([
        'nothing',
        'address',
        'newDevice',
        'testDevice',
        'ownDevice',
        'password',
        'wrongPassword',
      ] as const),
      'foreignExchange' as const,
    ),
    isNamed: fc.boolean(),
    isKeyed: fc.boolean(),
    isRepeated: fc.boolean(),
    isElsewhere: fc.boolean(),
  });
  const logins = [await register(key, 'ada@example.com'), await register(key, 'bob@example.com')];
  const run = fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 10 }), async (steps) => {
    clock.advance(61_000);
    const players = logins.map((login): Player => {
      const idempotencyKey = randomBytes(16).toString('hex');
      return { login, idempotencyKey, device: null, exchangeId: null };
    });
    const shown: Set<string>[] = [new Set(), new Set()];
    const accounts: Set<string>[] = [new Set(), new Set()];
    // Adjacent repeats are sent at the same time, to both processes.
    for (const each of steps) {
      const sends = each.isRepeated ? [0, 1] : [each.who];
      const answers = await Promise.all(
        sends.map((who) => play(key, players, { ...each, who: who === 0 ? 0 : 1 })),
      );
      for (const [at, who] of sends.entries()) {
        const answer = answers[at];
        if (answer?.exchangeId === undefined) continue;
        for (const secret of secretsOf(answer)) shown[who]?.add(secret);
        const session = answer.authenticatedSession;
        if (session !== null && each.what !== 'testDevice') accounts[who]?.add(session.accountId);
      }
    }
    for (const [mine, theirs] of [shown, accounts]) {
      expect([...(mine ?? [])].filter((secret) => theirs?.has(secret))).toEqual([]);
    }
  });
  await fc.assert(run, { numRuns: 25 });
}, 60_000);

async function play(key: string, players: readonly Player[], step: Step): Promise<AnswerBody> {
  const { who, what, isNamed, isKeyed, isElsewhere } = step;
  const [player, stranger] = [players[who], players[1 - who]];
  if (player === undefined || stranger === undefined) throw new Error('There are two players');
  const bodies: Readonly<Record<Sending, object>> = {
    nothing: {},
    // Of the other caller: both know what is not secret.
    address: { emailAddress: stranger.login.emailAddress },
    newDevice: { tokens: newDevice },
    testDevice: { tokens: { ...newDevice, deviceTestTokens: [{ deviceId: 'of both' }] } },
    ownDevice: { tokens: { deviceTokens: [player.device ?? { deviceId: 'new' }] } },
    password: player.login,
    wrongPassword: { ...stranger.login, password: 'a guess of the other', tokens: newDevice },
    foreignExchange: { tokens: newDevice, exchangeId: 'x-aaaaaaaaaaaaaaaaaaaa' },
  };
  const named = isNamed && player.exchangeId !== null ? { exchangeId: player.exchangeId } : {};
  const headers = isKeyed ? { 'Idempotency-Key': player.idempotencyKey } : {};
  const answer = await send(key, { ...named, ...bodies[what] }, isElsewhere ? other : one, headers);
  if (answer.exchangeId !== undefined) {
    player.exchangeId = answer.exchangeId;
    // The account of a test device belongs to every caller who sends its id.
    if (what !== 'testDevice') player.device = answer.issuedDeviceToken ?? player.device;
  }
  return answer;
}
