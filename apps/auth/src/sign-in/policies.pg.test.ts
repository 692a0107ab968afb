import { promptFlags } from '@tickrate/contract';
import { createManualClock, waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';
import { createPlayers, device, password } from '../testing/player-world.ts';

const clock = createManualClock();
const { world, auth } = await startAuthWorld({ now: clock.now, values: { adminSignup: 'open' } });
const { audited, register, sendLater, showSetup } = createPlayers({ world, auth, clock });
const dayMs = 24 * 3_600_000;

// Invariant (Sign-in): Where a second factor is required, no password works without one, and its owner can
// set one up during sign-in
describe('a project', () => {
  test('with terms refuses a sign-in without the current version', async () => {
    const { projectId, key } = await world.project({ sessions: { terms: { eula: '1' } } });
    const tokens = device('terms');
    const accept = (version: string) => ({ registration: { acceptedTerms: [{ id: 'eula', version }] } });
    const asked = await sendLater(key, { tokens });
    expect(asked).toMatchObject({ promptForTerms: true, authenticatedSession: null });
    expect(await sendLater(key, { tokens, ...accept('0') })).toMatchObject({ promptForTerms: true });
    const { authenticatedSession } = await sendLater(key, { tokens, ...accept('1') });
    expect(authenticatedSession.newAccount).toBe(true);
    expect(await sendLater(key, { tokens })).toMatchObject({ promptForTerms: false });
    await world.registry.setPolicy({ projectId, name: 'sessions', value: { terms: { eula: '2' } } });
    await waitUntil(async () => (await sendLater(key, { tokens })).promptForTerms === true);
    const again = await sendLater(key, { tokens, ...accept('2') });
    expect(again.authenticatedSession.accountId).toBe(authenticatedSession.accountId);
  });

  test('that asks for a marketing preference asks once, and stores the first answer, also a refusal', async () => {
    const { key } = await world.project({ sessions: { askMarketing: true } });
    const tokens = device('marketing');
    expect(await sendLater(key, { tokens })).toMatchObject({ promptForMarketingPreferenceOptIn: true });
    const shown = await sendLater(key, { tokens, marketingPreferenceOptIn: false });
    expect(shown.authenticatedSession).not.toBeNull();
    const later = await sendLater(key, { tokens, marketingPreferenceOptIn: true });
    const session = later.authenticatedSession.apiKey;
    const account = await auth.send({ key: session, method: 'GET', path: 'account' });
    expect(account.body.marketingPreferenceOptIn).toBe(false);
  });
});

test('a project that requires proven addresses mails a code, and accepts the caller who sends it', async () => {
  const { key } = await world.project({ sessions: { requireVerifiedEmail: true } });
  const login = { emailAddress: 'unproven@example.com', password };
  await register(key, login.emailAddress);
  const first = await world.mailedCode(login.emailAddress);
  await world.db.query('UPDATE auth.accounts SET email_verified = NULL WHERE email = $1', [
    login.emailAddress,
  ]);
  const asked = await sendLater(key, login);
  expect(asked).toMatchObject({ promptForEmailVerification: true, authenticatedSession: null });
  const mailed = async () => {
    const code = await world.mailedCode(login.emailAddress);
    return code === first ? null : code;
  };
  const token = await waitUntil(mailed, { what: 'another mail' });
  const verify = { key, method: 'POST', path: 'account/email/verify' };
  const stranger = await auth.send({ ...verify, body: { token, password: 'of a stranger' } });
  expect(stranger.body.code).toBe(4001);
  expect(await sendLater(key, login)).toMatchObject({ promptForEmailVerification: true });
  expect((await auth.send({ ...verify, body: { token, password } })).body).toBe(true);
  expect((await sendLater(key, login)).authenticatedSession).not.toBeNull();
});

describe('the notices of a sign-in', () => {
  test('report an unlinked token, and a password that would be refused today', async () => {
    const { key } = await world.project({ sessions: { linking: 'never' } });
    await register(key, 'notices@example.com');
    const login = { emailAddress: 'notices@example.com', password };
    expect((await sendLater(key, login)).notices).toEqual([]);
    const left = await sendLater(key, { ...login, tokens: device('left') });
    expect([left.notices, left.authenticatedSession.amr]).toEqual([['tokenNotLinked'], ['pwd']]);
    // As if it was chosen for another address.
    const emailAddress = 'battery@example.com';
    const rename = 'UPDATE auth.accounts SET email = $1, email_folded = $1 WHERE email = $2';
    await world.db.query(rename, [emailAddress, login.emailAddress]);
    expect((await sendLater(key, { emailAddress, password })).notices).toEqual(['passwordWeak']);
    const wrong = await sendLater(key, { emailAddress, password: 'battery' });
    expect(wrong.code).toBe(4001);
  });

  test('report unknown members, whatever the answer requests', async () => {
    const { key } = await world.project();
    const asked = await sendLater(key, { steamTicket: 'an old name', twoFactor: { code: '1' } });
    expect(asked).toMatchObject({ notices: ['unknownMembers'], promptForEmailAddress: true });
  });

  test('report when three or fewer recovery codes are left', async () => {
    const { key } = await world.project({ sessions: { requireSecondFactor: true } });
    const login = { emailAddress: 'codes@example.com', password };
    await register(key, login.emailAddress);
    const { twoFactorEnrolment } = await showSetup(key, login);
    const totp = new TOTP({ secret: Secret.fromBase32(twoFactorEnrolment.secret) });
    const twoFactorCode = totp.generate({ timestamp: clock.now() + 61_000 });
    const { recoveryCodes } = await sendLater(key, { ...login, twoFactor: { twoFactorCode } });
    const shown: string[][] = [];
    for (const code of recoveryCodes.slice(0, 7)) {
      const { notices } = await sendLater(key, { ...login, twoFactor: { twoFactorCode: code } });
      shown.push(notices);
    }
    expect(shown).toEqual([[], [], [], [], [], [], ['recoveryCodesLow']]);
  });
});

test('only a metered session counts its full minutes', async () => {
  const { key } = await world.project();
  const read = async (metered: boolean) => {
    const { authenticatedSession } = await sendLater(key, { metered, tokens: device(`m ${metered}`) });
    expect(authenticatedSession).toMatchObject({ metered, billedMinutes: 0 });
    clock.advance(10 * 60_000 - 1);
    const call = { key: authenticatedSession.apiKey, path: 'session' };
    const { billedMinutes: before } = (await auth.send({ ...call, method: 'GET' })).body;
    clock.advance(1);
    return [before, (await auth.send({ ...call, method: 'POST' })).body.billedMinutes];
  };
  expect(await read(true)).toEqual([9, 10]);
  expect(await read(false)).toEqual([0, 0]);
});

describe('a token of another account', () => {
  test('can be switched to: the session belongs to that account, and nothing is linked', async () => {
    const { key } = await world.project();
    const { accountId } = (await sendLater(key, { tokens: device('switch') })).authenticatedSession;
    await register(key, 'switch@example.com');
    const body = { emailAddress: 'switch@example.com', password, tokens: device('switch') };
    expect(await sendLater(key, body)).toMatchObject({ promptForLinking: true });
    const linkDecision = { action: 'switch', accountRef: accountId };
    const switched = await sendLater(key, { ...body, linkDecision });
    expect(switched.authenticatedSession.accountId).toBe(accountId);
    const own = await sendLater(key, { emailAddress: 'switch@example.com', password });
    expect(own.authenticatedSession.accountId).not.toBe(accountId);
  });

  test('together with one of a second account is a choice, also for a sign-in by address', async () => {
    const { key } = await world.project();
    const owners = ['this', 'that'].map((id) => sendLater(key, { tokens: device(id) }));
    const [one] = await Promise.all(owners);
    const deviceTestTokens = [{ deviceId: 'this' }, { deviceId: 'that' }];
    const asked = await sendLater(key, { tokens: { deviceTestTokens } });
    expect(asked.linking).toMatchObject({
      reason: 'tokensOfDifferentAccounts',
      options: ['switch', 'cancel'],
    });
    const cancelled = await sendLater(key, { tokens: { deviceTestTokens }, intent: 'cancel' });
    expect(cancelled).toMatchObject({ promptForEmailAddress: true, promptForLinking: false });
    const { accountId } = one.authenticatedSession;
    const linkDecision = { action: 'switch', accountRef: accountId };
    const switched = await sendLater(key, { tokens: { deviceTestTokens }, linkDecision });
    expect(switched.authenticatedSession.accountId).toBe(accountId);
  });

  test.each([
    ['goes back within 30 days to the account that it came from', 29 * dayMs, true],
    ['does not go back after 30 days', 31 * dayMs, false],
  ])('that was moved and is unlinked %s', async (name, afterMs, isBack) => {
    const { projectId, key } = await world.project();
    const emailAddress = `${name.length}@example.com`;
    const before = (await sendLater(key, { tokens: device('moved') })).authenticatedSession;
    await register(key, emailAddress);
    const body = { emailAddress, password, tokens: device('moved') };
    const linkDecision = { action: 'move', accountRef: before.accountId };
    const { accountId } = (await sendLater(key, { ...body, linkDecision })).authenticatedSession;
    expect((await audited(projectId)).filter(({ act }) => act === 'identityMoved')).toEqual(
      expect.arrayContaining([
        {
          act: 'identityMoved',
          account_id: accountId,
          details: expect.objectContaining({ from: before.accountId }),
        },
        {
          act: 'identityMoved',
          account_id: before.accountId,
          details: expect.objectContaining({ to: accountId }),
        },
      ]),
    );
    clock.advance(afterMs);
    const session = (await sendLater(key, { emailAddress, password })).authenticatedSession.apiKey;
    const { body: list } = await auth.send({ key: session, method: 'GET', path: 'account/identities' });
    const path = `account/identities/${list.identities[0].id}`;
    expect((await auth.send({ key: session, method: 'DELETE', path })).body).toBe(true);
    const after = (await sendLater(key, { tokens: device('moved') })).authenticatedSession;
    expect([after.accountId === before.accountId, after.newAccount]).toEqual([isBack, !isBack]);
  });
});

test('an administrator moves a live session from one project to another', async () => {
  const { key } = await world.project();
  const login = { emailAddress: 'two@example.com', password, requestedRole: 'builtin:admin' };
  await register(key, 'two@example.com', { requestedRole: 'builtin:admin' });
  const { authenticatedSession } = await sendLater(key, { ...login, promptForProject: true });
  const { projectId } = await world.project();
  const grant =
    "INSERT INTO auth.members (account_id, project_id, role, granted) VALUES ($1, $2, 'viewer', now())";
  await world.db.query(grant, [authenticatedSession.accountId, projectId]);
  const { apiKey } = authenticatedSession;
  const nowhere = await auth.send({ key: apiKey, path: 'authenticate/switch', body: { projectId: '' } });
  expect(nowhere.body).toMatchObject({
    code: 1003,
    data: { parameterName: 'projectId', parameterIsMissing: true },
  });
  const switched = await auth.send({ key: apiKey, path: 'authenticate/switch', body: { projectId } });
  // Clients of the original service expect the same type as from a sign-in.
  const asked = await sendLater(key, { ...login, promptForProject: true });
  expect(asked.availableProjects).toHaveLength(2);
  expect(Object.keys(switched.body).toSorted()).toEqual(Object.keys(asked).toSorted());
  expect(promptFlags.map((flag) => switched.body[flag])).toEqual(promptFlags.map(() => false));
  expect(switched.body.authenticatedSession).toEqual({
    ...authenticatedSession,
    projectId,
    secretKey: null,
    expiry: expect.any(Number),
  });
  expect(switched.body).toMatchObject({ created: false, createdProject: null, tokens: [], notices: [] });
  expect((await auth.send({ key: apiKey, method: 'GET', path: 'session' })).body.projectId).toBe(projectId);
});

test('the audit trail contains refused attempts and new links, without credentials', async () => {
  const { projectId, key } = await world.project({ sessions: { linking: 'auto' } });
  const emailAddress = 'trail@example.com';
  await register(key, emailAddress);
  const wrong = 'this is not her password';
  expect((await sendLater(key, { emailAddress, password: wrong })).code).toBe(4001);
  const linked = await sendLater(key, { emailAddress, password, tokens: device('trail') });
  const rows = await audited(projectId);
  expect(rows.find(({ act }) => act === 'signInRefused')?.details).toEqual({
    reason: 'credentialsInvalid',
    role: 'builtin:user',
  });
  expect(rows.find(({ act }) => act === 'identityLinked')).toEqual({
    act: 'identityLinked',
    account_id: linked.authenticatedSession.accountId,
    details: { provider: 'deviceTest' },
  });
  expect(JSON.stringify(rows)).not.toContain(wrong);
});
