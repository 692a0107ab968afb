import { type Queryable, resetSecondFactor } from '@tickrate/accounts';
import { createRegistryCache } from '@tickrate/registry';
import { createManualClock, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSecurityMails } from '../mail/due-mails.ts';
import { createWriteMail, readMailTemplates } from '../mail/mail-texts.ts';
import type { Mail } from '../mail/mailer.ts';
import { type AuthInstance, type AuthWorld, createAuthWorld } from '../testing/auth-world.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const dayMs = 24 * 3_600_000;
let world: AuthWorld;
let auth: AuthInstance;
let elsewhere: AuthInstance;
const cache = createRegistryCache({ postgresUrl: url, now: clock.now, onFault: () => undefined });

beforeAll(async () => {
  world = await createAuthWorld(url, clock.now);
  auth = await world.start();
  elsewhere = await world.start();
  await cache.start();
});
afterAll(async () => {
  await cache.stop();
  await world.close();
});

const tokens = { deviceTestTokens: [{ deviceId: 'cheat' }] };

interface Ban {
  readonly accountId: string;
  readonly realm: string;
  readonly expiresMs?: number;
}

async function ban({ accountId, realm, expiresMs }: Ban, on: Queryable = world.db): Promise<boolean> {
  const expires = expiresMs === undefined ? null : new Date(expiresMs);
  const values = [accountId, realm, 'aimbot', expires, new Date(clock.now())];
  const sql = 'SELECT auth.ban_account($1, $2, $3, $4, $5) AS done';
  return (await on.query<{ done: boolean }>(sql, values))[0]?.done ?? false;
}

async function unban(accountId: string, realm: string): Promise<boolean> {
  const sql = 'SELECT auth.unban_account($1, $2) AS done';
  return (await world.db.query<{ done: boolean }>(sql, [accountId, realm]))[0]?.done ?? false;
}

async function signIn(key: string) {
  return (await auth.send({ key, body: { tokens } })).body;
}

test('a ban ends every session, and the next sign-in shows its reason and end', async () => {
  const { projectId, key } = await world.project();
  const first = (await signIn(key)).authenticatedSession;
  clock.advance(61_000);
  const second = (await signIn(key)).authenticatedSession;
  for (const { apiKey } of [first, second]) expect(await cache.principal(apiKey)).not.toBeNull();
  const before = (await signIn(key)).authenticatedSession;
  await auth.send({ key: before.apiKey, method: 'DELETE', path: 'session' });
  await waitUntil(async () => (await cache.lateSender(before.apiKey)) !== null);
  const expiresMs = clock.now() + 7 * dayMs;
  expect(await ban({ accountId: first.accountId, realm: projectId, expiresMs })).toBe(true);
  for (const { apiKey } of [first, second, before])
    await waitUntil(async () => (await cache.lateSender(apiKey)) === null);
  for (const { apiKey, id } of [first, second]) {
    await waitUntil(async () => (await cache.principal(apiKey)) === null);
    expect(await cache.endedSession(apiKey)).toBe(id);
    const dead = await elsewhere.send({ key: apiKey, method: 'GET', path: 'session' });
    expect(dead.body).toMatchObject({ code: 2004, data: { invalidSessionId: id } });
  }
  const refused = await auth.send({ key, body: { tokens } });
  expect(refused.status).toBe(403);
  expect(refused.body).toMatchObject({
    code: 4006,
    data: { banReason: 'aimbot', banExpires: expiresMs / 1000 },
  });
  clock.advance(7 * dayMs);
  expect((await signIn(key)).authenticatedSession.accountId).toBe(first.accountId);
});

test('a permanent ban lasts until it is lifted, and a new ban replaces it', async () => {
  const { projectId, key } = await world.project();
  const { accountId } = (await signIn(key)).authenticatedSession;
  await ban({ accountId, realm: projectId, expiresMs: clock.now() + dayMs });
  await ban({ accountId, realm: projectId });
  clock.advance(365 * dayMs);
  expect(await signIn(key)).toMatchObject({ code: 4006, data: { banReason: 'aimbot', banExpires: null } });
  expect(await unban(accountId, projectId)).toBe(true);
  expect((await signIn(key)).authenticatedSession.accountId).toBe(accountId);
});

test('only a caller who proved the account learns of its ban', async () => {
  const { projectId, key } = await world.project();
  const emailAddress = 'banned@example.com';
  const password = 'correct horse battery staple';
  await auth.send({ key, body: { emailAddress, password, intent: 'register' } });
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' });
  await auth.send({ key, method: 'POST', path: 'account/email/verify', body: { token, password } });
  const { body } = await auth.send({ key, body: { emailAddress, password } });
  await ban({ accountId: body.authenticatedSession.accountId, realm: projectId });
  const send = async (more: object) => (await auth.send({ key, body: { emailAddress, ...more } })).body;
  expect(await send({})).toMatchObject({ promptForPassword: true });
  const wrong = await send({ password: 'not the one that it is' });
  expect(wrong.code).toBe(4001);
  expect(JSON.stringify(wrong)).not.toContain('aimbot');
  expect((await send({ password })).code).toBe(4006);
});

test('an account of another project is neither banned nor unbanned', async () => {
  const [mine, theirs] = [await world.project(), await world.project()];
  const { accountId, apiKey } = (await signIn(theirs.key)).authenticatedSession;
  expect(await ban({ accountId, realm: mine.projectId })).toBe(false);
  expect((await auth.send({ key: apiKey, method: 'GET', path: 'session' })).status).toBe(200);
  await ban({ accountId, realm: theirs.projectId });
  expect(await unban(accountId, mine.projectId)).toBe(false);
  expect((await signIn(theirs.key)).code).toBe(4006);
});

test('a sign-in that was decided before a ban, and ends after it, gets no session', async () => {
  const { projectId, key } = await world.project();
  const { accountId } = (await signIn(key)).authenticatedSession;
  clock.advance(61_000);
  const underWay = await world.db.transaction(async (tx) => {
    await ban({ accountId, realm: projectId }, tx);
    const answer = auth.send({ key, body: { tokens } });
    await waitUntil(isSomeoneWaiting, { what: 'the sign-in to meet the ban' });
    return { answer };
  });
  expect((await underWay.answer).body.code).toBe(4006);
  expect(await world.db.query(liveSessions, [accountId])).toEqual([]);
});

test('a removed second factor is reported by mail, once, and retried if the mail server rejects it', async () => {
  const { projectId, key } = await world.project();
  const { accountId } = (await signIn(key)).authenticatedSession;
  await world.db.query("UPDATE auth.accounts SET email = 'kim@example.com', locale = 'de' WHERE id = $1", [
    accountId,
  ]);
  await world.db.query("INSERT INTO auth.totps (account_id, secret, confirmed) VALUES ($1, '', now())", [
    accountId,
  ]);
  // Later than other tests of this file that send mails.
  let nowMs = clock.now() + 30 * dayMs;
  const reset = (realm: string) =>
    resetSecondFactor(
      world.db,
      { now: () => nowMs, newId: () => crypto.randomUUID() },
      { projectId: realm, accountId, nowMs },
    );
  const other = await world.project();
  await expect(reset(other.projectId)).rejects.toMatchObject({ reason: 'objectNotFound' });
  expect(await reset(projectId)).toMatchObject({ id: accountId, hasSecondFactor: false });
  await reset(projectId);
  const sent: Mail[] = [];
  const faults: unknown[] = [];
  const mails = createSecurityMails({
    accounts: { ...world.accounts, now: () => nowMs },
    write: createWriteMail(readMailTemplates(null).templates),
    send: async (mail) => {
      if (faults.length === 0) throw new Error('away');
      sent.push(mail);
    },
    onFault: (error) => faults.push(error),
  });
  await mails.deliver();
  await mails.deliver();
  expect([faults.length, sent.length]).toEqual([1, 0]);
  nowMs += 60_000;
  await Promise.all([mails.deliver(), mails.deliver()]);
  nowMs += dayMs;
  await mails.deliver();
  const subject = 'Dein zweiter Faktor wurde entfernt';
  expect(sent).toMatchObject([{ realm: projectId, to: 'kim@example.com', subject }]);
});

const liveSessions = 'SELECT id FROM auth.sessions WHERE account_id = $1 AND ended IS NULL';

async function isSomeoneWaiting(): Promise<boolean> {
  const sql = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  return (await world.db.query(sql)).length > 0;
}
