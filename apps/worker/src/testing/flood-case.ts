import { createProducer, type Ledger } from '@tickrate/pipeline';
import { createLogger, createMetrics } from '@tickrate/platform';
import { expect } from 'vitest';
import { workerConfig } from '../config.ts';
import { createDeliveryPath, type DeliveryPath } from '../delivery/delivery-path.ts';
import { createWorkerEvents } from '../events.ts';
import { MemoryStore } from './memory-store.ts';
import { sampleChunk, sampleId } from './sample-rows.ts';
import { newProjectId } from './worker-bench.ts';

export interface FloodTools {
  readonly queueUrl: string;
  readonly ledger: Ledger;
  readonly now: () => number;
  waitUntil(condition: () => boolean, options: { timeoutMs: number; what: string }): Promise<unknown>;
}

const floodChunks = 200;
const rowsEach = 10;
const slots = 8;

// Invariant (Limits and overload): One project's event is stored before another project's backlog

/** A project has a long backlog in bulk. One event of another project must be stored before nearly all of it. */
export async function storeBesideFlood({ queueUrl, ledger, now, waitUntil }: FloodTools): Promise<void> {
  const [flood, other] = [newProjectId(), newProjectId()];
  const producer = createProducer({ queueUrl, shards: 1 });
  await producer.start();
  let event = 0;
  const add = (projectId: string, rows: number, lane: 'bulk' | 'express') => {
    const events = Array.from({ length: rows }, () => ++event);
    const receivedMs = now();
    const chunk = sampleChunk({ id: sampleId(receivedMs), projectId, receivedMs, requests: [{ events }] });
    return producer.add(chunk, lane).then(() => chunk);
  };
  await Promise.all(Array.from({ length: floodChunks }, () => add(flood, rowsEach, 'bulk')));
  const lone = await add(other, 1, 'express');
  const store = new GatedStore();
  const path = startPath({ queueUrl, ledger, store, now });
  await waitUntil(() => path.batcher.chunks === slots + 1, { timeoutMs: 10_000, what: 'all slots taken' });
  store.gate.resolve();
  const total = floodChunks * rowsEach + 1;
  await waitUntil(() => store.memory.counts.size === total, { timeoutMs: 30_000, what: 'all to be stored' });
  await path.consumer.stop(5_000);
  await producer.stop();

  const position = store.batches.findIndex((batch) => batch.includes(lone.id));
  // Two batches may have been in progress when it came; the next one contains it.
  expect(position).toBeLessThanOrEqual(2);
  expect(store.batches.length).toBeGreaterThan(40);
  expect([...store.memory.counts.values()].every((count) => count === 1)).toBe(true);
}

/** Starts no insert before the gate is opened, and records the order of the chunks. */
class GatedStore {
  readonly memory = new MemoryStore();
  readonly gate = Promise.withResolvers<void>();
  readonly batches: (readonly string[])[] = [];
}

function startPath({
  queueUrl,
  ledger,
  store,
  now,
}: Pick<FloodTools, 'queueUrl' | 'ledger' | 'now'> & { readonly store: GatedStore }): DeliveryPath {
  const config = workerConfig.parse({
    POSTGRES_URL: 'postgres://unused',
    CLICKHOUSE_URL: 'http://unused',
    QUEUE_URL: queueUrl,
    WORKER_CHUNKS: String(slots),
    BATCH_ROWS: String(4 * rowsEach),
  });
  const telemetry = { logger: createLogger({ level: 'silent', name: 'worker' }), metrics: createMetrics() };
  const remembering: Ledger = {
    ...ledger,
    seal(batchId, chunks) {
      store.batches.push(chunks.map((chunk) => chunk.id));
      return ledger.seal(batchId, chunks);
    },
  };
  const path = createDeliveryPath(config, {
    ledger: remembering,
    store: {
      async insertRows(insert) {
        await store.gate.promise;
        return store.memory.insertRows(insert);
      },
      countByChunk: (ids) => store.memory.countByChunk(ids),
    },
    events: createWorkerEvents(telemetry),
    newId: () => sampleId(now()),
    now: () => performance.now(),
    random: () => 0.5,
  });
  path.consumer.start();
  return path;
}
