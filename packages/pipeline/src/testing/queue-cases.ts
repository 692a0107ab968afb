import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Lane } from '../index.ts';
import { sampleChunk, sampleId, sampleParcel } from '../queue/chunks/chunk-samples.ts';
import type { QueueBench } from './queue-bench.ts';

export type QueueCase = (bench: QueueBench) => Promise<void>;

/** For tests that count deliveries: a process that pauses for longer than its lock gets a chunk again. */
const longLock = { lockMs: 30_000 };

/** The tests of both backends, by their names. */
export const queueCases: Readonly<Record<string, QueueCase>> = {
  'delivers a chunk as it was added, and keeps nothing of it': async (bench) => {
    const producer = await bench.producer();
    const chunk = sampleChunk(bench.tools.now());
    await producer.add(chunk);
    const consumer = bench.consumer();
    await bench.tools.waitUntil(() => consumer.chunks.length === 1);

    const [delivered] = consumer.chunks;
    expect({ ...delivered, frame: null }).toEqual({ ...chunk, frame: null });
    expect(Buffer.from(delivered?.frame ?? [])).toEqual(chunk.frame);
    await bench.untilEmpty();
  },

  'keeps one job for a chunk that is added twice': async (bench) => {
    const producer = await bench.producer();
    const chunk = sampleChunk(bench.tools.now());
    await producer.add(chunk);
    await Promise.all([
      producer.add(chunk),
      producer.add(chunk),
      producer.add(sampleChunk(bench.tools.now())),
    ]);
    expect(await bench.depth()).toBe(2);
  },

  'delivers every one of many chunks that are added at once': async (bench) => {
    const producer = await bench.producer();
    const ids = Array.from({ length: 400 }, () => sampleChunk(bench.tools.now()));
    await Promise.all(ids.map((chunk) => producer.add(chunk)));
    const consumer = bench.consumer();
    // A chunk may be delivered twice. The test requires only that none is missing.
    const delivered = () => new Set(consumer.chunks.map((chunk) => chunk.id));
    await bench.tools.waitUntil(() => delivered().size === ids.length, { what: 'all chunks' });
    expect(delivered()).toEqual(new Set(ids.map((chunk) => chunk.id)));
  },

  'reports a job without a valid chunk once, and removes it': async (bench) => {
    const consumer = bench.consumer();
    await bench.producer();
    const { id } = sampleChunk(bench.tools.now());
    await bench.tools.addRaw(bench.queue, id, { name: 'p-0123456789ab:7', data: { v: 2 } });
    await bench.tools.waitUntil(() => consumer.malformed.length === 1);

    const [job] = consumer.malformed;
    expect(job).toMatchObject({ id, reason: 'unknown version', projectId: 'p-0123456789ab', count: 7 });
    await bench.untilEmpty();
    expect(consumer.malformed).toHaveLength(1);
  },

  'delivers a chunk again until its handler resolves': async (bench) => {
    const producer = await bench.producer();
    let attempts = 0;
    bench.consumer({
      ...longLock,
      handle: async () => {
        attempts += 1;
        if (attempts < 3) throw new Error('not yet');
      },
    });
    await producer.add(sampleChunk(bench.tools.now()));
    await bench.tools.waitUntil(() => attempts === 3, { what: 'the third attempt' });
    await bench.untilEmpty();
  },

  'keeps chunks of several projects as one job until each of them is handled': async (bench) => {
    const producer = await bench.producer();
    const chunks = sampleParcel(bench.tools.now(), [4, 5, 6]);
    for (const _ of [1, 2]) await producer.addTogether(chunks, 'express');
    expect(await bench.depth()).toBe(1);
    const monitor = await bench.monitor();
    const byProject = new Map(Object.entries({ 'p-0': 4, 'p-1': 5, 'p-2': 6 }));
    expect(await monitor.pending()).toMatchObject({ byProject, chunks: 3, complete: true });
    const handled: string[] = [];
    const shares = new Set<number>();
    let failures = 0;
    const looked = Promise.withResolvers<void>();
    const consumer = bench.consumer({
      ...longLock,
      handle: async (chunk, _lane, share) => {
        handled.push(chunk.id);
        shares.add(share);
        await looked.promise;
        if (chunk.projectId === 'p-1' && failures++ === 0) throw new Error('not yet');
      },
    });
    const ids = chunks.map(({ id }) => id);
    await bench.tools.waitUntil(() => handled.length === 3, { what: 'the chunks to be taken' });
    const found = await consumer.find(ids);
    looked.resolve();
    expect([...found.values()].map((chunk) => chunk?.count ?? 0)).toEqual([4, 5, 6]);
    await bench.untilEmpty();
    expect(handled.toSorted()).toEqual([...ids, ...ids].toSorted());
    expect([...shares]).toEqual([1 / 3]);
  },

  'reports the pending events of each project and process': async (bench) => {
    const producer = await bench.producer();
    for (const [projectId, count] of [
      ['p-aaaaaaaaaaaa', 300],
      ['p-bbbbbbbbbbbb', 20],
      ['p-aaaaaaaaaaaa', 1],
    ] as const) {
      const lane = count === 20 ? 'express' : 'bulk';
      const position = { start: count === 1 ? 300 : 0, settled: 0, voids: [] };
      const some = { projectId, count, position, idempotency: [] };
      await producer.add(sampleChunk(bench.tools.now(), some), lane);
    }
    const working = holdChunks(bench);
    await bench.tools.waitUntil(() => working.taken() > 0, { what: 'a chunk to be taken' });

    const monitor = await bench.monitor();
    expect(await monitor.pending()).toEqual({
      byProject: new Map(Object.entries({ 'p-aaaaaaaaaaaa': 301, 'p-bbbbbbbbbbbb': 20 })),
      ranges: new Map([
        ['p-aaaaaaaaaaaa', new Map([['gateway-1', [[0, 301]]]])],
        ['p-bbbbbbbbbbbb', new Map([['gateway-1', [[0, 20]]]])],
      ]),
      chunks: 3,
      complete: true,
    });
    const [level] = await monitor.levels();
    expect(bench.tools.now() - (level?.oldestMs ?? 0)).toBeLessThan(20_000);
  },

  'reports pending chunks of unknown jobs as far as their names can be read': async (bench) => {
    await bench.producer();
    for (const name of ['p-cccccccccccc:7', 'nobody:9x:1:g', ''])
      await bench.tools.addRaw(bench.queue, sampleId(bench.tools.now()), { name, data: null });
    const monitor = await bench.monitor();
    expect(await monitor.pending()).toMatchObject({
      byProject: new Map([['p-cccccccccccc', 7]]),
      ranges: new Map(),
    });
  },

  'finds chunks by their ids, also while they are worked on': async (bench) => {
    const producer = await bench.producer();
    const chunks = [4, 5, 6].map((count) => sampleChunk(bench.tools.now(), { count }));
    for (const [n, chunk] of chunks.entries()) await producer.add(chunk, n === 1 ? 'express' : 'bulk');
    const working = holdChunks(bench);
    await bench.tools.waitUntil(() => working.taken() > 0, { what: 'a chunk to be taken' });

    const unknown = sampleChunk(bench.tools.now()).id;
    const found = await working.consumer.find([...chunks.map((chunk) => chunk.id), unknown]);
    expect(chunks.map((chunk) => found.get(chunk.id)?.count)).toEqual([4, 5, 6]);
    expect(found.get(unknown)).toBe(null);
  },

  'delivers the express lane while every slot of the bulk lane is taken and more wait': async (bench) => {
    const producer = await bench.producer();
    const adding = Array.from({ length: 60 }, () => producer.add(sampleChunk(bench.tools.now()), 'bulk'));
    await Promise.all(adding);
    const over = Promise.withResolvers<void>();
    bench.onClose(async () => over.resolve());
    const taken: Record<Lane, string[]> = { bulk: [], express: [] };
    const consumer = bench.consumer({
      ...longLock,
      concurrency: 8,
      async handle(chunk, lane) {
        taken[lane].push(chunk.id);
        if (lane === 'bulk') await over.promise;
      },
    });
    await bench.tools.waitUntil(() => taken.bulk.length === consumer.slots.bulk, { what: 'no slot left' });
    const express = sampleChunk(bench.tools.now(), { projectId: 'p-eeeeeeeeeeee' });
    await producer.add(express, 'express');
    await bench.tools.waitUntil(() => taken.express.length === 1, { what: 'the chunk of the express lane' });
    expect(taken.express).toEqual([express.id]);
    expect(taken.bulk).toHaveLength(8);
    const monitor = await bench.monitor();
    expect((await monitor.pending()).byProject.get('p-0123456789ab')).toBe(180);
    over.resolve();
    await bench.untilEmpty();
    expect(new Set(taken.bulk).size).toBe(60);
  },

  'takes no chunk while it is held': async (bench) => {
    const producer = await bench.producer();
    const consumer = bench.consumer(longLock);
    await producer.add(sampleChunk(bench.tools.now()));
    await bench.tools.waitUntil(() => consumer.chunks.length === 1);
    await consumer.hold();
    for (let n = 0; n < 30; n += 1) await producer.add(sampleChunk(bench.tools.now()));
    expect(consumer.chunks.length).toBeLessThan(10); // a fetch that was under way may still come
    const express = sampleChunk(bench.tools.now());
    await consumer.release(['express']);
    await producer.add(express, 'express');
    const arrived = () => consumer.chunks.some((chunk) => chunk.id === express.id);
    await bench.tools.waitUntil(arrived, { what: 'the lane that is released' });
    expect(consumer.chunks.length).toBeLessThan(11);
    await consumer.release();
    await bench.tools.waitUntil(() => consumer.chunks.length === 32, {
      what: 'the chunks after the release',
    });
  },

  'delivers the chunks of a killed worker to another one': async (bench) => {
    const producer = await bench.producer();
    const ids = Array.from({ length: 6 }, () => sampleChunk(bench.tools.now()));
    for (const chunk of ids) await producer.add(chunk);
    const script = join(import.meta.dirname, '../queue/consumer/hung-consumer-main.ts');
    const child = spawn(process.execPath, [script, bench.tools.queueUrl, bench.queue]);
    bench.onClose(async () => child.kill('SIGKILL'));
    let taken = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      taken += text;
    });
    await bench.tools.waitUntil(() => taken.split('\n').length > ids.length, {
      timeoutMs: 10_000,
      what: 'the child to take all chunks',
    });
    child.kill('SIGKILL');
    await once(child, 'exit');

    const consumer = bench.consumer();
    const redelivered = { timeoutMs: 15_000, what: 'the redelivery' };
    // A chunk may be delivered twice here too.
    const delivered = () => new Set(consumer.chunks.map((chunk) => chunk.id));
    await bench.tools.waitUntil(() => delivered().size === ids.length, redelivered);
    expect(delivered()).toEqual(new Set(ids.map(({ id }) => id)));
  },

  'stops by its deadline although a handler hangs': async (bench) => {
    const producer = await bench.producer();
    const working = holdChunks(bench);
    await producer.add(sampleChunk(bench.tools.now()));
    await bench.tools.waitUntil(() => working.taken() === 1, { what: 'the chunk to be taken' });
    // It resolves at all.
    await working.consumer.stop(200);
  },

  'refuses when its store fills up, and accepts again once it was emptied': async (bench) => {
    const [level] = await (await bench.monitor()).levels();
    const producer = await bench.producer({ limitBytes: (level?.usedBytes ?? 0) + 4_000_000 });
    await bench.tools.waitUntil(() => producer.accepting());
    for (let added = 0; producer.accepting() && added < 200; added += 1) {
      await producer.add(sampleChunk(bench.tools.now(), { bytes: 100_000 }));
    }
    await bench.tools.waitUntil(() => !producer.accepting(), { what: 'the producer to refuse' });
    bench.consumer();
    const emptied = { timeoutMs: 10_000, what: 'the producer to accept again' };
    await bench.tools.waitUntil(() => producer.accepting(), emptied);
  },
};

/** A consumer that takes two chunks at a time and finishes none before the test ends. */
function holdChunks(bench: QueueBench) {
  const over = Promise.withResolvers<void>();
  let taken = 0;
  const consumer = bench.consumer({
    concurrency: 2,
    handle() {
      taken += 1;
      return over.promise;
    },
  });
  bench.onClose(async () => over.resolve());
  return { consumer, taken: () => taken };
}
