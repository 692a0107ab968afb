import type { Queryable } from '@tickrate/accounts';
import { waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../testing/auth-world.ts';
import { beginSetup } from '../testing/player-world.ts';

const { world, auth, key } = await startAuthWorld();

const password = 'correct horse battery staple';

async function send(method: string, path: string, body: object, by = key): Promise<AnswerBody> {
  return (await auth.send({ key: by, method, path, body })).body;
}

async function register(emailAddress: string): Promise<AnswerBody> {
  const body = { emailAddress, password };
  await send('PUT', 'authenticate', { ...body, intent: 'register' });
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'the mail' });
  expect(await send('POST', 'account/email/verify', { token, password })).toBe(true);
  return (await send('PUT', 'authenticate', body)).authenticatedSession;
}

async function waiting(count: number): Promise<void> {
  const sql =
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  const areThere = async () => (await world.db.query(sql, [])).length >= count || null;
  await waitUntil(areThere, { what: `${count} who wait for the account` });
}

interface Overtaking {
  readonly accountId: string;
  readonly call: () => Promise<AnswerBody>;
  readonly by: (tx: Queryable) => Promise<unknown>;
}

/** The answer to a call that waits for the account when the account changes. */
async function overtakeCall({ accountId, call, by }: Overtaking): Promise<AnswerBody> {
  const answer = await world.db.transaction(async (tx) => {
    await tx.query('SELECT FROM auth.accounts WHERE id = $1 FOR UPDATE', [accountId]);
    const pending = call();
    await waiting(1);
    await by(tx);
    return { pending };
  });
  return answer.pending;
}

/** The same for a sign-in that has reached its session. */
function overtake({
  emailAddress,
  ...overtaking
}: Omit<Overtaking, 'call'> & { readonly emailAddress: string }): Promise<AnswerBody> {
  const call = () => send('PUT', 'authenticate', { emailAddress, password, metered: true });
  return overtakeCall({ ...overtaking, call });
}

// Invariant (Sign-in): No sign-in in progress survives an act that ends all sessions of its account
describe('a sign-in with an accepted password', () => {
  test('is refused if the password changes before its session exists', async () => {
    const emailAddress = 'overtaken@example.com';
    const { accountId } = await register(emailAddress);
    const sql = "UPDATE auth.passwords SET changed = changed + interval '1 second' WHERE account_id = $1";
    const by = (tx: Queryable) => tx.query(sql, [accountId]);
    expect(await overtake({ accountId, emailAddress, by })).toMatchObject({ code: 4001 });
  });

  test('must send a code if a second factor is added before its session exists', async () => {
    const emailAddress = 'enrolling@example.com';
    const { accountId } = await register(emailAddress);
    const sql = 'INSERT INTO auth.totps (account_id, secret, confirmed) VALUES ($1, $2, now())';
    const by = (tx: Queryable) => tx.query(sql, [accountId, Buffer.alloc(8)]);
    const answer = await overtake({ accountId, emailAddress, by });
    expect(answer).toMatchObject({ promptForTwoFactorCode: true, authenticatedSession: null });
  });

  test('ends with all others if its session exists before the password changes', async () => {
    const emailAddress = 'counted@example.com';
    const { accountId, apiKey } = await register(emailAddress);
    let change: Promise<AnswerBody> | undefined;
    const by = async () => {
      change = send('PUT', 'account/password', { password: 'another horse battery staple' }, apiKey);
      await Promise.race([change, waiting(2)]);
    };
    const { authenticatedSession } = await overtake({ accountId, emailAddress, by });
    expect(await change).toBe(true);
    const its = await send('GET', 'session', {}, authenticatedSession.apiKey);
    expect(its).toMatchObject({ code: 2004 });
  });
});

test('a change of the password by a session that ends meanwhile changes nothing', async () => {
  const emailAddress = 'two@example.com';
  const body = { emailAddress, password };
  const sessions = [await register(emailAddress)];
  sessions.push((await send('PUT', 'authenticate', { ...body, metered: true })).authenticatedSession);
  const passwords = ['the battery of the first', 'the battery of the second'];
  const changes = await Promise.all(
    sessions.map(({ apiKey }, at) => send('PUT', 'account/password', { password: passwords[at] }, apiKey)),
  );
  const first = changes.indexOf(true);
  expect(changes[1 - first]).toMatchObject({ code: 2004 });
  const answer = await send('PUT', 'authenticate', { emailAddress, password: passwords[first] });
  expect(answer).toMatchObject({ authenticatedSession: { amr: ['pwd'] } });
  expect(await send('GET', 'account', {}, sessions[first].apiKey)).toMatchObject({ emailAddress });
});

describe('a call that waits while its account is erased', () => {
  const erase = (accountId: string) => (tx: Queryable) =>
    tx.query('SELECT auth.erase_account(id, realm) FROM auth.accounts WHERE id = $1', [accountId]);

  test('is refused like a wrong password if it sent a password', async () => {
    const emailAddress = 'erased@example.com';
    const { accountId } = await register(emailAddress);
    const answer = await overtake({ accountId, emailAddress, by: erase(accountId) });
    expect(answer).toMatchObject({ code: 4001 });
  });

  test('is refused like an ended session if it links a token', async () => {
    const { accountId, apiKey } = await register('linking@example.com');
    const tokens = { deviceTestTokens: [{ deviceId: 'linked too late' }] };
    const body = { tokens, linkDecision: { action: 'link' } };
    const call = () => send('PUT', 'authenticate', body, apiKey);
    expect(await overtakeCall({ accountId, call, by: erase(accountId) })).toMatchObject({ code: 2004 });
  });

  test('is refused like an ended session if it confirms a second factor', async () => {
    const tokens = { deviceTestTokens: [{ deviceId: 'confirmed too late' }] };
    const { accountId, apiKey } = (await send('PUT', 'authenticate', { tokens })).authenticatedSession;
    const { secret } = await send('PUT', 'account/twofactor', {}, apiKey);
    const twoFactorCode = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    const call = () => send('POST', 'account/twofactor', { twoFactorCode }, apiKey);
    expect(await overtakeCall({ accountId, call, by: erase(accountId) })).toMatchObject({ code: 2004 });
  });

  test('does not stop the erasure if it sends the code of a second factor', async () => {
    const emailAddress = 'coded@example.com';
    const { accountId, apiKey } = await register(emailAddress);
    const { secret } = await beginSetup({ world, auth }, apiKey);
    const totp = new TOTP({ secret: Secret.fromBase32(secret) });
    const nowMs = Date.now();
    const codeAt = (timestamp: number) => ({ twoFactorCode: totp.generate({ timestamp }) });
    const confirmed = await send('POST', 'account/twofactor', codeAt(nowMs), apiKey);
    expect(confirmed).toHaveProperty('recoveryCodes');
    const due = () => world.db.query('SELECT FROM auth.notices WHERE account_id = $1', [accountId]);
    // Its mail waits for the account too.
    await waitUntil(async () => (await due()).length === 0, { what: 'the mail about the second factor' });
    const body = { emailAddress, password, twoFactor: codeAt(nowMs + 30_000) };
    const call = () => send('PUT', 'authenticate', body);
    expect(await overtakeCall({ accountId, call, by: erase(accountId) })).toMatchObject({ code: 4004 });
  });

  test('does not stop the erasure if it confirms an address', async () => {
    const { accountId, apiKey } = await register('moving@example.com');
    const emailAddress = 'moved@example.com';
    await send('PUT', 'account/email', { emailAddress }, apiKey);
    const allowed = await waitUntil(
      async () =>
        (await world.mailedCodes('moving@example.com'))[1] && world.mailedCode('moving@example.com'),
      { what: 'the mail to the previous address' },
    );
    expect(await send('POST', 'account/email/verify', { token: allowed }, apiKey)).toBe(true);
    const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'the mail' });
    const call = () => send('POST', 'account/email/verify', { token }, apiKey);
    expect(await overtakeCall({ accountId, call, by: erase(accountId) })).toMatchObject({ code: 4002 });
  });
});
