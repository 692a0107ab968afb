import { expect, test } from 'vitest';
import { createAccountsWorld } from '../testing/accounts-world.ts';
import { makeSignInLink, openLinkSession } from './sign-in-links.ts';

const world = await createAccountsWorld();
const { accounts, db } = world;

async function tokenFor(address: string): Promise<string> {
  const request = { ...accounts, folded: address, consoleUrl: 'https://console.example' };
  const link = await makeSignInLink(db, request);
  return link?.url.split('#link=')[1] ?? '';
}

function open(token: string) {
  return openLinkSession(db, accounts, { token, requestId: 'r-1', clientAddress: '192.0.2.1' });
}

const unknown = { reason: 'tokenInvalid', data: { objectContext: 'link' } };

test('a link opens one session, with an audit entry, and is used up by it', async () => {
  const accountId = await world.createAccount('installation', { email: 'kim@example.com' });
  await world.addMember(await world.createProject(), accountId, 'owner');
  const token = await tokenFor('kim@example.com');
  const outcomes = await Promise.allSettled([open(token), open(token)]);
  expect(outcomes).toContainEqual({ status: 'rejected', reason: expect.objectContaining(unknown) });
  expect(outcomes).toContainEqual({ status: 'fulfilled', value: expect.any(String) });
  expect(await world.liveSessions(accountId)).toHaveLength(1);
  expect(await world.acts(accountId)).toEqual(['signIn']);
});

test('a link of an administrator without a project opens nothing and stays valid', async () => {
  const accountId = await world.createAccount('installation', { email: 'lee@example.com' });
  const token = await tokenFor('lee@example.com');
  await expect(open(token)).rejects.toMatchObject({
    reason: 'notPermitted',
    fields: 'the administrator of this link has no project',
  });
  await world.addMember(await world.createProject(), accountId, 'viewer');
  expect(await open(token)).toEqual(expect.any(String));
});

test('a link of a banned administrator opens nothing', async () => {
  const accountId = await world.createAccount('installation', { email: 'max@example.com' });
  await world.addMember(await world.createProject(), accountId, 'owner');
  await db.query("UPDATE auth.accounts SET banned = $2, ban_reason = 'fraud' WHERE id = $1", [
    accountId,
    new Date(accounts.now()),
  ]);
  const opening = open(await tokenFor('max@example.com'));
  await expect(opening).rejects.toMatchObject({ reason: 'notPermitted', fields: null });
  expect(await world.liveSessions(accountId)).toEqual([]);
});

test('an expired link opens nothing', async () => {
  const token = await tokenFor('kim@example.com');
  world.advance(10 * 60_000);
  await expect(open(token)).rejects.toMatchObject(unknown);
});
