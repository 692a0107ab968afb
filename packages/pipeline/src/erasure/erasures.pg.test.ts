import { randomUUID } from 'node:crypto';
import { hashAccount, sealCertificate } from '@tickrate/contract';
import { createPostgres } from '@tickrate/postgres';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { migrateLedger } from '../ledger/tables/migrate-ledger.ts';
import type { ErasureState } from './erasure-request.ts';
import { createErasures } from './erasures.ts';

const { url: postgresUrl } = await freshPostgres();
const erasures = createErasures({ postgresUrl, newId: randomUUID });
const client = createPostgres({ postgresUrl });
beforeAll(() => migrateLedger(postgresUrl));
afterEach(() => client.query('TRUNCATE delivery.erasures'));
afterAll(() => Promise.all([erasures.close(), client.close()]));

const wanted = { projectId: 'p-1', accountId: 'u-ann', mode: 'remove', requestedBy: 'the account' } as const;
const none = { account: {}, events: {}, quarantine: {}, deadLetters: {}, unreadableDeadLetters: 0 };
const farFuture = { settledUntilMs: Date.now() + 3_600_000, marginMs: 1_000 };

async function advanceTo(id: string, state: ErasureState): Promise<void> {
  const steps: readonly (readonly [ErasureState, () => Promise<unknown>])[] = [
    ['requested', async () => undefined],
    ['waiting', () => erasures.rejectedRemoved(id, 0)],
    ['counting', () => erasures.fix(id, farFuture)],
    ['removing', () => erasures.counted(id, { match: 4 }, 'removing')],
    ['done', () => erasures.complete(id, none)],
  ];
  for (const [name, step] of steps) {
    await step();
    if (name === state) return;
  }
}

// Invariant (Privacy): A modified or forged certificate does not verify
test('an erasure is requested, found, completed once and certified', async () => {
  const id = await erasures.request(wanted);
  expect(await erasures.find(id)).toMatchObject({ id, state: 'requested', fault: null, certificate: null });
  expect(await erasures.lease(60_000, [])).toMatchObject({ id, accountId: 'u-ann', state: 'requested' });
  expect(await erasures.lease(60_000, [])).toBeNull();
  await erasures.rejectedCounted(id, 'first', { quarantine: { match: 2 }, deadLetters: { tick: 1 } });
  await advanceTo(id, 'removing');
  await erasures.rejectedCounted(id, 'last', { quarantine: { match: 1 }, deadLetters: {} });
  const certificate = await erasures.complete(id, none);
  expect(certificate).toMatchObject({
    accountHash: hashAccount('u-ann'),
    requestedBy: 'the account',
    removed: { events: { match: 4 }, quarantine: { match: 3 }, deadLetters: { tick: 1 } },
    remaining: none,
  });
  expect(await erasures.find(id)).toMatchObject({ state: 'done', certificate });
  expect(await erasures.complete(id, none)).toBeNull();
  expect(await erasures.list('p-1', { accountId: 'u-ann' })).toHaveLength(1);
  expect(await erasures.list('p-1', { accountId: 'u-bob' })).toEqual([]);
});

test('the account is forgotten with the certificate', async () => {
  const id = await erasures.request(wanted);
  await advanceTo(id, 'done');
  const rows = await client.query('SELECT * FROM delivery.erasures');
  expect(JSON.stringify(rows)).not.toContain('u-ann');
});

test('an unchanged certificate verifies, and one with any change does not', async () => {
  const id = await erasures.request(wanted);
  await advanceTo(id, 'done');
  const certificate = (await erasures.find(id))?.certificate;
  if (!certificate) throw new Error('no certificate');
  expect(await erasures.verify(certificate)).toBe('intact');
  expect(await erasures.verify({ ...certificate, requestedBy: 'someone' })).toBe('changed');
  const { digest: _, ...statement } = certificate;
  expect(await erasures.verify(sealCertificate({ ...statement, requestedBy: 'someone' }))).toBe('changed');
  expect(await erasures.verify({ ...certificate, id: randomUUID() })).toBe('unknown');
  expect(await erasures.verify({ ...certificate, id: 'x' })).toBe('unknown');
});

test('a second request joins one that has not begun, and is separate after that', async () => {
  const first = await erasures.request({ ...wanted, mode: 'mask' });
  const asked = await erasures.find(first);
  await advanceTo(first, 'waiting');
  const again = await erasures.request({ ...wanted, mode: 'remove', requestedBy: 'somebody else' });
  expect(again).toBe(first);
  const { requestedMs, requestedBy } = (await erasures.find(first)) ?? {};
  expect([requestedMs, requestedBy]).toEqual([asked?.requestedMs, asked?.requestedBy]);
  expect(await erasures.find(first)).toMatchObject({ state: 'waiting', mode: 'remove' });
  expect(await erasures.request({ ...wanted, mode: 'mask' })).toBe(first);
  expect(await erasures.find(first)).toMatchObject({ mode: 'remove' });
  await advanceTo(first, 'counting');
  const later = await erasures.request(wanted);
  expect(later).not.toBe(first);
  expect(await erasures.request({ ...wanted, projectId: 'p-2' })).not.toBe(later);
});

test('the covered time is fixed once, when everything accepted before is stored', async () => {
  const id = await erasures.request(wanted);
  expect(await erasures.fix(id, farFuture)).toBeNull();
  await advanceTo(id, 'waiting');
  const requestedMs = (await erasures.find(id))?.requestedMs ?? 0;
  expect(await erasures.fix(id, { settledUntilMs: requestedMs + 4_900, marginMs: 5_000 })).toBeNull();
  const untilMs = await erasures.fix(id, { settledUntilMs: requestedMs + 65_000, marginMs: 5_000 });
  expect(untilMs).toBeGreaterThanOrEqual(requestedMs + 5_000);
  expect(untilMs).toBeLessThan(requestedMs + 65_000);
  expect(await erasures.fix(id, farFuture)).toBeNull();
});

test('another worker continues an erasure when the lease of a killed one has ended', async () => {
  const id = await erasures.request(wanted);
  await erasures.lease(60_000, []);
  expect(await erasures.lease(60_000, [])).toBeNull();
  await client.query("UPDATE delivery.erasures SET leased_until = clock_timestamp() - interval '1 ms'");
  expect(await erasures.lease(60_000, [])).toMatchObject({ id });
});

test('a failed erasure shows its fault and is retried after a delay', async () => {
  const id = await erasures.request(wanted);
  await erasures.lease(60_000, []);
  await erasures.release(id, 'ClickHouse is away');
  expect(await erasures.find(id)).toMatchObject({ fault: 'ClickHouse is away' });
  expect(await erasures.lease(60_000, [])).toBeNull();
  await erasures.release(id, null);
  expect(await erasures.find(id)).toMatchObject({ fault: null });
  expect(await erasures.lease(60_000, [id])).toBeNull();
  expect(await erasures.lease(60_000, [])).toMatchObject({ id });
});

test('twenty workers that ask at once get each erasure once', async () => {
  const ids = await Promise.all(
    Array.from({ length: 10 }, (_, n) => erasures.request({ ...wanted, accountId: `u-${n}` })),
  );
  const leased = await Promise.all(Array.from({ length: 20 }, () => erasures.lease(60_000, [])));
  expect(leased.flatMap((each) => (each === null ? [] : [each.id])).sort()).toEqual(ids.sort());
});

test('a step that is repeated after the state has moved on changes nothing', async () => {
  const id = await erasures.request(wanted);
  await advanceTo(id, 'removing');
  await erasures.counted(id, { match: 0 }, 'copying');
  await erasures.copied(id);
  await erasures.rejectedCounted(id, 'first', { quarantine: { match: 99 }, deadLetters: {} });
  const certificate = await erasures.complete(id, none);
  expect(certificate?.removed).toEqual({ ...none, events: { match: 4 } });
});

test('the counts of an interrupted removal are kept and not counted twice', async () => {
  const id = await erasures.request(wanted);
  await erasures.rejectedCounted(id, 'first', { quarantine: { match: 5, tick: 1 }, deadLetters: {} });
  await erasures.rejectedCounted(id, 'first', { quarantine: { match: 2 }, deadLetters: {} });
  await advanceTo(id, 'removing');
  const certificate = await erasures.complete(id, none);
  expect(certificate?.removed.quarantine).toEqual({ match: 5, tick: 1 });
});

test('an account without an id is not erased', async () => {
  await expect(erasures.request({ ...wanted, accountId: '' })).rejects.toThrow(RangeError);
});
