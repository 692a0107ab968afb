import { expect, test } from 'vitest';
import { actor, createAccountsWorld, self } from '../testing/accounts-world.ts';
import {
  beginRegistration,
  type IssuedCode,
  requestReset,
  requestVerification,
} from './mail-code-requests.ts';
import {
  confirmAddress,
  type FoundMailCode,
  findMailCode,
  finishRegistration,
  resetPassword,
} from './mail-codes.ts';
import type { MailTokenKind } from './mail-tokens.ts';
import { changePassword, checkPassword, isCurrentPassword } from './passwords.ts';

const world = await createAccountsWorld();
const { accounts, advance } = world;
const realm = await world.createProject();

function addressOf(address: string) {
  return { address, folded: address.toLowerCase() };
}

function issued(code: IssuedCode | string): IssuedCode {
  if (typeof code === 'string') throw new Error(`No code was issued: ${code}`);
  return code;
}

/** `done`, or the reason of the refusal. */
function outcomeOf(call: Promise<void>): Promise<string> {
  return call.then(
    () => 'done',
    ({ reason }) => reason,
  );
}

async function find({ code }: IssuedCode, kinds: readonly MailTokenKind[]): Promise<FoundMailCode> {
  const found = await findMailCode(accounts, ['another realm', realm], { text: ` ${code} `, kinds });
  if (found === null) throw new Error('The code was not found');
  return found;
}

async function findReset(address: string): Promise<FoundMailCode> {
  advance(3_600_000);
  const caller = { realm, email: addressOf(address), clientAddress: '192.0.2.1' };
  return find(issued(await requestReset(accounts, caller)), ['reset']);
}

// Invariant (Sign-in): A refused call on an account changes nothing; of concurrent calls with one code,
// identity, exchange or request, one succeeds
test('a reset sets the password, ends every session, clears the lockout, and works once', async () => {
  const accountId = await world.createAccount(realm, { email: 'kim@example.com', password: 'old' });
  await world.openSession(realm, accountId);
  const tried = { realm, folded: 'kim@example.com', device: null };
  for (let n = 0; n < 6; n++) await checkPassword(accounts, { ...tried, derived: 'guess' });
  const found = await findReset('Kim@example.com');
  for (let n = 0; n < 6; n++) await checkPassword(accounts, { ...tried, derived: 'guess' });
  expect(await checkPassword(accounts, { ...tried, derived: 'old' })).toMatchObject({ kind: 'locked' });
  const reset = { hash: 'hash of new', actor: actor(realm) };
  const outcomes = await Promise.all([1, 2].map(() => outcomeOf(resetPassword(accounts, found, reset))));
  expect(outcomes.toSorted()).toEqual(['done', 'tokenInvalid']);
  expect(await checkPassword(accounts, { ...tried, derived: 'new' })).toMatchObject({
    kind: 'right',
    accountId,
  });
  expect(await world.liveSessions(accountId)).toEqual([]);
  expect(await world.acts(accountId)).toEqual(['passwordReset']);
  expect(await world.mails(accountId)).toEqual(['password-changed']);
});

test('a code is unknown if its account lost the address meanwhile, and nothing is changed', async () => {
  const accountId = await world.createAccount(realm, { email: 'lee@example.com', password: 'old' });
  const session = await world.openSession(realm, accountId);
  const found = await findReset('lee@example.com');
  await world.db.query('UPDATE auth.accounts SET email_folded = $2 WHERE id = $1', [
    accountId,
    'lee@new.example',
  ]);
  const reset = resetPassword(accounts, found, { hash: 'x', actor: actor(realm) });
  expect(await outcomeOf(reset)).toBe('tokenInvalid');
  expect(await world.liveSessions(accountId)).toEqual([session.id]);
  expect(await world.acts(accountId)).toEqual([]);
  expect(
    await isCurrentPassword(accounts, session, { emailAddress: 'lee@new.example', derived: 'old' }),
  ).toBe(true);
});

test('one caller gets one reset mail a minute, and an unknown address gets none', async () => {
  await world.createAccount(realm, { email: 'max@example.com' });
  const caller = { realm, email: addressOf('max@example.com'), clientAddress: '192.0.2.2' };
  expect(await requestReset(accounts, caller)).toMatchObject({ to: 'max@example.com', locale: 'de' });
  expect(await requestReset(accounts, caller)).toBe('limited');
  const unknown = { ...caller, email: addressOf('nobody@example.com') };
  expect(await requestReset(accounts, unknown)).toBe('unknown');
});

test('a registration needs its password, and takes the address from an account without proof', async () => {
  const squatter = await world.createAccount(realm, { email: 'noa@example.com', verified: false });
  await world.openSession(realm, squatter);
  const email = addressOf('noa@example.com');
  const begun = { realm, email, passwordHash: 'hash of mine', displayName: 'Noa', locale: null };
  const found = await find(await beginRegistration(accounts, begun), ['verify', 'register']);
  const finish = (derived: string) =>
    outcomeOf(finishRegistration(accounts, found, { derived, actor: actor(realm) }));
  expect(await finish('theirs')).toBe('credentialsInvalid');
  expect(await finish('mine')).toBe('done');
  expect(await finish('mine')).toBe('tokenInvalid');
  const tried = { realm, folded: email.folded, device: null, derived: 'mine' };
  expect(await checkPassword(accounts, tried)).toMatchObject({ kind: 'right' });
  expect(await world.liveSessions(squatter)).toEqual([]);
});

test('an address is confirmed with a session or the password, and never taken from its owner', async () => {
  const accountId = await world.createAccount(realm, { email: 'old@example.com', password: 'mine' });
  const request = (address: string) =>
    requestVerification(accounts, { realm, email: addressOf(address), accountId });
  const found = await find(issued(await request('new@example.com')), ['verify']);
  const confirm = (code: FoundMailCode, liveAccountId: string | null) =>
    outcomeOf(confirmAddress(accounts, code, { derived: null, liveAccountId, actor: actor(realm) }));
  expect(await confirm(found, null)).toBe('credentialsInvalid');
  await world.createAccount(realm, { email: 'owned@example.com' });
  const taken = await find(issued(await request('owned@example.com')), ['verify']);
  expect(await confirm(taken, accountId)).toBe('emailInUse');
  expect(await confirm(found, accountId)).toBe('done');
  expect(await confirm(found, accountId)).toBe('tokenInvalid');
  const [mail] = await world.db.query('SELECT recipient FROM auth.notices WHERE account_id = $1', [
    accountId,
  ]);
  expect(mail).toEqual({ recipient: 'old@example.com' });
});

test('a changed password ends the other sessions; of two sessions that change it, one does', async () => {
  const accountId = await world.createAccount(realm, { email: 'pat@example.com', password: 'old' });
  const [one, other] = [await world.openSession(realm, accountId), await world.openSession(realm, accountId)];
  const outcomes = await Promise.allSettled([
    changePassword(accounts, self(one), 'a'),
    changePassword(accounts, self(other), 'b'),
  ]);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused).toEqual([
    expect.objectContaining({ reason: expect.objectContaining({ reason: 'sessionExpired' }) }),
  ]);
  const winner = outcomes[0].status === 'fulfilled' ? one : other;
  expect(await world.liveSessions(accountId)).toEqual([winner.id]);
  expect(await world.acts(accountId)).toEqual(['passwordChanged']);
});
