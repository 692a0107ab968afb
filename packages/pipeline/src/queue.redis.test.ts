import { randomBytes } from 'node:crypto';
import { createTcpProxy, freshRedis, waitUntil } from '@tickrate/testkit';
import { Queue } from 'bullmq';
import { describe, test } from 'vitest';
import { type BenchTools, QueueBench } from './queue-bench.ts';
import { queueCases } from './queue-cases.ts';

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

describe('the queue on Redis', () => {
  for (const [sentence, run] of Object.entries(queueCases)) {
    test(sentence, async () => {
      const bench = new QueueBench(tools);
      try {
        await run(bench);
      } finally {
        await bench.close();
      }
    });
  }
});
