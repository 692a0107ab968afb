import { createHash } from 'node:crypto';
import { readProviderSettings } from '@tickrate/contract';
import { createManualClock, startStandIn } from '@tickrate/testkit';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, describe, expect, it } from 'vitest';
import { createTokenStores } from '../testing/token-stores.ts';
import { createTokenVerifier } from './token-verifier.ts';

const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256' };
const issuer = await startStandIn(({ url }) =>
  ['/keys', '/1.0.0/certificates'].includes(url.pathname)
    ? { status: 200, body: { keys: [jwk] } }
    : { status: 404, body: {} },
);
const clock = createManualClock();
const verifier = createTokenVerifier({
  ...createTokenStores(),
  development: true,
  now: clock.now,
  onFault: (error) => {
    throw error;
  },
});
afterAll(async () => {
  verifier.close();
  await issuer.stop();
});

const seconds = Math.floor(clock.now() / 1000);

async function check(
  settings: object,
  payload: JWTPayload,
  { nonce, header = {} }: { nonce?: string; header?: object } = {},
) {
  const connection = { jwksUri: `${issuer.address}/keys`, clientIds: ['game'], ...settings };
  const read = readProviderSettings({ openId: { c: connection } }, { testMode: false });
  expect(read.faults).toEqual([]);
  const idToken = await new SignJWT({ aud: 'game', sub: 's', iat: seconds, exp: seconds + 900, ...payload })
    .setProtectedHeader({ alg: 'RS256', kid: 'one', ...header })
    .sign(privateKey);
  const fields = { connectionId: 'c', idToken, nonce: nonce ?? null };
  const [verdict] = await verifier.verify(read.settings, [{ provider: 'openId', index: 0, fields }], 'p-1');
  return verdict;
}

describe('the preset', () => {
  it('of Google takes both names of the issuer as one, another party of our project, and no hour-old token', async () => {
    const google = { preset: 'google' };
    for (const iss of ['https://accounts.google.com', 'accounts.google.com']) {
      expect(await check(google, { iss, azp: 'android' })).toMatchObject({
        status: 'accepted',
        identity: { tenant: 'https://accounts.google.com' },
      });
    }
    const late = { iss: 'https://accounts.google.com', iat: seconds - 3700 };
    expect(await check(google, late)).toMatchObject({ detail: 'iat' });
  });

  it('of Google believes it about addresses that are its own', async () => {
    const iss = 'https://accounts.google.com';
    const verified = async (claims: JWTPayload) => {
      const verdict = await check({ preset: 'google' }, { iss, email_verified: true, ...claims });
      return verdict?.status === 'accepted' ? verdict.identity.email?.verified : null;
    };
    expect(await verified({ email: 'm@gmail.com' })).toBe(true);
    expect(await verified({ email: 'm@studio.example', hd: 'studio.example' })).toBe(true);
    expect(await verified({ email: 'm@hotmail.example' })).toBe(false);
    expect(await verified({ email: 'm@gmail.com.evil.example' })).toBe(false);
    expect(await verified({ email: 'm@gmail.com', email_verified: false })).toBe(false);
  });

  it('of Apple takes a nonce as it is or hashed, and text for truth', async () => {
    const iss = 'https://appleid.apple.com';
    const hashed = createHash('sha256').update('n-1').digest('hex');
    expect(await check({ preset: 'apple' }, { iss, nonce: hashed }, { nonce: 'n-1' })).toMatchObject({
      status: 'accepted',
    });
    expect(await check({ preset: 'apple' }, { iss, nonce: 'n-2' }, { nonce: 'n-2' })).toMatchObject({
      status: 'accepted',
    });
    expect(await check({ preset: 'apple' }, { iss, nonce: hashed }, { nonce: 'n-3' })).toMatchObject({
      detail: 'nonce',
    });
    const withAddress = { iss, email: 'x@privaterelay.appleid.com', email_verified: 'true' };
    expect(await check({ preset: 'apple' }, withAddress)).toMatchObject({
      identity: { email: { verified: true } },
    });
  });

  it('of Epic Games knows its versions as one issuer', async () => {
    for (const version of ['v1', 'v2']) {
      const iss = `https://api.epicgames.dev/epic/oauth/${version}`;
      expect(await check({ preset: 'epicGames' }, { iss, dn: 'Finch' })).toMatchObject({
        identity: { tenant: 'https://api.epicgames.dev/epic/oauth/v2', displayName: 'Finch' },
      });
    }
  });

  it('of EOS Connect requires a deployment, and accepts no other', async () => {
    const read = readProviderSettings(
      { openId: { c: { preset: 'eosConnect', clientIds: ['g'] } } },
      { testMode: false },
    );
    expect(read.faults).toEqual(['/openId/c: claims: pfdid is needed']);
    expect(read.settings.openId.size).toBe(0);
    const iss = 'https://api.epicgames.dev/auth/v1/oauth';
    const eos = { preset: 'eosConnect', claims: { pfdid: 'live' } };
    expect(await check(eos, { iss, pfdid: 'live' })).toMatchObject({ status: 'accepted' });
    expect(await check(eos, { iss, pfdid: 'test' })).toMatchObject({ detail: 'pfdid' });
  });

  it('of Nintendo finds the application in its own claim, compares jku and follows it nowhere', async () => {
    const { address } = issuer;
    const nintendo = { preset: 'nintendo', issuers: [address], jwksUri: undefined };
    const payload = { iss: address, aud: 'baas', typ: 'id_token', nintendo: { ai: 'game' } };
    const jku = `${address}/1.0.0/certificates`;
    expect(await check(nintendo, payload, { header: { jku } })).toMatchObject({ status: 'accepted' });
    expect(await check(nintendo, payload, { header: { jku: 'https://evil.example/keys' } })).toMatchObject({
      detail: 'jku',
    });
    expect(await check(nintendo, { ...payload, nintendo: { ai: 'other' } })).toMatchObject({ detail: 'aud' });
    expect(await check(nintendo, { ...payload, typ: 'token' })).toMatchObject({ detail: 'typ' });
  });

  it('of Nintendo takes a sandbox in test mode only', () => {
    const openId = {
      c: { preset: 'nintendo', issuers: ['https://abc-sb.baas.nintendo.com'], clientIds: ['game'] },
    };
    expect(readProviderSettings({ openId }, { testMode: false }).settings.openId.size).toBe(0);
    expect(readProviderSettings({ openId }, { testMode: true }).settings.openId.size).toBe(1);
  });
});
