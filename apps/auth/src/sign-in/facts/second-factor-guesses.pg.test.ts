import { randomBytes } from 'node:crypto';
import {
  beginTotp,
  confirmTotp,
  inRealm,
  insertAccount,
  insertExchange,
  migrateAuth,
} from '@tickrate/accounts';
import { createNamedId, createRecordId } from '@tickrate/contract';
import { createSecretBox } from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { migrateRegistry } from '@tickrate/registry';
import { createManualClock, freshPostgres } from '@tickrate/testkit';
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { normaliseCode, totpStep } from '../../second-factor/totp.ts';
import { createKeyring } from '../keyring.ts';
import type { Exchange, Ground, SignIn } from '../sign-in.ts';
import { createCheckCode } from './check-code.ts';

const { url } = await freshPostgres();
const clock = createManualClock();
const keyring = createKeyring('a secret of tests that is longer than 32 characters');
const db = createPostgres({ postgresUrl: url, maxConnections: 8, onFault: () => undefined });
const people = inRealm(db, 'project');
const { now } = clock;
const box = createSecretBox(keyring.boxKey);
const newId = () => createRecordId(now(), randomBytes);
const ground: Ground = { db, keyring, box, now, randomBytes, newId };

const accountId = createNamedId('u', randomBytes);
const secret = new Secret({ size: 20 });
let compared = 0;
const checkCode = createCheckCode(ground, {
  normaliseCode,
  totpStep(...given) {
    compared += 1;
    return totpStep(...given);
  },
});

beforeAll(async () => {
  await migrateRegistry(url);
  await migrateAuth(url);
  await insertAccount(people, {
    id: accountId,
    nowMs: now(),
    email: null,
    displayName: null,
    avatarUrl: null,
    locale: null,
    marketing: null,
    terms: {},
  });
  await beginTotp(people, accountId, box.seal(secret.base32));
  await confirmTotp(people, accountId, now());
});
afterAll(() => db.close());

const rounds = 10;
const guessesARound = 1_000;
const guessesAnExchange = 8;
const lockMs = 15 * 60_000;

async function openExchange(): Promise<Exchange> {
  const id = createNamedId('x', randomBytes);
  await insertExchange(db, { id, keyId: 'key', projectId: 'project', nowMs: now() });
  return { id, startedMs: now(), isNamed: true };
}

/** As after the right password of a sign-in: only the code and the exchange count. */
async function tryCode(exchange: Exchange, twoFactorCode: string) {
  const principal = { keyId: 'key' };
  const signIn = { exchange, principal, realm: 'project', request: { twoFactor: { twoFactorCode } } };
  const { fact } = await checkCode(signIn as SignIn, { accountId, proofs: [] });
  return fact;
}

function codeAt(timeMs: number): string {
  return new TOTP({ secret }).generate({ timestamp: timeMs });
}

/** All at the same time, from many clients; returns the kinds of answers in the order of the codes. */
async function guess(codes: readonly string[]): Promise<string[]> {
  const exchanges = await Promise.all(
    Array.from({ length: Math.ceil(codes.length / guessesAnExchange) }, () => openExchange()),
  );
  const answers = codes.map(async (code, n) => {
    const exchange = exchanges[Math.floor(n / guessesAnExchange)];
    if (!exchange) throw new Error('A guess has no exchange');
    return (await tryCode(exchange, code)).kind;
  });
  return Promise.all(answers);
}

/** Different codes, none of which is valid now. */
function wrongCodes(count: number): string[] {
  const good = [-30_000, 0, 30_000].map((offMs) => codeAt(now() + offMs));
  const all = Array.from({ length: count + good.length }, (_, n) => String(n * 997).padStart(6, '0'));
  return all.filter((code) => !good.includes(code)).slice(0, count);
}

test('ten thousand guesses with the right password are ten checks of the code in 15 minutes', async () => {
  for (let round = 1; round <= rounds; round++) {
    const first = await guess(wrongCodes(20));
    expect(first.filter((kind) => kind === 'invalid')).toHaveLength(10);
    expect(first.filter((kind) => kind === 'locked')).toHaveLength(10);
    // While attempts are locked, even a right code is refused, from any client.
    const right = codeAt(now());
    const rest = await guess(
      wrongCodes(guessesARound - 20)
        .with(0, right)
        .with(500, right)
        .with(-1, right),
    );
    expect(new Set(rest)).toEqual(new Set(['locked']));
    expect(compared).toBe(10 * round);
    clock.advance(lockMs);
  }
  const own = await openExchange();
  expect(await tryCode(own, codeAt(now()))).toEqual({ kind: 'passed', method: 'otp' });
  expect(compared).toBe(10 * rounds + 1);
});
