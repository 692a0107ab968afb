import { purge, rememberToken } from '@tickrate/accounts';
import { createManualClock, freshPostgres } from '@tickrate/testkit';
import { afterAll, expect, test } from 'vitest';
import { createAuthWorld } from './auth-harness.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const world = await createAuthWorld(url, clock.now);
afterAll(() => world.close());

test('what has had its time is deleted, and a session that lives is not', async () => {
  const auth = await world.start();
  const { key } = await world.project();
  const tokens = { deviceTestTokens: [{ deviceId: 'long' }] };
  const { body } = await auth.send({ key, body: { tokens } });
  const { apiKey } = body.authenticatedSession;
  const count = async (table: string) =>
    (await world.db.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table}`))[0]?.n;
  const scopes = [Buffer.from('exchange'), Buffer.from('sender')];
  const remembered = { hash: 'ab', identity: Buffer.from('sealed'), expiresMs: clock.now() + 10 * 60_000 };
  await rememberToken(world.db, scopes, remembered);
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
