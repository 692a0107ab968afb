import { Worker } from 'node:worker_threads';
import { createRegistryCache } from '@tickrate/registry';
import { waitUntil } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startAuthWorld } from '../testing/auth-world.ts';
import { beginSetup } from '../testing/player-world.ts';

const { world, auth, url } = await startAuthWorld({ values: { trustedProxies: ['127.0.0.1'] } });

const password = 'correct horse battery staple';

async function register(key: string, emailAddress: string): Promise<void> {
  await auth.send({ key, body: { emailAddress, password, intent: 'register' } });
  const token = (await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' })) ?? '';
  await auth.send({ key, method: 'POST', path: 'account/email/verify', body: { token, password } });
}

function from(address: string): Record<string, string> {
  return { 'X-Forwarded-For': address };
}

// Invariant (Sign-in): Attacks on sign-in gain nothing
test('strangers who guess lock themselves out, and not the owner on a known device', async () => {
  const { key } = await world.project();
  await register(key, 'victim@example.com');
  const own = {
    emailAddress: 'victim@example.com',
    password,
    twoFactor: { deviceIdentifier: 'own-device-of-the-owner-0123' },
  };
  expect(
    (await auth.send({ key, body: own, headers: from('192.0.2.1') })).body.authenticatedSession,
  ).not.toBeNull();
  const codes: number[] = [];
  for (let n = 0; n < 8; n++) {
    const guess = { emailAddress: 'victim@example.com', password: `guess number ${n}` };
    codes.push((await auth.send({ key, body: guess, headers: from(`198.51.100.${n}`) })).body.code);
  }
  expect(codes.slice(0, 5)).toEqual([4001, 4001, 4001, 4001, 4001]);
  expect(codes).toContain(4008);
  const again = await auth.send({ key, body: { ...own, metered: true }, headers: from('192.0.2.1') });
  expect(again.body.authenticatedSession).not.toBeNull();
});

test('a weak password is not a failed sign-in, with or without an account of the address', async () => {
  const { key } = await world.project();
  await register(key, 'taken@example.com');
  const asPlayer = { intent: 'register' };
  const asFirst = { requestedRole: 'builtin:admin', promptForProject: true };
  for (const [emailAddress, how] of [
    ['taken@example.com', asPlayer],
    ['free@example.com', asPlayer],
    ['first@example.com', asFirst],
  ] as const) {
    const headers = from('192.0.2.9');
    const codes: number[] = [];
    for (let n = 0; n < 7; n++)
      codes.push(
        (await auth.send({ key, body: { emailAddress, password: 'password1', ...how }, headers })).body.code,
      );
    expect(codes).toEqual(Array.from({ length: 7 }, () => 4010));
    const strong = await auth.send({ key, body: { emailAddress, password, ...how }, headers });
    expect(strong.status).toBe(200);
  }
});

test('concurrent guesses get no more attempts than sequential ones', async () => {
  const { key } = await world.project();
  await register(key, 'parallel@example.com');
  const began = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      auth.send({
        key,
        body: { emailAddress: 'parallel@example.com', password: `guess number ${n}` },
        headers: from(`203.0.113.${n}`),
      }),
    ),
  );
  const tookSeconds = (performance.now() - began) / 1_000;
  const tried = answers.filter(({ body }) => body.code === 4001).length;
  // Five, and one more for each second that this took.
  expect(tried).toBeLessThanOrEqual(5 + Math.ceil(tookSeconds));
  expect(answers.filter(({ body }) => body.code === 4008)).toHaveLength(40 - tried);
});

test('without a trusted proxy the client address is that of the connection, whatever the headers contain', async () => {
  const direct = await world.start({ ratePerSecond: 2, trustedProxies: [] });
  const { key } = await world.project();
  const answers = await Promise.all(
    Array.from({ length: 30 }, (_, n) => direct.send({ key, body: {}, headers: from(`192.0.2.${n}`) })),
  );
  expect(answers.map(({ body }) => body.code)).toContain(6002);
  await direct.stop();
});

test('an unknown address costs as much work as a wrong password', async () => {
  const { key } = await world.project();
  await register(key, 'known@example.com');
  const orders = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => orders.mockRestore());
  const costs: unknown[] = [];
  for (const emailAddress of ['known@example.com', 'unknown@example.com']) {
    orders.mockClear();
    const { body } = await auth.send({ key, body: { emailAddress, password: 'wrong wrong' } });
    expect(body.code).toBe(4001);
    costs.push(orders.mock.calls.map(([{ stored }]) => costOf(stored)));
  }
  expect(costs[0]).toHaveLength(1);
  expect(costs[1]).toEqual(costs[0]);
});

test('passwords beyond the hashing queue are refused, and do not delay a sign-in by token', async () => {
  const { key } = await world.project();
  const { promise: isFull, resolve: full } = Promise.withResolvers<void>();
  let pending = 0;
  const guesses = Array.from({ length: 400 }, async (_, n) => {
    pending += 1;
    const guess = { emailAddress: `crowd${n}@example.com`, password: `guess number ${n}` };
    const { code } = (await auth.send({ key, body: guess })).body;
    pending -= 1;
    if (code === 6001) full();
    return code;
  });
  await isFull;
  const { body } = await auth.send({ key, body: { tokens: { deviceTestTokens: [{ deviceId: 'calm' }] } } });
  expect(body.authenticatedSession).not.toBeNull();
  expect(pending).toBeGreaterThan(0);
  expect(new Set(await Promise.all(guesses))).toEqual(new Set([4001, 6001]));
  // A busy machine hashes the 200 waiting passwords slowly.
}, 120_000);

test('registering a foreign address gains nothing when its owner reads the mail', async () => {
  const { key } = await world.project();
  const emailAddress = 'owner@example.com';
  await auth.send({ key, body: { emailAddress, password: 'the squatter chose this', intent: 'register' } });
  const token = (await waitUntil(() => world.mailedCode(emailAddress), { what: 'a mail' })) ?? '';
  const owner = await auth.send({
    key,
    method: 'POST',
    path: 'account/email/verify',
    body: { token, password },
  });
  expect(owner.body.code).toBe(4001);
  const squatter = await auth.send({ key, body: { emailAddress, password: 'the squatter chose this' } });
  expect(squatter.body.code).toBe(4001);
});

test('a token is moved only by a caller with an account of their own, not by naming an account', async () => {
  const { key } = await world.project();
  const victim = await auth.send({ key, body: { tokens: { deviceTestTokens: [{ deviceId: 'prey' }] } } });
  const { accountId } = victim.body.authenticatedSession;
  const move = { linkDecision: { action: 'move', accountRef: accountId } };
  await register(key, 'thief@example.com');
  const without = await auth.send({ key, body: { emailAddress: 'thief@example.com', password, ...move } });
  expect(without.body.authenticatedSession.accountId).not.toBe(accountId);
  const stranger = {
    tokens: { deviceTestTokens: [{ deviceId: 'other' }] },
    linkDecision: { action: 'switch', accountRef: accountId },
  };
  expect((await auth.send({ key, body: stranger })).body.authenticatedSession.accountId).not.toBe(accountId);
  const again = await auth.send({
    key,
    body: { tokens: { deviceTestTokens: [{ deviceId: 'prey' }] }, metered: true },
  });
  expect(again.body.authenticatedSession.accountId).toBe(accountId);
});

test('an ended session is rejected by every other process, even by one that starts later', async () => {
  const { key } = await world.project();
  const { body } = await auth.send({ key, body: { tokens: { deviceTestTokens: [{ deviceId: 'ended' }] } } });
  const { apiKey, accountId } = body.authenticatedSession;
  const others = await Promise.all([startCache(), startCache()]);
  for (const cache of others) expect((await cache.principal(apiKey))?.accountId).toBe(accountId);
  await auth.send({ key: apiKey, method: 'DELETE', path: 'session' });
  const dead = async () =>
    (await Promise.all(others.map((cache) => cache.principal(apiKey)))).every((found) => found === null);
  await waitUntil(dead, { what: 'the end to be known everywhere' });
  expect(await (await startCache()).principal(apiKey)).toBeNull();
});

test('a used code stays used after a restart, and on another process', async () => {
  const { key } = await world.project();
  await register(key, 'restart@example.com');
  const login = { emailAddress: 'restart@example.com', password };
  const { apiKey } = (await auth.send({ key, body: login })).body.authenticatedSession;
  const begun = await beginSetup({ world, auth }, apiKey);
  const totp = new TOTP({ secret: Secret.fromBase32(begun.secret) });
  const twoFactorCode = totp.generate();
  await auth.send({ key: apiKey, method: 'POST', path: 'account/twofactor', body: { twoFactorCode } });
  const second = await world.start();
  const replayed = await second.send({
    key,
    body: { ...login, metered: true, twoFactor: { twoFactorCode } },
  });
  expect(replayed.body.code).toBe(4005);
  await second.stop();
});

async function startCache() {
  const cache = createRegistryCache({ postgresUrl: url, now: Date.now, onFault: () => undefined });
  await cache.start();
  onTestFinished(() => cache.stop());
  return cache;
}

/** Argon2 works for its parameters, whatever the salt and the hash are. */
function costOf(stored: string): string {
  return stored.replace(/[^$]+\$[^$]+$/, (salted) => salted.replaceAll(/[^$]/g, '-'));
}
