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

// Invariant (Sign-in): A refused call on an account changes nothing; of concurrent calls with one code,
// identity, exchange or request, one succeeds
test('an identity is unlinked with an audit entry and a mail, but never the last sign-in method', async () => {
  const accountId = await world.createAccount(realm, { email: 'kim@example.com' });
  const [first, second] = [
    await world.linkSteam(realm, accountId, '1'),
    await world.linkSteam(realm, accountId, '2'),
  ];
  const by = self(await world.openSession(realm, accountId));
  const outcomes = await Promise.all([first, second].map((id) => unlinkIdentity(accounts, by, id)));
  expect(outcomes.toSorted()).toEqual(['last', 'unlinked']);
  expect(await unlinkIdentity(accounts, by, crypto.randomUUID())).toBe('unknown');
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
  expect(await unlinkIdentity(accounts, by, linked?.id ?? '')).toBe('unlinked');
  const secrets = 'SELECT device_id FROM auth.device_secrets WHERE device_id = $1';
  expect(await world.db.query(secrets, [device.deviceId])).toEqual([]);
});

test('a second factor is confirmed once, ends the other sessions, and is removed only with a proof', async () => {
  const accountId = await world.createAccount(realm, { email: 'lee@example.com' });
  const [own, other] = [await world.openSession(realm, accountId), await world.openSession(realm, accountId)];
  const by = self(own);
  expect(await confirmSessionEnrolment(accounts, by, '123456')).toEqual({ kind: 'notBegun' });
  expect(await beginSessionEnrolment(accounts, own, '')).toEqual({ kind: 'mailNeeded' });
  const address = await findOwnAddress(accounts, realm, accountId);
  const issued = address && (await requestEnrolment(accounts, address));
  if (issued === null || issued === 'limited') throw new Error('No code was issued');
  expect(await beginSessionEnrolment(accounts, own, 'aaaa-bbbb')).toEqual({ kind: 'invalid' });
  const begun = await beginSessionEnrolment(accounts, own, issued.code);
  if (begun.kind !== 'begun') throw new Error('The setup did not begin');
  expect(begun.setup.label).toBe('lee@example.com');
  const code = codeOf(begun.setup.secret);
  expect(await confirmSessionEnrolment(accounts, self(other), code)).toEqual({ kind: 'notBegun' });
  const wrong = code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`;
  expect(await confirmSessionEnrolment(accounts, by, wrong)).toEqual({ kind: 'invalid', attemptsLeft: 4 });
  const confirmed = await confirmSessionEnrolment(accounts, by, ` ${code.slice(0, 3)} ${code.slice(3)}`);
  expect(confirmed).toMatchObject({ kind: 'confirmed', recoveryCodes: { length: 10 } });
  expect(await confirmSessionEnrolment(accounts, by, code)).toEqual({ kind: 'alreadyEnrolled' });
  expect(await beginSessionEnrolment(accounts, own, issued.code)).toEqual({ kind: 'alreadyEnrolled' });
  expect(await world.liveSessions(accountId)).toEqual([own.id]);
  expect(await world.mails(accountId)).toEqual(['second-factor-enrolled']);
  advance(1);
  expect(await removeSecondFactor(accounts, self({ ...other, started: new Date(now()) }))).toBe('unproven');
  expect(await removeSecondFactor(accounts, by)).toBe('removed');
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
  expect(await switchProject(accounts, by, foreign)).toBe('notPermitted');
  expect(await switchProject(accounts, by, realm)).toMatchObject({ project_id: realm });
  expect(await world.acts(accountId)).toEqual(['projectSwitched']);
});
