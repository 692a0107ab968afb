import { createPostgres } from '@tickrate/postgres';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrateAuth } from './migrate-auth.ts';
import { migrations } from './migrations.ts';

const { url } = await freshPostgres();
const client = createPostgres({ postgresUrl: url });
const account = (letter: string) => `u-${letter.repeat(20)}`;
const invitation = '0198c0de-0000-7000-8000-000000000001';

beforeAll(async () => {
  await client.query('CREATE SCHEMA auth');
  await client.query('CREATE TABLE auth.migrations (name text PRIMARY KEY, applied timestamptz NOT NULL)');
  // An installation as it was before members had a table of their own.
  for (const { name, sql } of migrations.slice(
    0,
    migrations.findIndex((each) => each.name === '008-members'),
  )) {
    await client.query(sql);
    await client.query('INSERT INTO auth.migrations VALUES ($1, now())', [name]);
  }
  const realms = { a: 'installation', b: 'installation', c: 'p-aaaaaaaaaaaa' };
  for (const [letter, realm] of Object.entries(realms)) {
    await client.query('INSERT INTO auth.accounts (id, realm, created) VALUES ($1, $2, now())', [
      account(letter),
      realm,
    ]);
  }
  const roles = ['a owner', 'a viewer', 'b analyst', 'c owner', 'c moderator'].map((each) => each.split(' '));
  for (const [letter = '', role] of roles) {
    await client.query("INSERT INTO auth.roles VALUES ($1, 'p-aaaaaaaaaaaa', $2, '2026-11-01Z')", [
      account(letter),
      role,
    ]);
  }
  await client.query(
    "INSERT INTO auth.invitations VALUES ($1, 'guest@example.com', 'p-aaaaaaaaaaaa', 'viewer', 'u-first', '2026-12-01Z')",
    [invitation],
  );
  await Promise.all(Array.from({ length: 4 }, () => migrateAuth(url)));
});
afterAll(() => client.close());

test('processes that migrate at once all succeed, and each migration is applied once', async () => {
  const rows = await client.query('SELECT name FROM auth.migrations ORDER BY name');
  expect(rows).toEqual(migrations.map(({ name }) => ({ name })));
});

test('who administered before is a member in the strongest of the roles, and players keep all of theirs', async () => {
  const members = await client.query(
    'SELECT account_id, role, granted FROM auth.members ORDER BY account_id',
  );
  const granted = new Date('2026-11-01T00:00:00Z');
  expect(members).toEqual([
    { account_id: account('a'), role: 'owner', granted },
    { account_id: account('b'), role: 'analyst', granted },
  ]);
  const players = await client.query('SELECT account_id, role FROM auth.roles ORDER BY role');
  expect(players).toEqual([
    { account_id: account('c'), role: 'moderator' },
    { account_id: account('c'), role: 'owner' },
  ]);
});

test('an invitation from before is open still, and no mail is due for it', async () => {
  const rows = await client.query('SELECT id, email, mail_due FROM auth.invitations WHERE used IS NULL');
  expect(rows).toEqual([{ id: invitation, email: 'guest@example.com', mail_due: null }]);
});
