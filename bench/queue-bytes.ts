import { createPostgres } from '@tickrate/postgres';
import { Redis } from 'ioredis';
import { type Bench, type Round, takeRounds } from './bench.ts';
import { batch, sendBatches } from './senders.ts';
import { type QueueKind, type Stack, startStack } from './stack.ts';

const rounds = 3;
const of = { unit: 'bytes/event', against: "the event's JSON", target: 0.3, better: 'lower' } as const;

export const queueBytesRedis: Bench = {
  name: 'queue.bytes.redis',
  needs: 'redis',
  ...of,
  run: (report) =>
    fill('redis', report, async ({ queueUrl }) => {
      const redis = new Redis(queueUrl);
      const memory = await redis.info('memory').finally(() => redis.disconnect());
      return Number(/used_memory:(\d+)/.exec(memory)?.[1] ?? 0);
    }),
};

export const queueBytesPostgres: Bench = {
  name: 'queue.bytes.postgres',
  ...of,
  run: (report) =>
    fill('postgres', report, async ({ postgresUrl }) => {
      const client = createPostgres({ postgresUrl: postgresUrl });
      const rows = await client.query<{ bytes: string }>(
        "SELECT pg_total_relation_size('bullmq.job') AS bytes",
      );
      await client.close();
      return Number(rows[0]?.bytes ?? 0);
    }),
};

/** Nothing reads the queue, so its growth is the size of the events. */
async function fill(
  queue: QueueKind,
  report: (line: string) => void,
  usedBytes: (stack: Stack) => Promise<number>,
): Promise<Round[]> {
  const stack = await startStack(queue);
  try {
    return await takeRounds(rounds, async (round) => {
      const before = await usedBytes(stack);
      const { acceptedInAll, eventBytes } = await sendBatches(stack, { measureMs: 3_000 });
      const value = ((await usedBytes(stack)) - before) / (acceptedInAll * batch);
      report(`round ${round}: ${value.toFixed(0)} bytes an event, as JSON ${eventBytes.toFixed(0)}`);
      return { value, limit: eventBytes };
    });
  } finally {
    await stack.stop();
  }
}
