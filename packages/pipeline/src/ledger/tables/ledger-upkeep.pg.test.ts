import { createPostgres } from '@tickrate/postgres';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFleet, createLedger, createUsage, migrateLedger } from '../../index.ts';
import { sampleId } from '../../queue/chunks/chunk-samples.ts';
import type { SealableChunk } from '../sealing/seal-arguments.ts';

const { url } = await freshPostgres();
const ledger = createLedger({ postgresUrl: url });
const usage = createUsage({ postgresUrl: url });
const fleet = createFleet({ postgresUrl: url });
const pool = createPostgres({ postgresUrl: url });
beforeAll(() => migrateLedger(url));
afterAll(() => Promise.all([ledger.close(), usage.close(), fleet.close(), pool.close()]));

const day = 86_400_000;
const project = 'p-0123456789ab';

function chunk(ms: number, key?: string): SealableChunk {
  const idempotency = key === undefined ? [] : [{ key, count: 1, start: 0, length: 1 }];
  return {
    id: sampleId(ms),
    projectId: project,
    count: 1,
    idempotency,
    producer: 'g',
    position: { start: 0, settled: 0, voids: [] },
  };
}

/** Days that have a partition of their own, counted from today. */
async function days(): Promise<number[]> {
  const rows = await pool.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relname ~ '^batches_[0-9]+$' ORDER BY relname",
  );
  const today = Math.floor(Date.now() / day);
  return rows.map(({ name }) => Number(name.slice('batches_'.length)) - today).toSorted((a, b) => a - b);
}

async function addDay(ago: number): Promise<void> {
  const number = Math.floor(Date.now() / day) - ago;
  for (const table of ['chunks', 'batches', 'fragments']) {
    await pool.query(
      `CREATE TABLE delivery.${table}_${number} PARTITION OF delivery.${table} FOR VALUES IN (${number})`,
    );
  }
}

test('partitions exist for past and future days, and creating them again changes nothing', async () => {
  const before = await days();
  await migrateLedger(url);
  await ledger.maintain({ oldestPendingMs: undefined });
  expect(await days()).toEqual(before);
  expect([before[0], before.at(-1)]).toEqual([-7, 3]);
});

test('an old day is dropped, unless one of its batches is not stored, or the oldest job is as old or of unknown age', async () => {
  await addDay(9);
  await addDay(10);
  const waiting = sampleId(Date.now() - 10 * day);
  await ledger.seal(waiting, [chunk(Date.now() - 10 * day)]);

  await ledger.maintain({ oldestPendingMs: undefined });
  expect((await days()).slice(0, 2)).toEqual([-10, -9]);
  await ledger.maintain({ oldestPendingMs: Date.now() - 9 * day });
  expect((await days()).slice(0, 2)).toEqual([-10, -9]);
  await ledger.maintain({ oldestPendingMs: null });
  expect((await days()).slice(0, 2)).toEqual([-10, -7]);
  await ledger.stored(waiting);
  await ledger.maintain({ oldestPendingMs: Date.now() });
  expect(await days()).not.toContain(-10);
});

test('a chunk of a day without a partition is sealed once, too', async () => {
  const late = chunk(Date.now() - 40 * day);
  const batchId = sampleId(Date.now());
  await ledger.seal(batchId, [late]);
  const again = await ledger.seal(sampleId(Date.now()), [late]);
  expect(again.elsewhere).toEqual([{ batchId, stored: false, chunkIds: [late.id] }]);
  await ledger.maintain({ oldestPendingMs: null });
  expect((await ledger.seal(sampleId(Date.now()), [late])).elsewhere).toHaveLength(1);
});

test('expired keys are deleted and live ones kept', async () => {
  const brief = createLedger({ postgresUrl: url, keyLifetimeMs: 0 });
  await brief.seal(sampleId(Date.now()), [chunk(Date.now(), 'gone')]);
  await ledger.seal(sampleId(Date.now()), [chunk(Date.now(), 'kept')]);
  await ledger.maintain({ oldestPendingMs: undefined });
  await brief.close();
  const rows = await pool.query<{ keys: number }>('SELECT count(*)::int AS keys FROM delivery.keys');
  expect(rows[0]?.keys).toBe(1);
});

test('gateways that ended long ago become one row with the same number of accepted events', async () => {
  await usage.reportAccepted('old-1', new Map([['p-fold', 10]]));
  await usage.reportAccepted('old-2', new Map([['p-fold', 5]]));
  await pool.query(
    "UPDATE delivery.producers SET seen_at = now() - interval '8 days' WHERE project = 'p-fold'",
  );
  await usage.reportAccepted('new', new Map([['p-fold', 1]]));
  await ledger.maintain({ oldestPendingMs: null });
  await ledger.maintain({ oldestPendingMs: null });
  expect((await usage.totals()).get('p-fold')?.accepted).toBe(16);
  const rows = await pool.query<{ producer: string }>(
    "SELECT producer FROM delivery.producers WHERE project = 'p-fold' ORDER BY producer",
  );
  expect(rows.map((row) => row.producer)).toEqual(['', 'new']);
});

test('the insert rates cover the inserts of the last minute and the open batches, of all projects or of one', async () => {
  await pool.query('TRUNCATE delivery.batches');
  const nothing = { events: 0, inserts: 0, meanSeconds: null, p99Seconds: null };
  const none = { ...nothing, openInserts: 0, oldestOpenSeconds: null };
  expect(await fleet.insertRates(project)).toEqual(none);
  const foreign = { ...chunk(Date.now()), id: sampleId(Date.now()), projectId: 'p-ba9876543210', count: 5 };
  const batches = [
    [chunk(Date.now()), foreign],
    [chunk(Date.now())],
    [chunk(Date.now())],
    [chunk(Date.now())],
  ];
  const ids: string[] = [];
  for (const chunks of batches) {
    const id = sampleId(Date.now());
    ids.push(id);
    await ledger.seal(id, chunks);
  }
  const [first = '', second = '', old = '', open = ''] = ids;
  for (const id of [first, second, old]) await ledger.stored(id);
  const took = async (id: string, from: string, to: string) =>
    pool.query(
      'UPDATE delivery.batches SET sealed_at = now() - $2::interval, stored_at = now() - $3::interval WHERE id = $1',
      [id, from, to],
    );
  await took(first, '40 s', '38 s');
  await took(second, '30 s', '24 s');
  await took(old, '70 s', '65 s');
  await pool.query("UPDATE delivery.batches SET sealed_at = now() - interval '8 s' WHERE id = $1", [open]);
  expect(await fleet.insertRates(foreign.projectId)).toEqual({
    events: 5,
    inserts: 1,
    meanSeconds: 2,
    p99Seconds: 2,
    openInserts: 0,
    oldestOpenSeconds: null,
  });
  expect(await fleet.insertRates(project)).toMatchObject({ events: 2, inserts: 2, openInserts: 1 });
  const rates = await fleet.insertRates(null);
  expect(rates).toMatchObject({
    events: 7,
    inserts: 2,
    meanSeconds: 4,
    p99Seconds: 6,
    openInserts: 1,
  });
  expect(rates.oldestOpenSeconds).toBeGreaterThanOrEqual(8);
});
