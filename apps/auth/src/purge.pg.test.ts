import { createTokenMemory, inRealm, purge, putMail } from '@tickrate/accounts';
import { createManualClock, freshPostgres } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createAuthWorld } from './testing/auth-world.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const world = await createAuthWorld(url, clock.now);
afterAll(() => world.close());

test('expired rows are deleted, and live sessions are not', async () => {
  const auth = await world.start();
  const { key } = await world.project();
  const tokens = { deviceTestTokens: [{ deviceId: 'long' }] };
  await auth.send({ key, body: {} });
  const { body } = await auth.send({ key, body: { tokens } });
  const { apiKey } = body.authenticatedSession;
  const count = async (table: string) =>
    (await world.db.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;
  const sender = { exchangeId: 'x-1', onlyExchange: false, keyId: 'k-1', clientAddress: '192.0.2.1' };
  await createTokenMemory(world.accounts, sender).remember('ab', '{}');
  await purge(world.db, clock.now());
  expect([await count('auth.exchanges'), await count('auth.remembered_tokens')]).toEqual([1, 2]);
  clock.advance(50 * 60_000);
  await auth.send({ key: apiKey, method: 'POST', path: 'session' });
  clock.advance(30 * 60_000);
  await purge(world.db, clock.now());
  expect([await count('auth.exchanges'), await count('auth.remembered_tokens')]).toEqual([0, 0]);
  expect(await count('auth.throttles')).toBe(0);
  expect((await auth.send({ key: apiKey, method: 'GET', path: 'session' })).status).toBe(200);
  clock.advance(80 * 24 * 3_600_000);
  await purge(world.db, clock.now());
  expect([await count('auth.sessions'), await count('registry.session_keys')]).toEqual([1, 1]);
  expect((await auth.send({ key: apiKey, method: 'GET', path: 'session' })).body.code).toBe(2004);
  clock.advance(11 * 24 * 3_600_000);
  await purge(world.db, clock.now());
  expect([await count('auth.sessions'), await count('registry.session_keys')]).toEqual([0, 0]);
  expect((await auth.send({ key: apiKey, method: 'GET', path: 'session' })).body.code).toBe(2002);
});

test('an archived account is erased after 30 days, and no remaining row names it', async () => {
  const auth = await world.start();
  const { key } = await world.project();
  const { body } = await auth.send({ key, body: { tokens: { deviceTestTokens: [{ deviceId: 'aside' }] } } });
  const { accountId } = body.authenticatedSession;
  const named = async () => {
    const [row] = await world.db.query<{ accounts: number; acts: number; keys: number }>(
      `SELECT (SELECT count(*)::int FROM auth.accounts WHERE id = $1) AS accounts,
         (SELECT count(*)::int FROM auth.audit WHERE account_id = $1) AS acts,
         (SELECT count(*)::int FROM registry.session_keys WHERE account_id = $1) AS keys`,
      [accountId],
    );
    return row;
  };
  const archive = 'UPDATE auth.accounts SET archived = $2 WHERE id = $1';
  await world.db.query(archive, [accountId, new Date(clock.now())]);
  clock.advance(29 * 24 * 3_600_000);
  await purge(world.db, clock.now());
  expect(await named()).toEqual({ accounts: 1, acts: 1, keys: 1 });
  clock.advance(2 * 24 * 3_600_000);
  await purge(world.db, clock.now());
  expect(await named()).toEqual({ accounts: 0, acts: 0, keys: 0 });
});

test('with a mail server, the outbox is emptied', async () => {
  await world.start();
  const mail = { id: crypto.randomUUID(), to: 'kim@example.com', subject: 'Code' };
  await putMail(inRealm(world.db, 'p-kart'), {
    ...mail,
    accountId: null,
    body: Buffer.from('sealed'),
    sentMs: clock.now(),
  });
  const kept = () => world.db.query('SELECT id FROM auth.outbox');
  await world.start();
  expect(await kept()).toEqual([{ id: mail.id }]);
  await world.start({ smtpUrl: 'smtp://127.0.0.1:9' });
  expect(await kept()).toEqual([]);
});
