import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { createAccountsWorld, self } from '../accounts-harness.ts';
import { issueDevice } from '../sign-in/link-identities.ts';
import { inRealm } from '../store/in-realm.ts';

const world = await createAccountsWorld();
const { now, advance } = world;
const { mailCodeRequests, profiles, secondFactors, sessionEnrolments, sessions } = world.accounts;
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
  const outcomes = await Promise.all([first, second].map((id) => profiles.unlink(by, id)));
  expect(outcomes.toSorted()).toEqual(['last', 'unlinked']);
  expect(await profiles.unlink(by, crypto.randomUUID())).toBe('unknown');
  expect(await world.acts(accountId)).toEqual(['identityUnlinked']);
  expect(await world.mails(accountId)).toEqual(['identity-unlinked']);
  expect(await profiles.identities(by.session)).toHaveLength(1);
});

test('an unlinked device leaves no secret behind', async () => {
  const accountId = await world.createAccount(realm, { email: 'ned@example.com' });
  await world.linkSteam(realm, accountId, 'of ned');
  const by = self(await world.openSession(realm, accountId));
  const device = await issueDevice(world.deps, inRealm(world.db, realm), accountId);
  const linked = (await profiles.identities(by.session)).find(({ provider }) => provider === 'device');
  expect(await profiles.unlink(by, linked?.id ?? '')).toBe('unlinked');
  const secrets = 'SELECT device_id FROM auth.device_secrets WHERE device_id = $1';
  expect(await world.db.query(secrets, [device.deviceId])).toEqual([]);
});

test('a second factor is confirmed once, ends the other sessions, and is removed only with a proof', async () => {
  const accountId = await world.createAccount(realm, { email: 'lee@example.com' });
  const [own, other] = [await world.openSession(realm, accountId), await world.openSession(realm, accountId)];
  const by = self(own);
  expect(await sessionEnrolments.confirm(by, '123456')).toEqual({ kind: 'notBegun' });
  expect(await sessionEnrolments.begin(own, '')).toEqual({ kind: 'mailNeeded' });
  const address = await mailCodeRequests.addressOf(realm, accountId);
  const issued = address && (await mailCodeRequests.requestEnrolment(address));
  if (issued === null || issued === 'limited') throw new Error('No code was issued');
  expect(await sessionEnrolments.begin(own, 'aaaa-bbbb')).toEqual({ kind: 'invalid' });
  const begun = await sessionEnrolments.begin(own, issued.code);
  if (begun.kind !== 'begun') throw new Error('The setup did not begin');
  expect(begun.setup.label).toBe('lee@example.com');
  const code = codeOf(begun.setup.secret);
  expect(await sessionEnrolments.confirm(self(other), code)).toEqual({ kind: 'notBegun' });
  const wrong = code.startsWith('0') ? `1${code.slice(1)}` : `0${code.slice(1)}`;
  expect(await sessionEnrolments.confirm(by, wrong)).toEqual({ kind: 'invalid', attemptsLeft: 4 });
  const confirmed = await sessionEnrolments.confirm(by, ` ${code.slice(0, 3)} ${code.slice(3)}`);
  expect(confirmed).toMatchObject({ kind: 'confirmed', recoveryCodes: { length: 10 } });
  expect(await sessionEnrolments.confirm(by, code)).toEqual({ kind: 'alreadyEnrolled' });
  expect(await sessionEnrolments.begin(own, issued.code)).toEqual({ kind: 'alreadyEnrolled' });
  expect(await world.liveSessions(accountId)).toEqual([own.id]);
  expect(await world.mails(accountId)).toEqual(['second-factor-enrolled']);
  advance(1);
  expect(await secondFactors.remove(self({ ...other, started: new Date(now()) }))).toBe('unproven');
  expect(await secondFactors.remove(by)).toBe('removed');
  expect(await world.mails(accountId)).toEqual(['second-factor-enrolled', 'second-factor-removed']);
});

test('a session lists, renews and ends sessions of its account', async () => {
  const accountId = await world.createAccount(realm, { email: 'max@example.com' });
  const [own, other] = [await world.openSession(realm, accountId), await world.openSession(realm, accountId)];
  expect(await sessions.list(own)).toHaveLength(2);
  advance(60_000);
  expect((await sessions.renew(own))?.expires.getTime()).toBe(own.expires.getTime() + 60_000);
  expect(await sessions.endOthers(self(own))).toEqual({ ended: 1, unlinkedDevices: 0 });
  expect(await sessions.renew(other)).toBeNull();
  await sessions.end(self(own));
  expect(await world.liveSessions(accountId)).toEqual([]);
  expect((await world.acts(accountId)).toSorted()).toEqual(['sessionEnded', 'sessionsEnded']);
});

test('an administrator switches only to a project of its own', async () => {
  const accountId = await world.createAccount('installation', { email: 'admin@example.com' });
  await world.addMember(realm, accountId, 'viewer');
  const foreign = await world.createProject();
  const session = await world.openSession(realm, await world.createAccount(realm));
  const by = self({ ...session, account_id: accountId, realm: 'installation' });
  expect(await sessions.switchProject(by, foreign)).toBe('notPermitted');
  expect(await sessions.switchProject(by, realm)).toMatchObject({ project_id: realm });
  expect(await world.acts(accountId)).toEqual(['projectSwitched']);
});
