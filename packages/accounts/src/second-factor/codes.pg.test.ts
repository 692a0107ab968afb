import { createNamedId } from '@tickrate/contract';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { type Exchange, keepExchange } from '../sign-in/exchanges.ts';
import { inRealm } from '../store/in-realm.ts';
import { createAccountsWorld } from '../testing/accounts-world.ts';
import { tryCode } from './codes.ts';
import { enrolTotp, forgiveSecondFactor } from './second-factors.ts';

const { accounts, advance, createAccount, db, now } = await createAccountsWorld();

// The secret is opened for each code that is compared with it, and for nothing else.
let compared = 0;
const box = {
  ...accounts.box,
  open(bytes: Uint8Array) {
    compared += 1;
    return accounts.box.open(bytes);
  },
};
const counting = { ...accounts, box };

const secret = new Secret({ size: 20 });
const accountId = await createAccount('project');
const people = inRealm(db, 'project');
await enrolTotp(people, { accountId, secret: box.seal(secret.base32), step: 0, nowMs: now() });

const rounds = 10;
const guessesARound = 1_000;
const guessesAnExchange = 8;
const lockMs = 15 * 60_000;

async function openExchange(): Promise<Exchange> {
  const owner = { keyId: 'key', projectId: 'project' };
  const id = createNamedId('x', accounts.randomBytes);
  await keepExchange(accounts, { id, startedMs: now(), isNamed: false }, owner);
  return { id, startedMs: now(), isNamed: true };
}

/** As after the right password of a sign-in: only the code and the exchange count. */
function send(exchange: Exchange, code: string, proofs: readonly Buffer[] = []) {
  return tryCode(counting, { exchange, realm: 'project', keyId: 'key', accountId, proofs, code });
}

function codeAt(timeMs: number): string {
  return new TOTP({ secret }).generate({ timestamp: timeMs });
}

/** All at the same time, from many clients; returns the kinds of answers in the order of the codes. */
async function guess(typed: readonly string[]): Promise<string[]> {
  const exchanges = await Promise.all(
    Array.from({ length: Math.ceil(typed.length / guessesAnExchange) }, () => openExchange()),
  );
  const answers = typed.map(async (code, n) => {
    const exchange = exchanges[Math.floor(n / guessesAnExchange)];
    if (!exchange) throw new Error('A guess has no exchange');
    return (await send(exchange, code)).kind;
  });
  return Promise.all(answers);
}

/** Different codes, none of which is valid now. */
function wrongCodes(count: number): string[] {
  const good = [-30_000, 0, 30_000].map((offMs) => codeAt(now() + offMs));
  const all = Array.from({ length: count + good.length }, (_, n) => String(n * 997).padStart(6, '0'));
  return all.filter((code) => !good.includes(code)).slice(0, count);
}

test('ten thousand guesses with the right password are ten checks of the code in 15 minutes', {
  timeout: 120_000,
}, async () => {
  compared = 0;
  await forgiveSecondFactor(people, accountId);
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
    advance(lockMs);
  }
  const own = await openExchange();
  expect(await send(own, codeAt(now()))).toMatchObject({ kind: 'passed', pass: { method: 'otp' } });
  expect(compared).toBe(10 * rounds + 1);
});

test('a used code is recognised with its proof or in its exchange, and refused elsewhere', async () => {
  advance(60_000);
  const [exchange, other] = [await openExchange(), await openExchange()];
  const proofs = [Buffer.from('a keyed hash of the password')];
  const code = codeAt(now());
  const first = await send(exchange, code, proofs);
  expect(first.kind).toBe('passed');
  expect(await send(other, code, proofs)).toEqual(first);
  expect(await send(exchange, code)).toEqual(first);
  expect(await send(other, code, [Buffer.from('another proof')])).toEqual({ kind: 'used' });
});
