import { randomBytes } from 'node:crypto';
import { createTcpProxy, freshRedis, waitUntil } from '@tickrate/testkit';
import { Queue } from 'bullmq';
import { describe, expect, test } from 'vitest';
import { type BenchTools, QueueBench } from '../testing/queue-bench.ts';
import { queueCases } from '../testing/queue-cases.ts';
import { queueOutageCases } from '../testing/queue-outage-cases.ts';
import { encodeChunkJob } from './chunks/chunk.ts';
import { sampleChunk } from './chunks/chunk-samples.ts';

const { url, prefix } = await freshRedis();

const tools: BenchTools = {
  queueUrl: url,
  newQueue: () => `${prefix}${randomBytes(4).toString('hex')}`,
  now: Date.now,
  waitUntil,
  proxy: createTcpProxy,
  async addRaw(queue, id, { name, data }) {
    const raw = new Queue(`{${queue}-0}`, { connection: { url } });
    await raw.add(name, data, { jobId: id });
    await raw.close();
  },
};

// Invariant (Delivery): Both queue backends behave the same
describe('the queue on Redis', () => {
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

  test('retries a chunk that a worker delayed with a clock a day ahead', async () => {
    const bench = new QueueBench(tools);
    const raw = new Queue(`{${bench.queue}-0}`, { connection: { url } });
    try {
      const chunk = sampleChunk(Date.now());
      const { name, data } = encodeChunkJob(chunk);
      await raw.add(name, data, { jobId: chunk.id, delay: 24 * 3_600_000 });
      const consumer = bench.consumer();
      await waitUntil(() => consumer.chunks.length === 1, { timeoutMs: 10_000, what: 'the chunk' });
      expect(consumer.chunks[0]?.id).toBe(chunk.id);
    } finally {
      await raw.close();
      await bench.close();
    }
  });

  test('continues after the connections of its workers broke while they were opened', async () => {
    const bench = new QueueBench(tools);
    const proxy = await createTcpProxy(url);
    try {
      const producer = await bench.producer();
      proxy.delay(100);
      const consumer = bench.consumer({ queueUrl: proxy.url });
      await waitUntil(() => proxy.connections() > 2, { what: 'more than the first connection' });
      proxy.cut();
      proxy.delay(0);
      for (let added = 0; added < 8; added += 1) {
        const chunk = sampleChunk(Date.now());
        await producer.add(chunk);
        const isDelivered = () => consumer.chunks.some(({ id }) => id === chunk.id);
        await waitUntil(isDelivered, { timeoutMs: 10_000, what: 'the chunk' });
      }
    } finally {
      await bench.close();
      await proxy.close();
    }
  });
});
