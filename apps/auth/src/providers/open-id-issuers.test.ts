import { readProviderSettings } from '@tickrate/contract';
import { startMockIssuer, startOidcServer, startStandIn } from '@tickrate/testkit';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createTokenStores } from '../testing/token-stores.ts';
import { createTokenVerifier } from './token-verifier.ts';

const mock = await startMockIssuer();
const oidc = await startOidcServer();
afterAll(async () => {
  await mock.stop();
  await oidc.stop();
});

let aheadMs = 0;
const verifier = createTokenVerifier({
  ...createTokenStores(),
  development: true,
  now: () => Date.now() + aheadMs,
  onFault: (error) => {
    throw error;
  },
});
afterAll(() => verifier.close());
afterEach(() => {
  aheadMs = 0;
});

async function check(issuer: string, clientId: string, token: { idToken: string; nonce?: string }) {
  const given = { openId: { web: { issuers: [issuer], clientIds: [clientId] } } };
  const { settings, faults } = readProviderSettings(given, { testMode: false });
  expect(faults).toEqual([]);
  const fields = { connectionId: 'web', ...token };
  const [verdict] = await verifier.verify(settings, [{ provider: 'openId', index: 0, fields }], 'p-1');
  return verdict;
}

describe('an ID token of a certified provider', () => {
  it('is verified with the keys of its discovery document', async () => {
    const idToken = await oidc.signIn('marigold', 'n-1');
    expect(await check(oidc.issuer, oidc.clientId, { idToken, nonce: 'n-1' })).toMatchObject({
      status: 'accepted',
      identity: { provider: 'openid:web', tenant: oidc.issuer, subject: 'marigold' },
    });
  });

  it('can be used once if it was made for one sign-in', async () => {
    const idToken = await oidc.signIn('marigold', 'n-2');
    const verdicts = await Promise.all(
      Array.from({ length: 5 }, () => check(oidc.issuer, oidc.clientId, { idToken, nonce: 'n-2' })),
    );
    const statuses = verdicts.map((verdict) => verdict?.status).toSorted();
    expect(statuses).toEqual(['accepted', ...Array.from({ length: 4 }, () => 'alreadyUsed')]);
  });

  it('is refused without its nonce, with another, and for another client', async () => {
    const idToken = await oidc.signIn('marigold', 'n-3');
    expect(await check(oidc.issuer, oidc.clientId, { idToken })).toMatchObject({ detail: 'nonce' });
    expect(await check(oidc.issuer, oidc.clientId, { idToken, nonce: 'n-4' })).toMatchObject({
      detail: 'nonce',
    });
    expect(await check(oidc.issuer, 'another-game', { idToken, nonce: 'n-3' })).toMatchObject({
      detail: 'aud',
    });
    expect(await check(oidc.issuer, oidc.clientId, { idToken, nonce: 'n-3' })).toMatchObject({
      status: 'accepted',
    });
  });

  it('is over when its time is', async () => {
    const idToken = await oidc.signIn('marigold');
    aheadMs = 2 * 60 * 60_000;
    expect(await check(oidc.issuer, oidc.clientId, { idToken })).toMatchObject({ status: 'expired' });
  });
});

describe('an issuer that changes its keys', () => {
  const claims = { aud: 'game', sub: 'finch' };

  it('is asked again for a key that is not known, at most every 30 s', async () => {
    const before = await mock.sign(claims);
    expect(await check(mock.issuer, 'game', { idToken: before })).toMatchObject({ status: 'accepted' });
    await mock.addKey('second');
    const after = await mock.sign(claims, 'second');
    aheadMs = 29_000;
    expect(await check(mock.issuer, 'game', { idToken: after })).toMatchObject({ status: 'rejected' });
    expect(await check(mock.issuer, 'game', { idToken: before })).toMatchObject({ status: 'accepted' });
    aheadMs = 31_000;
    expect(await check(mock.issuer, 'game', { idToken: after })).toMatchObject({ status: 'accepted' });
  });

  it('vouches for an address only where it says so', async () => {
    const verified = await mock.sign({ ...claims, email: 'm@example.test', email_verified: true });
    const unverified = await mock.sign({ ...claims, email: 'm@example.test' });
    expect(await check(mock.issuer, 'game', { idToken: verified })).toMatchObject({
      identity: { email: { address: 'm@example.test', verified: true } },
    });
    expect(await check(mock.issuer, 'game', { idToken: unverified })).toMatchObject({
      identity: { email: { address: 'm@example.test', verified: false } },
    });
  });
});

describe('an issuer whose discovery document names another issuer', () => {
  it('is not believed, nor are the keys that it names', async () => {
    const impostor = await startStandIn(({ url }) =>
      url.pathname.startsWith('/.well-known/')
        ? { status: 200, body: { issuer: mock.issuer, jwks_uri: `${mock.issuer}/jwks` } }
        : { status: 404, body: {} },
    );
    const idToken = await mock.sign({ iss: impostor.address, aud: 'game', sub: 'finch' });
    expect(await check(impostor.address, 'game', { idToken })).toMatchObject({ status: 'unavailable' });
    await impostor.stop();
  });
});
