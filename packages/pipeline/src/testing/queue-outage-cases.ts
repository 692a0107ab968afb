import { setTimeout } from 'node:timers/promises';
import { expect } from 'vitest';
import { createQueueMonitor, QueueUnavailable } from '../index.ts';
import { sampleChunk } from '../queue/chunks/chunk-samples.ts';
import type { QueueBench } from './queue-bench.ts';
import type { QueueCase } from './queue-cases.ts';

/** The tests of a store that hangs or is away, for both backends, by their names. */
export const queueOutageCases: Readonly<Record<string, QueueCase>> = {
  'stops measuring a store that hangs after the timeout': async (bench) => {
    const proxy = await bench.tools.proxy(bench.tools.queueUrl);
    bench.onClose(() => proxy.close());
    const consumer = bench.consumer({ queueUrl: proxy.url, timeoutMs: 500 });
    await bench.tools.waitUntil(() => consumer.healthy(), { what: 'the consumer to take chunks' });
    expect(await consumer.levels()).toHaveLength(1);
    proxy.freeze();
    await expect(consumer.levels()).rejects.toThrow(QueueUnavailable);
    proxy.open();
    await bench.tools.waitUntil(async () => (await consumer.levels()).length === 1);
  },

  'says that a store that is away cannot be read': async (bench) => {
    const proxy = await bench.tools.proxy(bench.tools.queueUrl);
    const monitor = createQueueMonitor({
      queueUrl: proxy.url,
      shards: 2,
      queue: bench.queue,
      timeoutMs: 500,
    });
    bench.onClose(async () => {
      await monitor.stop();
      await proxy.close();
    });
    await monitor.start();
    expect(await monitor.levels()).toHaveLength(1);
    proxy.refuse();
    await expect(monitor.pending()).rejects.toThrow(QueueUnavailable);
    await expect(monitor.levels()).rejects.toThrow(QueueUnavailable);
    proxy.open();
    const isRead = () =>
      monitor.pending().then(
        ({ complete }) => complete,
        () => false,
      );
    await bench.tools.waitUntil(isRead, { timeoutMs: 10_000, what: 'the queue to be read again' });
  },

  'continues after the store hung while the workers connected, and again while they were replaced': async (
    bench,
  ) => {
    const proxy = await bench.tools.proxy(bench.tools.queueUrl);
    bench.onClose(() => proxy.close());
    const timeoutMs = 500;
    proxy.delay(timeoutMs / 20); // long enough that the fault comes between two steps of connecting
    const consumer = bench.consumer({ queueUrl: proxy.url, timeoutMs });
    await bench.tools.waitUntil(() => consumer.healthy(), { timeoutMs: 10_000, what: 'the store to open' });
    proxy.freeze();
    await setTimeout(3_000);
    proxy.delay(0);
    proxy.open();
    const producer = await bench.producer();
    const chunks = [1, 2, 3, 4].map(() => sampleChunk(bench.tools.now()));
    for (const [n, chunk] of chunks.entries()) await producer.add(chunk, n % 2 === 0 ? 'bulk' : 'express');
    const delivered = () => new Set(consumer.chunks.map((chunk) => chunk.id)).size === chunks.length;
    await bench.tools.waitUntil(delivered, { timeoutMs: 15_000, what: 'the chunks after the outage' });
  },

  'refuses while the store hangs, and accepts again afterwards': (bench) => outage(bench, 'freeze'),

  'refuses while the store is away, and accepts again afterwards': (bench) => outage(bench, 'refuse'),
};

async function outage(bench: QueueBench, fault: 'freeze' | 'refuse'): Promise<void> {
  const network = await bench.tools.proxy(bench.tools.queueUrl);
  bench.onClose(() => network.close());
  const producer = await bench.producer({ url: network.url, timeoutMs: 500 });
  await producer.add(sampleChunk(bench.tools.now()));
  await bench.tools.waitUntil(() => producer.accepting());

  network[fault]();
  await expect(producer.add(sampleChunk(bench.tools.now()))).rejects.toThrow(QueueUnavailable);
  await bench.tools.waitUntil(() => !producer.accepting(), { what: 'the producer to refuse' });

  network.open();
  const restored = { timeoutMs: 10_000, what: 'the producer to accept again' };
  await bench.tools.waitUntil(() => producer.accepting(), restored);
  await producer.add(sampleChunk(bench.tools.now()));
}
