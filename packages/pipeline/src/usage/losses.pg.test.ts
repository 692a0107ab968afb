import { randomBytes } from 'node:crypto';
import { createPostgres } from '@tickrate/postgres';
import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLedger, createUsage, migrateLedger, readAccounts } from '../index.ts';
import { sampleId } from '../queue/chunks/chunk-samples.ts';
import { lossCases } from '../testing/loss-cases.ts';
import { LossModel, lossSteps } from '../testing/loss-model.ts';
import { QueueBench } from '../testing/queue-bench.ts';

const { url } = await freshPostgres();
const ledger = createLedger({ postgresUrl: url });
const usage = createUsage({ postgresUrl: url });
const pool = createPostgres({ postgresUrl: url });
beforeAll(() => migrateLedger(url));
afterAll(() => Promise.all([ledger.close(), usage.close(), pool.close()]));

const tools = {
  ledger,
  usage,
  drop: async (_queue: string, ids: readonly string[]) =>
    void (await pool.query('DELETE FROM bullmq.job WHERE id = ANY($1)', [ids])),
};

// Invariant (Delivery): `missing` is the number of accepted events that are lost, and 0 while none is. It
// is exact after the next report of the gateway, or its next chunk of the project
describe('a queue on Postgres that loses chunks', () => {
  for (const [sentence, run] of Object.entries(lossCases)) {
    test(sentence, async () => {
      const bench = new QueueBench({
        queueUrl: url,
        newQueue: () => `q${randomBytes(4).toString('hex')}`,
        now: Date.now,
        waitUntil,
        proxy: createTcpProxy,
        addRaw: async () => undefined,
      });
      try {
        await run(bench, tools);
      } finally {
        await bench.close();
      }
    });
  }
});

test('after any drop, repeat, reorder, refusal or kill exactly the known losses are missing', async () => {
  const step = fc.record({
    kind: fc.oneof(
      fc.constantFrom('send' as const, 'confirm' as const, 'store' as const),
      fc.constantFrom(...lossSteps),
    ),
    of: fc.nat({ max: 20 }),
    rows: fc.integer({ min: 1, max: 5 }),
  });
  const judged = async (model: LossModel) => {
    for (const { missing, known, lost } of await model.judge()) {
      expect(missing).toBeGreaterThanOrEqual(known);
      expect(missing).toBeLessThanOrEqual(lost);
    }
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(step, { maxLength: 12 }), { maxLength: 6 }), async (rounds) => {
      const model = new LossModel({ ledger, usage, now: Date.now });
      for (const round of rounds) {
        for (const each of round) await model.take(each);
        await judged(model);
      }
      await model.settle();
      await judged(model);
    }),
    { numRuns: 60 },
  );
}, 120_000);

const empty = async () => ({ byProject: new Map(), ranges: new Map(), chunks: 0, complete: true });
const missing = async (project: string) =>
  (await readAccounts({ usage, pending: empty })).get(project)?.missing;

function chunkAt(projectId: string, start: number, settled: number) {
  const position = { start, settled, voids: [] };
  return { id: sampleId(Date.now()), projectId, count: 1, idempotency: [], producer: 'g', position };
}

test('a job without a valid chunk is dead, not missing, if its name describes its events', async () => {
  const job = {
    id: sampleId(Date.now()),
    reason: 'unknown version',
    projectId: 'p-dead',
    count: 4,
    raw: '{}',
  };
  await ledger.buryJob({ id: sampleId(Date.now()), job: { ...job, sent: { producer: 'g', start: 0 } } });
  await ledger.seal(sampleId(Date.now()), [chunkAt('p-dead', 6, 6)]);
  expect(await missing('p-dead')).toBe(2);
});

test('a sealed chunk that was lost is missing, once', async () => {
  const [batchId, chunk] = [sampleId(Date.now()), chunkAt('p-sealed', 0, 0)];
  await ledger.seal(batchId, [chunk]);
  for (const _ of [1, 2]) await ledger.lose(batchId, [chunk.id]);
  await ledger.stored(batchId);
  expect((await usage.totals()).get('p-sealed')?.lost).toBe(1);
  expect(await missing('p-sealed')).toBe(1);
});

test('lost events of a process stay missing after its rows were folded', async () => {
  await ledger.seal(sampleId(Date.now()), [chunkAt('p-gone', 9, 9)]);
  expect(await missing('p-gone')).toBe(9);
  await pool.query(
    "UPDATE delivery.producers SET seen_at = now() - interval '8 days' WHERE project = 'p-gone'",
  );
  await ledger.maintain({ oldestPendingMs: null });
  expect(await missing('p-gone')).toBe(9);
  expect((await usage.totals()).get('p-gone')?.unarrived.size).toBe(0);
});

test('ten thousand gaps of one process are kept within bounds, and the newest are counted', async () => {
  const odd = '(SELECT range_agg(int8range(2 * n, 2 * n + 1)) FROM generate_series(1, $1) AS n)';
  const rows = await pool.query<{ ranges: number; last: string }>(
    `SELECT (SELECT count(*)::int FROM unnest(r)) AS ranges, upper(r) AS last
       FROM delivery.bounded(${odd}) AS r`,
    [12_000],
  );
  expect(rows[0]?.ranges).toBeGreaterThan(5_000);
  expect(rows[0]?.ranges).toBeLessThan(10_000);
  expect(Number(rows[0]?.last)).toBe(24_001);
});
