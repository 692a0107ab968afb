import { randomBytes } from 'node:crypto';
import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import pg from 'pg';
import { describe, test } from 'vitest';
import { type BenchTools, QueueBench } from './queue-bench.ts';
import { queueCases } from './queue-cases.ts';

const { url } = await freshPostgres();

const tools: BenchTools = {
  queueUrl: url,
  newQueue: () => `q${randomBytes(4).toString('hex')}`,
  now: Date.now,
  waitUntil,
  proxy: createTcpProxy,
  async addRaw(queue, id, { name, data }) {
    const client = new pg.Client(url);
    await client.connect();
    await client.query(
      `INSERT INTO bullmq.job (queue, id, seq, name, state, data, added_at_ms)
       VALUES ($1, $2, nextval('bullmq.job_seq'), $3, 'waiting', $4, $5)`,
      [`{${queue}-0}`, id, name, JSON.stringify(data), Date.now()],
    );
    await client.query("SELECT pg_notify('bullmq_jobs', $1)", [`{${queue}-0}`]);
    await client.end();
  },
};

describe('the queue on Postgres', () => {
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
