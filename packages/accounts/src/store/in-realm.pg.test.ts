import { expect, test } from 'vitest';
import { changePassword } from '../credentials/passwords.ts';
import { findAccounts } from '../people/accounts.ts';
import { findOwnAccount, listIdentities } from '../people/profile.ts';
import { dropSecondFactor, enrolTotp } from '../second-factor/second-factors.ts';
import { createAccountsWorld } from '../testing/accounts-world.ts';
import { inRealm } from './in-realm.ts';

const world = await createAccountsWorld();

const realm = await world.createProject();
const accountId = await world.createAccount(realm, { email: 'kim@example.com', password: 'aa' });
await world.linkSteam(realm, accountId, '1');
const session = await world.openSession(realm, accountId);
const totp = { accountId, secret: Buffer.from('sealed'), step: 0, nowMs: world.now() };
await enrolTotp(inRealm(world.db, realm), totp);
const people = inRealm(world.db, 'another project');

// Invariant (Sign-in): A statement on people without a realm is rejected, and an id of another realm finds
// nothing
test('the database rejects every statement without the realm', async () => {
  const forgetful = [
    ['SELECT id FROM auth.accounts', []],
    ['SELECT id FROM auth.accounts WHERE id = $2', [accountId]],
    ['UPDATE auth.sessions SET ended = now() WHERE account_id = $2 AND id <> $3', [accountId, '']],
  ] as const;
  for (const [sql, values] of forgetful) await expect(people.rows(sql, values), sql).rejects.toThrow();
});

test('the id of an account of another realm finds and changes nothing', async () => {
  expect(await findAccounts(people, [accountId])).toEqual([]);
  expect(await listIdentities(people, accountId)).toEqual([]);
  await dropSecondFactor(people, accountId);
  const foreign = { ...session, realm: 'another project' };
  await expect(findOwnAccount(world.accounts, foreign)).rejects.toMatchObject({ reason: 'sessionExpired' });
  const by = { session: foreign, requestId: 'r', clientAddress: '' };
  await expect(changePassword(world.accounts, by, 'b')).rejects.toMatchObject({ reason: 'sessionExpired' });
  const [kept] = await world.db.query(
    `SELECT p.hash, (SELECT count(*)::int FROM auth.totps t WHERE t.account_id = p.account_id) AS totps
     FROM auth.passwords p WHERE p.account_id = $1`,
    [accountId],
  );
  expect(kept).toEqual({ hash: 'hash of aa', totps: 1 });
});
