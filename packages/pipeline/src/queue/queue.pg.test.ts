import { randomBytes } from 'node:crypto';
import { createPostgres } from '@tickrate/postgres';
import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { type BenchTools, QueueBench } from '../testing/queue-bench.ts';
import { queueCases } from '../testing/queue-cases.ts';
import { queueOutageCases } from '../testing/queue-outage-cases.ts';
import { sampleChunk } from './chunks/chunk-samples.ts';

const { url } = await freshPostgres();

const tools: BenchTools = {
  queueUrl: url,
  newQueue: () => `q${randomBytes(4).toString('hex')}`,
  now: Date.now,
  waitUntil,
  proxy: createTcpProxy,
  async addRaw(queue, id, { name, data }) {
    const client = createPostgres({ postgresUrl: url });
    await client.query(
      `INSERT INTO bullmq.job (queue, id, seq, name, state, data, added_at_ms)
       VALUES ($1, $2, nextval('bullmq.job_seq'), $3, 'waiting', $4, $5)`,
      [`{${queue}-0}`, id, name, JSON.stringify(data), Date.now()],
    );
    await client.query("SELECT pg_notify('bullmq_jobs', $1)", [`{${queue}-0}`]);
    await client.close();
  },
};

// Invariant (Delivery): Both queue backends behave the same
describe('the queue on Postgres', () => {
  for (const [sentence, run] of Object.entries({ ...queueCases, ...queueOutageCases })) {
    test(sentence, async () => {
      const bench = new QueueBench(tools);
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  }

  test('takes the jobs of a calm queue when the next batch is near', async () => {
    const bench = new QueueBench(tools);
    try {
      const nearMs = performance.now() + 600;
      const takenMs: number[] = [];
      bench.consumer({
        untilNextBatch: () => Math.max(0, nearMs - performance.now()),
        handle: async () => void takenMs.push(performance.now()),
      });
      const producer = await bench.producer();
      for (let n = 0; n < 3; n += 1) await producer.add(sampleChunk(Date.now()));
      await waitUntil(() => takenMs.length === 3, { timeoutMs: 10_000, what: 'the chunks' });
      expect(Math.min(...takenMs)).toBeGreaterThanOrEqual(nearMs);
      await bench.untilEmpty();
    } finally {
      await bench.close();
    }
  });

  test('delivers the chunks of a worker with a clock a day ahead again', async () => {
    const bench = new QueueBench(tools);
    const client = createPostgres({ postgresUrl: url });
    try {
      const producer = await bench.producer();
      const chunk = sampleChunk(Date.now());
      await producer.add(chunk);
      const tomorrowMs = Date.now() + 24 * 3_600_000;
      await client.query(
        `UPDATE bullmq.job SET state = 'active', lock_token = 'gone', locked_until_ms = $2, processed_at_ms = $2
          WHERE id = $1`,
        [chunk.id, tomorrowMs],
      );
      const consumer = bench.consumer();
      await waitUntil(() => consumer.chunks.length === 1, { timeoutMs: 10_000, what: 'the chunk' });
      expect(consumer.chunks[0]?.id).toBe(chunk.id);
      await bench.untilEmpty();
    } finally {
      await bench.close();
      await client.close();
    }
  });
});
