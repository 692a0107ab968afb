import { createManualClock, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';
import { beginSetup } from '../testing/player-world.ts';

const clock = createManualClock();
const password = 'correct horse battery staple';
const { world, auth } = await startAuthWorld({ now: clock.now });

async function send(key: string, body: object): Promise<AnswerBody> {
  return (await auth.send({ key, body })).body;
}

async function call(key: string, method: string, path: string, body?: object): Promise<AnswerBody> {
  const answer = await auth.send({ key, method, path, ...(body && { body }) });
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body;
}

let players = 0;

/** An account with a password, and a sign-in that is repeated while it works. */
async function signIn() {
  players += 1;
  const emailAddress = `player${players}@example.com`;
  const { key, projectId } = await world.project();
  const body = { emailAddress, password };
  await send(key, { ...body, intent: 'register' });
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' });
  await call(key, 'POST', 'account/email/verify', { token, password });
  const { authenticatedSession: session } = await send(key, body);
  expect((await send(key, body)).authenticatedSession).toEqual(session);
  return { key, projectId, body, session };
}

type SignedIn = Awaited<ReturnType<typeof signIn>>;

async function enrol({ session: { apiKey } }: SignedIn): Promise<void> {
  const { secret } = await beginSetup({ world, auth }, apiKey);
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const twoFactorCode = totp.generate({ timestamp: clock.now() });
  await call(apiKey, 'POST', 'account/twofactor', { twoFactorCode });
}

const require =
  (value: object) =>
  ({ projectId }: SignedIn) =>
    world.registry.setPolicy({ projectId, name: 'sessions', value });

const toAccount = (sql: string) => (signedIn: SignedIn) => world.db.query(sql, [signedIn.session.accountId]);

const changes: readonly (readonly [string, (signedIn: SignedIn) => Promise<unknown>, object])[] = [
  ['its account has a second factor', enrol, { promptForTwoFactorCode: true }],
  ['its project wants terms', require({ terms: { eula: '2' } }), { promptForTerms: true }],
  ['its project takes no passwords', require({ passwordSignIn: false }), { code: 4002 }],
  [
    'its project wants a second factor',
    require({ requireSecondFactor: true }),
    { promptForEmailVerification: true },
  ],
  [
    'its account has another address',
    toAccount("UPDATE auth.accounts SET email = 'a@b.c', email_folded = 'a@b.c' WHERE id = $1"),
    { code: 4001 },
  ],
  [
    'its account is banned',
    toAccount("UPDATE auth.accounts SET banned = now(), ban_reason = 'x' WHERE id = $1"),
    { code: 4006 },
  ],
  [
    'its password was set anew',
    toAccount("UPDATE auth.passwords SET changed = changed + interval '1 s' WHERE account_id = $1"),
    { promptForPassword: false },
  ],
];

// Invariant (Sign-in): A sign-in answer is repeated only while its account and the project's policies are
// as they were
describe('an answer is not repeated once', () => {
  test.each(changes)('%s', async (_, change, expected) => {
    const signedIn = await signIn();
    await change(signedIn);
    const other = async () => {
      const answer = await send(signedIn.key, signedIn.body);
      return answer.authenticatedSession?.id === signedIn.session.id ? null : answer;
    };
    const answer = await waitUntil(other, { what: 'another answer', timeoutMs: 10_000 });
    expect(answer).toMatchObject(expected);
  });

  test('its device does not belong to the account any more', async () => {
    const { key, session } = await signIn();
    const made = await send(key, { tokens: { deviceTokens: [{ deviceId: 'new' }] } });
    const tokens = { deviceTokens: [made.issuedDeviceToken] };
    const linked = await send(key, { tokens });
    const sql = 'UPDATE auth.identities SET account_id = $1 WHERE account_id = $2';
    await world.db.query(sql, [session.accountId, linked.authenticatedSession.accountId]);
    expect((await send(key, { tokens })).authenticatedSession.accountId).toBe(session.accountId);
  });
});

test('a repeated answer is recorded, with the address that requested it', async () => {
  const { session } = await signIn();
  const sql = 'SELECT act, session_id, details FROM auth.audit WHERE account_id = $1 ORDER BY id';
  const acts = await world.db.query<{ act: string; session_id: string }>(sql, [session.accountId]);
  expect(acts.filter(({ act }) => act === 'signInRepeated')).toEqual([
    { act: 'signInRepeated', session_id: session.id, details: {} },
  ]);
});

test('an answer is repeated after its trusted device was seen again, and after its own changes', async () => {
  const { key, body, session } = await signIn();
  const trusting = {
    ...body,
    twoFactor: { deviceIdentifier: '8f2c5a90d3b14e67a1c40be95d7f3628' },
    metered: true,
  };
  const first = await send(key, trusting);
  const again = await send(key, body);
  expect(again.authenticatedSession.id).toBe(session.id);
  expect((await send(key, trusting)).authenticatedSession).toEqual(first.authenticatedSession);
});
