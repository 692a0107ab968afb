import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { issueDevice } from '../credentials/devices.ts';
import { findOwnAddress, requestEnrolment } from '../credentials/mail-code-requests.ts';
import { removeSecondFactor } from '../second-factor/second-factors.ts';
import { beginSessionEnrolment, confirmSessionEnrolment } from '../second-factor/session-enrolment.ts';
import {
  endOtherSessions,
  listSessions,
  renewSession,
  signOut,
  switchProject,
} from '../sign-in/session-calls.ts';
import { inRealm } from '../store/in-realm.ts';
import { createAccountsWorld, self } from '../testing/accounts-world.ts';
import { listIdentities, unlinkIdentity } from './profile.ts';

const world = await createAccountsWorld();
const { accounts, now, advance } = world;
const realm = await world.createProject();

function codeOf(secret: string): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: now() });
}

/** `done`, or the reason of the refusal. */
function outcomeOf(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => 'done',
    ({ reason }) => reason,
  );
}

// Invariant (Sign-in): A refused call on an account changes nothing; of concurrent calls with one code,
// identity, exchange or request, one succeeds
test('an identity is unlinked with an audit entry and a mail, but never the last sign-in method', async () => {
  const accountId = await world.createAccount(realm, { email: 'kim@example.com' });
  const [first, second] = [
    await world.linkSteam(realm, accountId, '1'),
    await world.linkSteam(realm, accountId, '2'),
  ];
  const by = self(await world.openSession(realm, accountId));
  const outcomes = await Promise.all(
    [first, second].map((id) => outcomeOf(unlinkIdentity(accounts, by, id))),
  );
  expect(outcomes.toSorted()).toEqual(['done', 'lastCredential']);
  expect(await outcomeOf(unlinkIdentity(accounts, by, crypto.randomUUID()))).toBe('objectNotFound');
  expect(await world.acts(accountId)).toEqual(['identityUnlinked']);
  expect(await world.mails(accountId)).toEqual(['identity-unlinked']);
  expect(await listIdentities(inRealm(world.db, realm), accountId)).toHaveLength(1);
});

test('an unlinked device leaves no secret behind', async () => {
  const accountId = await world.createAccount(realm, { email: 'ned@example.com' });
  await world.linkSteam(realm, accountId, 'of ned');
  const by = self(await world.openSession(realm, accountId));
  const device = await issueDevice(accounts, inRealm(world.db, realm), accountId);
  const linked = (await listIdentities(inRealm(world.db, realm), accountId)).find(
    ({ provider }) => provider === 'device',
  );
  await unlinkIdentity(accounts, by, linked?.id ?? '');
  const secrets = 'SELECT device_id FROM auth.device_secrets WHERE device_id = $1';
  expect(await world.db.query(secrets, [device.deviceId])).toEqual([]);
});

test('a second factor is confirmed once, ends the other sessions, and is removed only with a proof', async () => {
  const accountId = await world.createAccount(realm, { email: 'lee@example.com' });
  const [own, other] = [await world.openSession(realm, accountId), await world.openSession(realm, accountId)];
  const by = self(own);
  const confirm = (code: string, as = by) => confirmSessionEnrolment(accounts, as, code);
  const begin = (code: string) => beginSessionEnrolment(accounts, own, code);
  expect(await outcomeOf(confirm('123456'))).toBe('objectNotFound');
  expect(await begin('')).toBeNull();
  const address = await findOwnAddress(accounts, realm, accountId);
  const issued = address && (await requestEnrolment(accounts, address));
  if (issued === null || issued === 'limited') throw new Error('No code was issued');
  expect(await outcomeOf(begin('aaaa-bbbb'))).toBe('twoFactorCodeInvalid');
  const setup = await begin(issued.code);
  expect(setup?.label).toBe('lee@example.com');
  const code = codeOf(setup?.secret ?? '');
  expect(await outcomeOf(confirm(code, self(other)))).toBe('objectNotFound');
  const wrong = code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`;
  await expect(confirm(wrong)).rejects.toMatchObject({ reason: 'twoFactorCodeInvalid', data: { amount: 4 } });
  const confirmed = await confirmSessionEnrolment(accounts, by, ` ${code.slice(0, 3)} ${code.slice(3)}`);
  expect(confirmed).toHaveLength(10);
  expect(await outcomeOf(confirm(code))).toBe('objectAlreadyExists');
  expect(await outcomeOf(begin(issued.code))).toBe('objectAlreadyExists');
  expect(await world.liveSessions(accountId)).toEqual([own.id]);
  expect(await world.mails(accountId)).toEqual(['second-factor-enrolled']);
  advance(1);
  const unproven = self({ ...other, started: new Date(now()) });
  expect(await outcomeOf(removeSecondFactor(accounts, unproven))).toBe('notPermitted');
  await removeSecondFactor(accounts, by);
  expect(await world.mails(accountId)).toEqual(['second-factor-enrolled', 'second-factor-removed']);
});

test('a session lists, renews and ends sessions of its account', async () => {
  const accountId = await world.createAccount(realm, { email: 'max@example.com' });
  const [own, other] = [await world.openSession(realm, accountId), await world.openSession(realm, accountId)];
  expect(await listSessions(accounts, own)).toHaveLength(2);
  advance(60_000);
  expect((await renewSession(accounts, own)).expires.getTime()).toBe(own.expires.getTime() + 60_000);
  expect(await endOtherSessions(accounts, self(own))).toEqual({ ended: 1, unlinkedDevices: 0 });
  await expect(renewSession(accounts, other)).rejects.toMatchObject({ reason: 'sessionExpired' });
  await signOut(accounts, self(own));
  expect(await world.liveSessions(accountId)).toEqual([]);
  expect((await world.acts(accountId)).toSorted()).toEqual(['sessionEnded', 'sessionsEnded']);
});

test('an administrator switches only to a project of its own', async () => {
  const accountId = await world.createAccount('installation', { email: 'admin@example.com' });
  await world.addMember(realm, accountId, 'viewer');
  const foreign = await world.createProject();
  const session = await world.openSession(realm, await world.createAccount(realm));
  const by = self({ ...session, account_id: accountId, realm: 'installation' });
  expect(await outcomeOf(switchProject(accounts, by, foreign))).toBe('notPermitted');
  expect(await switchProject(accounts, by, realm)).toMatchObject({ project_id: realm });
  expect(await world.acts(accountId)).toEqual(['projectSwitched']);
});
