import { randomBytes } from 'node:crypto';
import { createTcpProxy, freshPostgres, freshRedis, waitUntil } from '@tickrate/testkit';
import { Queue } from 'bullmq';
import { afterAll, beforeAll, describe, test } from 'vitest';
import { createLedger, createUsage, migrateLedger } from '../index.ts';
import { lossCases } from '../testing/loss-cases.ts';
import { QueueBench } from '../testing/queue-bench.ts';

const { url, prefix } = await freshRedis();
const { url: postgresUrl } = await freshPostgres();
const ledger = createLedger({ postgresUrl });
const usage = createUsage({ postgresUrl });
beforeAll(() => migrateLedger(postgresUrl));
afterAll(() => Promise.all([ledger.close(), usage.close()]));

async function drop(queue: string, ids: readonly string[]): Promise<void> {
  for (const shard of [0, 1]) {
    const raw = new Queue(`{${queue}-${shard}}`, { connection: { url } });
    for (const id of ids) await raw.remove(id);
    await raw.close();
  }
}

// Invariant (Delivery): `missing` is the number of accepted events that are lost, and 0 while none is. It
// is exact after the next report of the gateway, or its next chunk of the project
describe('a queue on Redis that loses chunks', () => {
  for (const [sentence, run] of Object.entries(lossCases)) {
    test(sentence, async () => {
      const bench = new QueueBench({
        queueUrl: url,
        newQueue: () => `${prefix}${randomBytes(4).toString('hex')}`,
        now: Date.now,
        waitUntil,
        proxy: createTcpProxy,
        addRaw: async () => undefined,
      });
      try {
        await run(bench, { ledger, usage, drop });
      } finally {
        await bench.close();
      }
    });
  }
});
