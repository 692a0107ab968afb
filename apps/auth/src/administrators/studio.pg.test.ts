import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { insertInvitation, readAddress } from '@tickrate/accounts';
import { type MockIssuer, startMockIssuer, startOidcServer, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createAuth } from '../app.ts';
import { type AuthValues, authConfig } from '../config.ts';
import { type AnswerBody, type AuthInstance, startAuthWorld } from '../testing/auth-world.ts';
import { password } from '../testing/player-world.ts';

/** What the provider says of each user. */
const users = new Map<string, Readonly<Record<string, unknown>>>();
/** What its userinfo says instead of some. */
const atUserinfo = new Map<unknown, () => object>();
const askedAtUserinfo: unknown[] = [];
const consoleUrl = 'http://127.0.0.1:8082';
const atProvider = {
  redirectUri: `${consoleUrl}/sign-in`,
  clientSecret: 'a secret of the client',
  claimsOf: (login: string) => users.get(login) ?? {},
  changeUserinfo(claims: Readonly<Record<string, unknown>>) {
    askedAtUserinfo.push(claims['sub']);
    return { ...claims, ...atUserinfo.get(claims['sub'])?.() };
  },
};
const provider = await startOidcServer(atProvider);
const thinProvider = await startOidcServer({ ...atProvider, hasThinTokens: true });
afterAll(() => Promise.all([provider.stop(), thinProvider.stop()]));
const { world, auth: passwordsOnly, key } = await startAuthWorld({ values: { adminSignup: 'open' } });
const { projectId, key: keyOfProject } = await world.project();
const { projectId: otherId } = await world.project();

const configured: Partial<AuthValues> = {
  adminSignup: 'open',
  adminOidcIssuer: provider.issuer,
  adminOidcClientId: provider.clientId,
  adminOidcClientSecret: 'a secret of the client',
  adminOidcScopes: ['openid', 'profile', 'email', 'groups'],
  adminOidcGroups: ['owners=owner', `analysts=analyst@${projectId}`, `viewers=viewer@${projectId}`],
  consoleUrl,
};
let auth: AuthInstance;
let trusting: AuthInstance;
let only: AuthInstance;
let thin: AuthInstance;
beforeAll(async () => {
  auth = await world.start(configured);
  trusting = await world.start({ ...configured, adminOidcTrustAddresses: true });
  only = await world.start({ ...configured, adminOidcOnly: true });
  thin = await world.start({ ...configured, adminOidcIssuer: thinProvider.issuer });
});

/** Of elsewhere.example, signed by itself. */
const certificateOfElsewhere = `-----BEGIN CERTIFICATE-----
MIIBjzCCATWgAwIBAgIUYdXWdli+uysEI/Hny2dypgKKzd0wCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRZWxzZXdoZXJlLmV4YW1wbGUwIBcNMjYxMTI4MDgzNTQ4WhgP
MjEyNjExMDQwODM1NDhaMBwxGjAYBgNVBAMMEWVsc2V3aGVyZS5leGFtcGxlMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEZV+DQDVxC0XupMoTDD6ufGi8cDhBMURJ
FAnV0/0Sj+zTBMpQwTx8mVp1Xo1GqBx6pvBMQIKkHD4wS8w5zUydq6NTMFEwHQYD
VR0OBBYEFKNa8+y4aP4G9vfQkeLQ5zfkpaaSMB8GA1UdIwQYMBaAFKNa8+y4aP4G
9vfQkeLQ5zfkpaaSMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDSAAwRQIh
ALlxyXU2PXK87BsLt61NW/qB8oGafMBCHZVFAXmaXvDOAiBuCao8Df291tOhNCDG
qsgp+8DbjFH8RsDwYV+gC4DPwg==
-----END CERTIFICATE-----
`;
const keyOfElsewhere = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg/Dq26Iltflgnaqih
5DGqiCYcjPyjQLQrLJaS6lvUwq6hRANCAARlX4NANXELRe6kyhMMPq58aLxwOEEx
REkUCdXT/RKP7NMEylDBPHyZWnVejUaoHHqm8ExAgqQcPjBLzDnNTJ2r
-----END PRIVATE KEY-----
`;

const asAdministrator = { requestedRole: 'builtin:admin', promptForProject: true };
const random = () => randomBytes(32).toString('base64url');

interface Visit {
  readonly code: string;
  readonly codeVerifier: string;
  readonly nonce: string;
}

/** From the console to the provider and back. */
async function visit(login: string, at = auth): Promise<Visit> {
  const [state, nonce, codeVerifier] = [random(), random(), random()];
  const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
  const body = { state, nonce, codeChallenge };
  const begun = await at.send({ key, method: 'POST', path: 'authenticate/provider', body });
  const landed = new URL(await (at === thin ? thinProvider : provider).visit(begun.body.url, login));
  expect(landed.href).toContain(`${consoleUrl}/sign-in?`);
  expect(landed.searchParams.get('state')).toBe(state);
  return { code: landed.searchParams.get('code') ?? '', codeVerifier, nonce };
}

function redeem({ code, codeVerifier }: Visit, at = auth) {
  return at.send({ key, path: 'authenticate/provider', body: { code, codeVerifier } });
}

async function tokenOf(login: string, at = auth) {
  const visited = await visit(login, at);
  return { ...(await redeem(visited, at)).body, nonce: visited.nonce };
}

async function send(token: object, at = auth, more: object = {}): Promise<AnswerBody> {
  const body = { ...asAdministrator, tokens: { oAuthTokens: [token] }, ...more };
  return (await at.send({ key, body })).body;
}

/** Signs a user in whom the provider describes like this. */
async function arrive(
  login: string,
  claims: object,
  { at = auth, ...more }: { at?: AuthInstance; projectId?: string; tokens?: object } = {},
) {
  users.set(login, { ...claims });
  return send(await tokenOf(login, at), at, more);
}

const membersOf = (accountId: string) =>
  world.db.query<{ project_id: string; role: string }>(
    'SELECT project_id, role FROM auth.members WHERE account_id = $1 ORDER BY project_id',
    [accountId],
  );
const memberships = async (accountId: string) =>
  Object.fromEntries((await membersOf(accountId)).map((row) => [row.project_id, row.role]));

/** An administrator with a password. */
async function register(emailAddress: string): Promise<string> {
  const body = { ...asAdministrator, emailAddress, password };
  await passwordsOnly.send({ key, body: { ...body, intent: 'register' } });
  const token = await waitUntil(() => world.mailedCode(emailAddress), { what: `a mail to ${emailAddress}` });
  const path = 'account/email/verify';
  await passwordsOnly.send({ key, method: 'POST', path, body: { token, password } });
  return (await passwordsOnly.send({ key, body })).body.authenticatedSession.accountId;
}

describe('the roles of groups', () => {
  const kim = { email: 'kim@studio.example', email_verified: true, name: 'Kim' };

  test('are given at a sign-in, and changed and taken at the next, with sessions and keys; an invitation stays', async () => {
    const first = await arrive('kim', { ...kim, groups: ['viewers', 'analysts'] });
    const { accountId, apiKey, amr } = first.authenticatedSession;
    expect([first.authenticatedSession.projectId, amr]).toEqual([projectId, ['openId']]);
    expect(await memberships(accountId)).toEqual({ [projectId]: 'analyst' });
    const bounds = { projectId, comment: '', createdBy: accountId, scopes: ['queries:read'] };
    const made = await world.registry.createKey({ ...bounds, kind: 'administrative' });

    const nowMs = Date.now();
    await insertInvitation(world.db, {
      id: randomUUID(),
      projectId: otherId,
      email: readAddress(kim.email),
      role: 'viewer',
      invitedBy: 'key 1',
      nowMs,
      expiresMs: nowMs + 86_400_000,
    });
    const owner = await arrive('kim', { ...kim, groups: ['owners'] });
    expect(owner).toMatchObject({ promptForProject: true, authenticatedSession: null });
    expect(await memberships(accountId)).toMatchObject({ [projectId]: 'owner', [otherId]: 'viewer' });

    const left = await arrive('kim', { ...kim, groups: 'strangers' });
    expect(left.authenticatedSession).toMatchObject({ accountId, projectId: otherId });
    expect(await memberships(accountId)).toEqual({ [otherId]: 'viewer' });
    const ended = await auth.send({ key: apiKey, method: 'GET', path: 'session' });
    expect(ended.body.code).toBe(2004);
    const keys = await world.registry.keys(projectId);
    expect(keys.find(({ id }) => id === made.key.id)?.scopes).toEqual([]);
  });

  test('choose one of several projects with the same token, which no other caller can use', async () => {
    users.set('ada', { groups: ['owners'] });
    const token = await tokenOf('ada');
    const asked = await send(token);
    expect(asked.availableProjects.length).toBeGreaterThan(2);
    const chosen = { exchangeId: asked.exchangeId, projectId: otherId };
    expect((await send(token, auth, chosen)).authenticatedSession.projectId).toBe(otherId);
    const thief = { ...asAdministrator, projectId: otherId, tokens: { oAuthTokens: [token] } };
    expect((await auth.send({ key: keyOfProject, body: thief })).body).toMatchObject({
      code: 4002,
      data: { objectContext: 'openId: alreadyUsed' },
    });
  });

  test('give one account to twenty parallel first sign-ins', async () => {
    users.set('bea', { groups: ['analysts'] });
    const tokens = await Promise.all(Array.from({ length: 20 }, () => tokenOf('bea')));
    const answers = await Promise.all(tokens.map((token) => send(token)));
    const ids = answers.map((answer) => answer.authenticatedSession?.accountId);
    expect([new Set(ids).size, ids.includes(undefined)]).toEqual([1, false]);
  });

  test('are needed, or an invitation: the refusal names what is missing', async () => {
    expect(await arrive('eve', { groups: ['players'] })).toMatchObject({
      code: 4007,
      fields: expect.stringContaining('none of your groups has a role here'),
    });
    expect(await arrive('fay', { email: 'fay@studio.example' })).toMatchObject({
      code: 4007,
      fields: expect.stringContaining('lists no groups'),
    });
    // A former administrator gets no project of its own either.
    const former = await arrive('gil', { groups: ['analysts'] });
    const { accountId } = former.authenticatedSession;
    expect((await arrive('gil', { groups: [] })).code).toBe(4007);
    expect(await memberships(accountId)).toEqual({});
    const refused = await world.db.query<{ account_id: string | null; reason: string }>(
      "SELECT account_id, details ->> 'reason' AS reason FROM auth.audit WHERE act = 'signInRefused' ORDER BY at, id",
    );
    const reason = 'registrationClosed';
    expect(refused.slice(-3)).toEqual([null, null, accountId].map((id) => ({ account_id: id, reason })));
  });
});

test('a group can have a comma in its name, which the setting contains as %2C', async () => {
  const text = `CN=Ops%2COU=Kart%2cDC=studio=analyst@${projectId},viewers=viewer@${projectId}`;
  const given = { AUTH_SECRET: 'x'.repeat(32), SECRETS_KEY: 'x'.repeat(32), ADMIN_OIDC_GROUPS: text };
  const { adminOidcGroups } = authConfig.parse({ ...given, POSTGRES_URL: 'postgres://127.0.0.1:1/nothing' });
  const at = await world.start({ ...configured, adminOidcGroups });
  const { authenticatedSession } = await arrive('moe', { groups: ['CN=Ops,OU=Kart,DC=studio'] }, { at });
  expect(await memberships(authenticatedSession.accountId)).toEqual({ [projectId]: 'analyst' });
});

describe('claims that only userinfo has', () => {
  const nia = {
    email: 'nia@studio.example',
    email_verified: true,
    name: 'Nia',
    groups: ['owners', 'viewers'],
  };

  test('give roles and an address, at any process and for each use of the token in its exchange', async () => {
    users.set('nia', nia);
    const other = await world.start({ ...configured, adminOidcIssuer: thinProvider.issuer });
    const token = await tokenOf('nia', thin);
    const asked = await send(token, other);
    expect(asked.availableProjects.length).toBeGreaterThan(1);
    const session = (await send(token, thin, { exchangeId: asked.exchangeId, projectId }))
      .authenticatedSession;
    expect(await memberships(session.accountId)).toMatchObject({ [projectId]: 'owner' });
    const rows = await world.db.query('SELECT email, display_name AS name FROM auth.accounts WHERE id = $1', [
      session.accountId,
    ]);
    expect(rows).toEqual([{ email: nia.email, name: 'Nia' }]);
  });

  test('are requested only if the ID token lacks the groups or the address', async () => {
    const whole = { email: 'ola@studio.example', email_verified: true, groups: ['analysts'] };
    expect(await arrive('ola', whole)).toMatchObject({ authenticatedSession: { projectId } });
    expect(askedAtUserinfo).not.toContain('ola');
    atUserinfo.set('pia', () => ({
      email: 'pia@studio.example',
      email_verified: undefined,
      groups: ['owners'],
    }));
    const { authenticatedSession } = await arrive('pia', { email_verified: true, groups: ['viewers'] });
    expect(await memberships(authenticatedSession.accountId)).toEqual({ [projectId]: 'viewer' });
    const [row] = await world.db.query('SELECT email FROM auth.accounts WHERE id = $1', [
      authenticatedSession.accountId,
    ]);
    // A mark of the ID token verifies no address of userinfo.
    expect(row).toEqual({ email: null });
  });

  test.each<[string, () => object, object]>([
    [
      'of a provider that fails',
      () => {
        throw new Error('a fault of the provider');
      },
      { code: 6003, data: { objectContext: 'openId' } },
    ],
    [
      'of another user',
      () => ({ sub: 'nia' }),
      { code: 5001, data: { invalidConfigurationReason: 'openId' } },
    ],
  ])('%s are refused', async (login, answer, expected) => {
    users.set(login, nia);
    atUserinfo.set(login, answer);
    expect((await redeem(await visit(login, thin), thin)).body).toMatchObject(expected);
  });
});

describe('an address', () => {
  const taken = { email: 'Gus@studio.example', groups: ['analysts'] };
  let accountId: string;
  beforeAll(async () => {
    accountId = await register('gus@studio.example');
  });

  test('that is not verified opens no account: the user gets another one without it', async () => {
    for (const at of [auth, trusting]) {
      const answer = await arrive('unverified', { ...taken, email_verified: false }, { at });
      expect(answer.authenticatedSession.accountId).not.toBe(accountId);
    }
  });

  test('that is verified opens an existing account only if the operator trusts the provider', async () => {
    const verified = { ...taken, email_verified: true };
    expect(await arrive('gus', verified)).toMatchObject({
      code: 3011,
      fields: expect.stringContaining('ADMIN_OIDC_TRUST_ADDRESSES'),
    });
    const { authenticatedSession: session } = await arrive('gus', verified, { at: trusting, projectId });
    expect(session).toMatchObject({ accountId, projectId });
    const rows = await world.db.query<{ act: string }>(
      "SELECT act FROM auth.audit WHERE account_id = $1 AND act = 'identityLinked'",
      [accountId],
    );
    expect(rows).toHaveLength(1);
    const successor = await arrive('gus-2', { ...verified, groups: ['analysts'] }, { at: trusting });
    expect(successor).toMatchObject({ code: 3011 });
    // From then on the subject is the identity.
    const again = await arrive('gus', { groups: ['analysts'] }, { projectId });
    expect(again.authenticatedSession).toMatchObject({ accountId, projectId });
  });
});

describe('is refused:', () => {
  const rejected = { code: 4002, data: { objectContext: 'openId: rejected' } };
  const codeUnknown = { code: 4002, fields: expect.stringContaining('does not know this code') };
  let otherClient: AuthInstance;
  let strangeIssuer: MockIssuer;
  beforeAll(async () => {
    users.set('hal', { groups: ['analysts'] });
    otherClient = await world.start({ ...configured, adminOidcClientId: 'another-client' });
    strangeIssuer = await startMockIssuer();
  });
  afterAll(() => strangeIssuer.stop());

  test.each<[string, () => Promise<AnswerBody>, object]>([
    [
      'a token that was used, though it lists a group that was lost since',
      async () => {
        const token = await tokenOf('hal');
        expect(await send(token)).toMatchObject({ authenticatedSession: { projectId } });
        expect(await arrive('hal', { groups: [] })).toMatchObject({ code: 4007 });
        users.set('hal', { groups: ['analysts'] });
        return send(token);
      },
      { code: 4002, data: { objectContext: 'openId: alreadyUsed' } },
    ],
    [
      'a code that was used',
      async () => {
        const visited = await visit('hal');
        await redeem(visited);
        return (await redeem(visited)).body;
      },
      codeUnknown,
    ],
    [
      'a code without the verifier of its challenge',
      async () => (await redeem({ ...(await visit('hal')), codeVerifier: random() })).body,
      codeUnknown,
    ],
    [
      'a token with another nonce',
      async () => send({ ...(await tokenOf('hal')), nonce: random() }),
      rejected,
    ],
    [
      'a token without its nonce',
      async () => send({ ...(await tokenOf('hal')), nonce: undefined }),
      rejected,
    ],
    ['a token for another client', async () => send(await tokenOf('hal'), otherClient), rejected],
    [
      'a token of an issuer that a project names for its players',
      async () => {
        const openId = { studio: { issuers: [strangeIssuer.issuer], clientIds: ['game'] } };
        await world.registry.setPolicy({ projectId, name: 'providers', value: { openId } });
        const nonce = random();
        const claims = { sub: 'hal', aud: 'game', nonce, groups: ['owners'] };
        const idToken = await strangeIssuer.sign(claims);
        const body = {
          ...asAdministrator,
          tokens: { oAuthTokens: [{ connectionId: 'studio', idToken, nonce }] },
        };
        return (await auth.send({ key: keyOfProject, body })).body;
      },
      rejected,
    ],
    [
      'a token of an administrator at the sign-in of players',
      async () => send(await tokenOf('hal'), auth, { requestedRole: undefined }),
      { authenticatedSession: null, tokens: [{ status: 'notConfigured' }] },
    ],
    [
      'a device token for an administrator',
      async () =>
        arrive('hal', { groups: ['analysts'] }, { tokens: { deviceTokens: [{ deviceId: 'new' }] } }),
      { issuedDeviceToken: null, promptForEmailAddress: true },
    ],
  ])('%s', async (_, act, expected) => {
    expect(await act()).toMatchObject(expected);
  });

  test('an administrator at an address that is not allowed, and no player', async () => {
    const at = await world.start({
      ...configured,
      allowedAddresses: ['10.0.0.0/8'],
      trustedProxies: ['127.0.0.1'],
    });
    const token = await tokenOf('hal');
    const body = { ...asAdministrator, tokens: { oAuthTokens: [token] } };
    const from = (address: string, sent: object = body) =>
      at.send({ key, body: sent, headers: { 'X-Forwarded-For': address } });
    const named = '192.0.2.7 is not in CONSOLE_ALLOWED_ADDRESSES';
    const refused = { code: 2005, fields: expect.stringContaining(named) };
    expect((await from('192.0.2.7')).body).toMatchObject(refused);
    expect((await from('10.1.2.3')).body).toMatchObject({ authenticatedSession: { projectId } });
    expect((await from('192.0.2.7')).body).toMatchObject(refused);
    const player = { tokens: { deviceTokens: [{ deviceId: 'new' }] } };
    expect((await from('192.0.2.7', player)).status).toBe(200);
  });

  test('every password, where the provider is the only way', async () => {
    const emailAddress = 'ida@studio.example';
    await register(emailAddress);
    const refused = { code: 2005, fields: expect.stringContaining('tickrate sign-in-link') };
    const login = { ...asAdministrator, emailAddress, password };
    for (const body of [login, { ...login, intent: 'register' }])
      expect((await only.send({ key, body })).body).toMatchObject(refused);
    const reset = { emailAddress, requestedRole: 'builtin:admin' };
    const answer = await only.send({ key, method: 'POST', path: 'password/reset', body: reset });
    expect(answer.body).toMatchObject(refused);
    const before = await world.mailedCodes(emailAddress);
    await passwordsOnly.send({ key, method: 'POST', path: 'password/reset', body: reset });
    const token = await waitUntil(
      async () => (await world.mailedCodes(emailAddress)).find((code) => !before.includes(code)),
      { what: 'a code of an instance that still knows passwords' },
    );
    const redeemed = await only.send({ key, path: 'password/reset', body: { token, password } });
    expect(redeemed.body).toMatchObject({ code: 4002 });
    const shown = await only.send({ key, method: 'GET', path: 'authenticate/provider' });
    expect(shown.body).toEqual({ name: new URL(provider.issuer).host, only: true });
    const session = await arrive('ida', { groups: ['analysts'] }, { at: only });
    expect(session.authenticatedSession.projectId).toBe(projectId);
  });
});

describe('what the operator must mend is named at the start:', () => {
  const certified = createServer({ key: keyOfElsewhere, cert: certificateOfElsewhere });
  beforeAll(async () => {
    certified.listen(0, '127.0.0.1');
    await once(certified, 'listening');
  });
  afterAll(() => new Promise((resolve) => certified.close(resolve)));
  const portOf = () => (certified.address() as AddressInfo).port;

  test.each<[string, () => Partial<AuthValues>, string]>([
    [
      'an issuer with another name',
      () => ({ adminOidcIssuer: `${provider.issuer}/` }),
      `calls itself ${provider.issuer}: set ADMIN_OIDC_ISSUER to exactly this`,
    ],
    [
      'an issuer that is not there',
      () => ({ adminOidcIssuer: 'http://127.0.0.1:1' }),
      'ECONNREFUSED): check ADMIN_OIDC_ISSUER',
    ],
    [
      'a certificate that is not trusted',
      () => ({ adminOidcIssuer: `https://127.0.0.1:${portOf()}` }),
      'set NODE_EXTRA_CA_CERTS',
    ],
    [
      'a project that does not exist',
      () => ({ adminOidcGroups: ['a=viewer@p-abcdefghijkm'] }),
      'a: there is no project p-abcdefghijkm',
    ],
    [
      'a role that the project does not have',
      () => ({ adminOidcGroups: [`b=pilot@${projectId}`] }),
      `b: the project ${projectId} has no role 'pilot'`,
    ],
  ])('%s', async (_, values, named) => {
    const broken = await world.start({ ...configured, ...values() });
    await broken.stop();
    expect(world.log()).toContain(named);
  });

  test.each<[Record<string, string>, string]>([
    [{ ADMIN_OIDC_ISSUER: 'http://id.example.com' }, 'ADMIN_OIDC_ISSUER must begin with https://'],
    [{ ADMIN_OIDC_GROUPS: 'admins' }, "ADMIN_OIDC_GROUPS 'admins': must be group=role"],
    [{ ADMIN_OIDC_GROUPS: 'admins=boss' }, "'boss' is no role of all projects: use owner"],
    [{ ADMIN_OIDC_ONLY: 'true' }, 'ADMIN_OIDC_ONLY has no effect without ADMIN_OIDC_ISSUER'],
    [{ ADMIN_OIDC_ISSUER: 'https://id.example.com' }, 'ADMIN_OIDC_CLIENT_ID is required'],
  ])('%j', (environment, named) => {
    const given = {
      POSTGRES_URL: 'postgres://127.0.0.1:1/nothing',
      AUTH_SECRET: 'x'.repeat(32),
      SECRETS_KEY: 'x'.repeat(32),
    };
    expect(() => createAuth(authConfig.parse({ ...given, ...environment }))).toThrow(named);
  });
});
