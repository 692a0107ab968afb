import type { Queryable } from '@tickrate/accounts';
import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { type AnswerBody, startAuthWorld } from '../auth-harness.ts';

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
  readonly emailAddress: string;
  readonly by: (tx: Queryable) => Promise<unknown>;
}

/** The answer to a sign-in that has reached its session when the account changes. */
async function overtake({ accountId, emailAddress, by }: Overtaking): Promise<AnswerBody> {
  const answer = await world.db.transaction(async (tx) => {
    await tx.query('SELECT FROM auth.accounts WHERE id = $1 FOR UPDATE', [accountId]);
    const pending = send('PUT', 'authenticate', { emailAddress, password, metered: true });
    await waiting(1);
    await by(tx);
    return { pending };
  });
  return answer.pending;
}

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
