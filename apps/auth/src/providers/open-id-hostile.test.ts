import { createHmac, type KeyObject } from 'node:crypto';
import { readProviderSettings } from '@tickrate/contract';
import { createManualClock, startStandIn } from '@tickrate/testkit';
import { exportJWK, exportSPKI, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { createTokenStores } from '../testing/token-stores.ts';
import { createTokenVerifier } from './token-verifier.ts';

const ours = await generateKeyPair('RS256', { extractable: true });
const theirs = await generateKeyPair('RS256', { extractable: true });
const oursPublic = { ...(await exportJWK(ours.publicKey)), kid: 'ours', alg: 'RS256', use: 'sig' };
const theirsPublic = { ...(await exportJWK(theirs.publicKey)), kid: 'ours', alg: 'RS256', use: 'sig' };

let publicKey = oursPublic;
const issuer = await startStandIn(({ url }) =>
  url.pathname === '/keys'
    ? {
        status: 200,
        body: { keys: [publicKey, { kty: 'oct', kid: 'shared', k: 'c2VjcmV0', alg: 'HS256' }] },
      }
    : { status: 404, body: {} },
);
const attacker = await startStandIn(() => ({ status: 200, body: { keys: [theirsPublic] } }));
const clock = createManualClock();
let verifier = start();
afterAll(async () => {
  verifier.close();
  await Promise.all([issuer.stop(), attacker.stop()]);
});
beforeEach(() => {
  verifier.close();
  verifier = start();
  issuer.feel('well');
  publicKey = oursPublic;
});

function start() {
  return createTokenVerifier({
    ...createTokenStores(),
    development: true,
    now: clock.now,
    onFault: (error) => {
      throw error;
    },
  });
}

const iss = 'https://issuer.example';

function claims(changes: JWTPayload = {}): JWTPayload {
  const seconds = Math.floor(clock.now() / 1000);
  return { iss, aud: 'game', sub: 'finch', iat: seconds, exp: seconds + 3600, ...changes };
}

async function sign(payload: JWTPayload, header: object = {}, key: CryptoKey | KeyObject = ours.privateKey) {
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'ours', ...header }).sign(key);
}

async function check(idToken: string, changes: object = {}, nonce?: string) {
  const connection = {
    issuers: [iss],
    jwksUri: `${issuer.address}/keys`,
    clientIds: ['game', 'demo'],
    ...changes,
  };
  const read = readProviderSettings({ openId: { c: connection } }, { testMode: false });
  expect(read.faults).toEqual([]);
  const fields = { connectionId: 'c', idToken, nonce: nonce ?? null };
  const [verdict] = await verifier.verify(read.settings, [{ provider: 'openId', index: 0, fields }], 'p-1');
  return verdict;
}

function unsigned(header: object, payload: object): string {
  return [header, payload].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');
}

it('a claim with a NUL, which PostgreSQL cannot store, counts as missing', async () => {
  const given = { name: 'Fin\0ch', preferred_username: 'finch', picture: '\0', email: 'f\0@example.com' };
  expect(await check(await sign(claims(given)))).toMatchObject({
    status: 'accepted',
    identity: { displayName: 'finch', avatarUrl: null, email: null },
  });
});

describe('a hostile ID token is rejected', () => {
  it('unless it is none: this one is accepted', async () => {
    expect(await check(await sign(claims()))).toMatchObject({
      status: 'accepted',
      identity: { tenant: iss, subject: 'finch' },
    });
  });

  it('without a signature', async () => {
    const token = unsigned({ alg: 'none', kid: 'ours' }, claims());
    for (const each of [`${token}.`, token, `${token}.AA`, `${unsigned({ alg: 'None' }, claims())}.AA`]) {
      expect(await check(each)).toMatchObject({ status: 'rejected' });
    }
  });

  it('when the public key was used as a shared secret', async () => {
    const secrets = [await exportSPKI(ours.publicKey), JSON.stringify(oursPublic), 'secret'];
    for (const secret of secrets) {
      const signed = unsigned({ alg: 'HS256', kid: 'ours', typ: 'JWT' }, claims());
      const signature = createHmac('sha256', secret).update(signed).digest('base64url');
      expect(await check(`${signed}.${signature}`)).toMatchObject({ status: 'rejected' });
    }
  });

  it('signed with another key is refused for every address of its key, and that address is not called', async () => {
    const jku = `${attacker.address}/keys`;
    for (const header of [{}, { jku }, { x5u: jku }, { jwk: theirsPublic }]) {
      expect(await check(await sign(claims(), header, theirs.privateKey))).toMatchObject({
        status: 'rejected',
      });
    }
    expect(attacker.requests).toEqual([]);
    // Our key, with a header that points elsewhere: the header changes nothing.
    expect(await check(await sign(claims(), { jku }))).toMatchObject({ status: 'accepted' });
  });

  it('of another issuer or for another audience', async () => {
    const wrong = [
      { iss: 'https://evil.example' },
      { iss: `${iss}/` },
      { aud: 'other' },
      { aud: [] },
      { iss: undefined },
    ];
    for (const changes of wrong) {
      expect(await check(await sign(claims(changes as JWTPayload)))).toMatchObject({ status: 'rejected' });
    }
  });

  it('for several audiences that was issued to another client', async () => {
    const aud = ['game', 'other'];
    expect(await check(await sign(claims({ aud })))).toMatchObject({ detail: 'azp' });
    expect(await check(await sign(claims({ aud, azp: 'other' })))).toMatchObject({ detail: 'azp' });
    expect(await check(await sign(claims({ aud, azp: 'demo' })))).toMatchObject({ status: 'accepted' });
    expect(await check(await sign(claims({ azp: 'launcher' })))).toMatchObject({ detail: 'azp' });
    expect(
      await check(await sign(claims({ azp: 'launcher' })), { authorizedParties: ['launcher'] }),
    ).toMatchObject({
      status: 'accepted',
    });
  });

  it('before and after its time', async () => {
    const seconds = Math.floor(clock.now() / 1000);
    expect(await check(await sign(claims({ exp: seconds - 31 })))).toMatchObject({ status: 'expired' });
    for (const changes of [{ nbf: seconds + 40 }, { iat: seconds + 40 }, { exp: undefined }]) {
      expect(await check(await sign(claims(changes as JWTPayload)))).toMatchObject({ status: 'rejected' });
    }
    const old = claims({ iat: seconds - 700 });
    expect(await check(await sign(old), { maxAgeSeconds: 600 })).toMatchObject({ detail: 'iat' });
  });

  it('that is an access token, has critical headers, no subject or wrong claims', async () => {
    expect(await check(await sign(claims(), { typ: 'at+jwt' }))).toMatchObject({ status: 'rejected' });
    const { sub: _sub, ...nobody } = claims();
    for (const payload of [
      nobody,
      claims({ sub: '' }),
      claims({ sub: 'a\u0000b' }),
      claims({ sub: 'a\ud800b' }),
    ]) {
      expect(await check(await sign(payload))).toMatchObject({ status: 'rejected' });
    }
    const critical = `${unsigned({ alg: 'RS256', kid: 'ours', crit: ['x'], x: 1 }, claims())}.AAAA`;
    expect(await check(critical)).toMatchObject({ status: 'rejected' });
    expect(await check(await sign(claims()), { claims: { pfdid: 'live' } })).toMatchObject({
      detail: 'pfdid',
    });
  });

  it('that is huge, cut or not a token at all, without a call', async () => {
    const whole = await sign(claims());
    const before = issuer.requests.length;
    const huge = await sign(claims({ padding: 'x'.repeat(16_000) }));
    for (const text of [
      '',
      'a.b.c',
      huge,
      whole.replaceAll('.', ' '),
      `${whole}.x`,
      '..',
      '{}',
      'e30.e30.e30',
    ]) {
      expect(await check(text)).toMatchObject({ status: 'rejected' });
    }
    expect(issuer.requests.length).toBe(before);
    expect(await check(whole.slice(0, -20))).toMatchObject({ status: 'rejected' });
  });

  it('that was changed in any one place', async () => {
    const token = await sign(claims());
    const at = token.indexOf('.') + 12;
    for (const place of [5, at, token.length - 40]) {
      const other = token[place] === 'A' ? 'B' : 'A';
      expect(await check(token.slice(0, place) + other + token.slice(place + 1))).toMatchObject({
        status: 'rejected',
      });
    }
  });

  it('that was used before, if tokens can be used once, although its signature is written in another way', async () => {
    const token = await sign(claims());
    expect(await check(token, { singleUse: true })).toMatchObject({ status: 'accepted' });
    expect(await check(token, { singleUse: true })).toMatchObject({ status: 'alreadyUsed' });
    // The last character contains four unused bits.
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const last = digits[digits.indexOf(token.at(-1) ?? '') ^ 1] ?? '';
    const rewritten = `${token.slice(0, -1)}${last}`;
    expect(await check(rewritten)).toMatchObject({ status: 'accepted' });
    expect(await check(rewritten, { singleUse: true })).toMatchObject({ status: 'alreadyUsed' });
  });
});

describe('the keys of an issuer that is away', () => {
  const hourMs = 60 * 60_000;

  it('are used for a day, and requested again when it is back', async () => {
    expect(await check(await sign(claims()))).toMatchObject({ status: 'accepted' });
    issuer.feel('html');
    clock.advance(23 * hourMs);
    expect(await check(await sign(claims()))).toMatchObject({ status: 'accepted' });
    clock.advance(2 * hourMs);
    expect(await check(await sign(claims()))).toMatchObject({ status: 'unavailable' });
    issuer.feel('well');
    clock.advance(hourMs);
    expect(await check(await sign(claims()))).toMatchObject({ status: 'accepted' });
  });

  it('are asked for once by many at a time', async () => {
    const token = await sign(claims());
    const before = issuer.requests.length;
    const verdicts = await Promise.all(Array.from({ length: 50 }, () => check(token)));
    expect(new Set(verdicts.map((verdict) => verdict?.status))).toEqual(new Set(['accepted']));
    expect(issuer.requests.length).toBe(before + 1);
  });

  it('are asked for again when a signature does not match a key that was replaced under its id', async () => {
    expect(await check(await sign(claims()))).toMatchObject({ status: 'accepted' });
    publicKey = theirsPublic;
    clock.advance(31_000);
    expect(await check(await sign(claims(), {}, theirs.privateKey))).toMatchObject({ status: 'accepted' });
    expect(await check(await sign(claims()))).toMatchObject({ status: 'rejected' });
  });

  it('are not asked for again by tokens that name keys at random', async () => {
    await check(await sign(claims()));
    clock.advance(31_000);
    const before = issuer.requests.length;
    const hostile = Array.from({ length: 30 }, async (_, index) =>
      check(await sign(claims(), { kid: `random-${index}` }, theirs.privateKey)),
    );
    for (const verdict of await Promise.all(hostile)) expect(verdict).toMatchObject({ status: 'rejected' });
    expect(issuer.requests.length).toBe(before + 1);
    expect(await check(await sign(claims()))).toMatchObject({ status: 'accepted' });
  });

  for (const mood of [
    'html',
    'blocked',
    'broken',
    'empty',
    'huge',
    'redirecting',
    'resetting',
    'busy',
  ] as const) {
    it(`make no verdict while it is ${mood} and none are held`, async () => {
      issuer.feel(mood);
      expect(await check(await sign(claims()))).toMatchObject({ status: 'unavailable' });
    });
  }
});
