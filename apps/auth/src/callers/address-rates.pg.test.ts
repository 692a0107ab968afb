import { randomBytes } from 'node:crypto';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { type Accounts, migrateAuth, type Queryable } from '@tickrate/accounts';
import { createRecordId } from '@tickrate/contract';
import { createKeyedLock, createSecretBox } from '@tickrate/platform';
import { createPostgres } from '@tickrate/postgres';
import { migrateRegistry } from '@tickrate/registry';
import { createManualClock, freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKeyring } from '../keyring.ts';
import { type CheckAddress, createCheckAddress } from './address-rates.ts';

const { url } = await freshPostgres();
const { now, advance } = createManualClock();
const keyring = createKeyring('a secret of tests that is longer than 32 characters');
const db = createPostgres({ postgresUrl: url, maxConnections: 4, onFault: () => undefined });
let statements = 0;
const query: Queryable['query'] = (sql, values) => {
  statements += 1;
  return db.query(sql, values);
};
const accountsOn = (on: Queryable['query']): Accounts => ({
  db: { ...db, query: on },
  keyring,
  box: createSecretBox(keyring.boxKey),
  now,
  randomBytes,
  newId: () => createRecordId(now(), randomBytes),
  verifyPassword: () => Promise.reject(new Error('No password is verified')),
  passwordLock: createKeyedLock(),
});
const accounts = accountsOn(query);
const allowances = [
  { burst: 15, perSecond: 15 },
  { burst: 300, perSecond: 300 / 1800 },
];

beforeAll(async () => {
  await migrateRegistry(url);
  await migrateAuth(url);
});
afterAll(() => db.close());

function callerAt(clientAddress: string) {
  return { clientAddress, response: new ServerResponse(new IncomingMessage(new Socket())) };
}

/** How many of these concurrent requests are allowed, and the delays of the others. */
async function ask(check: CheckAddress, address: string, times: number) {
  const outcomes = await Promise.allSettled(Array.from({ length: times }, () => check(callerAt(address))));
  const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  return {
    passed: times - refused.length,
    waits: [...new Set(refused.map(({ data }) => data.retryAfterSeconds))],
  };
}

test('a burst from one address gets the full rate, with few statements, and the others get a delay', async () => {
  const check = createCheckAddress(accounts, allowances);
  statements = 0;
  expect(await ask(check, '192.0.2.1', 400)).toEqual({ passed: 15, waits: [1] });
  expect(statements).toBeLessThan(80);
  expect(await ask(check, '192.0.2.1', 5)).toEqual({ passed: 0, waits: [1] });
  advance(200);
  expect(await ask(check, '192.0.2.1', 5)).toEqual({ passed: 3, waits: [1] });
});

test('a burst gets the rest of the allowance for half an hour, and none of it is lost', async () => {
  const check = createCheckAddress(accounts, allowances);
  let passed = 0;
  for (let second = 0; second < 19; second++) {
    passed += (await ask(check, '192.0.2.2', 15)).passed;
    advance(1_000);
  }
  expect(passed).toBe(285);
  // 300, and the 3 that were refilled in 19 seconds.
  expect(await ask(check, '192.0.2.2', 14)).toEqual({ passed: 14, waits: [] });
  advance(1_000);
  expect(await ask(check, '192.0.2.2', 15)).toEqual({ passed: 4, waits: [6] });
});

test('every answer contains both allowances, and the rest of the one that ends first', async () => {
  const check = createCheckAddress(accounts, allowances);
  const readRate = async () => {
    const caller = callerAt('192.0.2.6');
    await check(caller).catch(() => undefined);
    const header = caller.response.getHeader('RateLimit-Policy');
    expect(header).toBe('"address";q=15;w=1, "address-1800s";q=300;w=1800');
    return caller.response.getHeader('RateLimit');
  };
  expect(await readRate()).toBe('"address";r=14;t=1');
  for (let n = 0; n < 14; n++) await readRate();
  expect(await readRate()).toBe('"address";r=0;t=1');
  for (let n = 0; n < 282; n++) {
    advance(100);
    await readRate();
  }
  // 298 were used, and 4.7 were refilled in 28.2 s.
  expect(await readRate()).toBe('"address-1800s";r=6;t=1760');
  for (let n = 0; n < 6; n++) {
    advance(100);
    await readRate();
  }
  expect(await readRate()).toBe('"address-1800s";r=0;t=1800');
});

test('allowances of the same burst have a bucket each', async () => {
  const check = createCheckAddress(accounts, [
    { burst: 3, perSecond: 3 },
    { burst: 3, perSecond: 3 / 1800 },
  ]);
  expect(await ask(check, '192.0.2.9', 4)).toEqual({ passed: 3, waits: [1] });
  advance(1_000);
  expect(await ask(check, '192.0.2.9', 1)).toEqual({ passed: 0, waits: [60] });
});

test('processes share the buckets of an address, and addresses share none', async () => {
  const [one, other] = [createCheckAddress(accounts, allowances), createCheckAddress(accounts, allowances)];
  const crowds = await Promise.all([ask(one, '192.0.2.3', 15), ask(other, '192.0.2.3', 15)]);
  expect(crowds.reduce((sum, { passed }) => sum + passed, 0)).toBe(15);
  expect((await ask(one, '192.0.2.4', 1)).passed).toBe(1);
});

test('if the database is away no request waits, and the next one is counted again', async () => {
  let isAway = true;
  const failing: Queryable['query'] = (sql, values) =>
    isAway ? Promise.reject(new Error('It is away')) : db.query(sql, values);
  const check = createCheckAddress(accountsOn(failing), allowances);
  const outcomes = await Promise.allSettled([check(callerAt('192.0.2.5')), check(callerAt('192.0.2.5'))]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isAway = false;
  await check(callerAt('192.0.2.5'));
});
