import { expect, test } from 'vitest';
import { createAccountsWorld } from '../testing/accounts-world.ts';
import { findExchange, keepExchange, openExchange } from './exchanges.ts';

const world = await createAccountsWorld();
const { accounts } = world;

test('an exchange belongs to the key that began it, and names no session', async () => {
  const realm = await world.createProject();
  const session = await world.openSession(realm, await world.createAccount(realm));
  const owner = { keyId: session.id, projectId: realm };
  const { id } = await openExchange(accounts, null);
  await keepExchange(accounts, { id, startedMs: world.now(), isNamed: false }, owner);
  expect(await findExchange(accounts, id, owner)).toMatchObject({ id });
  expect(await findExchange(accounts, id, { ...owner, keyId: 'another key' })).toBe('foreign');
  expect(await findExchange(accounts, id, { ...owner, projectId: 'p-another' })).toBe('foreign');
  // It outlives the session and its account by up to an hour.
  const rows = await world.db.query<{ text: string }>('SELECT e::text AS text FROM auth.exchanges e');
  expect(rows.filter(({ text }) => text.includes(session.id))).toEqual([]);
});
