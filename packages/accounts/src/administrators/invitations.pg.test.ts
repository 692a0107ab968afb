import { expect, test } from 'vitest';
import { readAddress } from '../people/address.ts';
import { createAccountsWorld } from '../testing/accounts-world.ts';
import { insertInvitation } from './invitations.ts';

const world = await createAccountsWorld();
const { db, now } = world;
const projectId = await world.createProject();

function invite(emailAddress: string, invitedBy: string) {
  return insertInvitation(db, {
    id: crypto.randomUUID(),
    projectId,
    email: readAddress(emailAddress),
    role: 'viewer',
    invitedBy,
    nowMs: now(),
    expiresMs: now() + 86_400_000,
  });
}

test('an account that is erased while it invites someone is not named, and sends no invitation', async () => {
  const accountId = await world.createAccount('installation', { email: 'kim@example.com' });
  expect(await invite('ada@example.com', accountId)).toMatchObject({ invitedBy: accountId });
  const late = await db.transaction(async (tx) => {
    await tx.query('SELECT auth.erase_account($1, $2)', [accountId, 'installation']);
    const inviting = invite('bob@example.com', accountId);
    await world.waiting(1);
    return { inviting };
  });
  expect(await late.inviting).toBe('inviterGone');
  const rows = await db.query<{ text: string }>('SELECT i::text AS text FROM auth.invitations i');
  expect(rows.filter(({ text }) => text.includes(accountId))).toEqual([]);
});

test('a key invites too', async () => {
  expect(await invite('cid@example.com', 'key 1')).toMatchObject({ invitedBy: 'key 1' });
});
