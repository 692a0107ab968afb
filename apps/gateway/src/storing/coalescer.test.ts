import { randomFillSync } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { type DecodedRow, readRows } from '@tickrate/events';
import { type Chunk, createSentPositions, mostChunksOfParcel } from '@tickrate/pipeline';
import { waitUntil } from '@tickrate/testkit';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { admitWhole } from '../reading/admit.ts';
import { finish } from '../reading/sliced.ts';
import { newRows, receivedMs, sampleFrame } from '../testing/sample-rows.ts';
import { type CoalescerOptions, createCoalescer, type RequestRows } from './coalescer.ts';

const frame = sampleFrame();

interface Sending {
  readonly chunks: readonly Chunk[];
  settle(fault?: Error): void;
}

function start(options: Partial<CoalescerOptions> = {}) {
  const sendings: Sending[] = [];
  const sentChunks: Chunk[] = [];
  const coalescer = createCoalescer({
    producer: 'gateway-1',
    positions: createSentPositions(),
    laneOf: (projectId) => (projectId === 'p-2' ? 'express' : 'bulk'),
    send(chunks) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      sendings.push({
        chunks,
        settle: (fault) => (fault === undefined ? resolve() : reject(fault)),
      });
      return promise;
    },
    onSent: (chunk) => sentChunks.push(chunk),
    now: () => receivedMs,
    fillRandom: randomFillSync,
    ...options,
  });
  return { coalescer, sendings, sentChunks };
}

const chunksOf = (sendings: readonly Sending[]) => sendings.flatMap(({ chunks }) => chunks);

interface SampleRequest {
  readonly projectId?: string;
  /** Another connection for each request, if not given. */
  readonly sender?: object;
  readonly keyed?: RequestRows['keyed'];
}

interface SentRequest {
  readonly projectId: string;
  readonly levels: readonly number[];
  readonly keyed: RequestRows['keyed'];
}

let requests = 0;

function request(
  levels: readonly number[],
  { projectId = 'p-1', keyed = [], sender = {} }: SampleRequest = {},
): RequestRows {
  const rows = newRows();
  finish(admitWhole(rows, frame, Buffer.from(JSON.stringify(levels.map((level) => ({ level }))))));
  const { bytes, at } = rows.writer;
  const requestId = `r${requests++}`;
  const { starts } = rows;
  return { requestId, sender, projectId, bytes, length: at, starts, keyed, traceparent: null };
}

function rowsOf({ frame: compressed }: Chunk): DecodedRow[] {
  return [...readRows(zstdDecompressSync(compressed))];
}

const levelsOf = (rows: readonly DecodedRow[]) => rows.map(({ data }) => Number(data.get('level')));

// Invariant (Delivery): 200 means that the queue has the events; a request is never split over two chunks
describe('rows of many requests', () => {
  const sizes = fc.record({
    project: fc.nat(2),
    count: fc.integer({ min: 1, max: 12 }),
    keys: fc.array(fc.nat(11), { maxLength: 3 }),
    waits: fc.boolean(),
  });

  test('a chunk that is overdue is sent with the next request, also while no timer fires', () => {
    let nowMs = receivedMs;
    const { coalescer, sendings } = start({ now: () => nowMs, windowMs: 4 });
    void coalescer.add(request([1]));
    nowMs += 19;
    void coalescer.add(request([2]));
    expect(sendings).toHaveLength(0);
    nowMs += 1;
    void coalescer.add(request([3]));
    expect(chunksOf(sendings).map(({ count }) => count)).toEqual([3]);
  });

  test('are each in exactly one chunk of their project, with its id and their runs', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sizes, { maxLength: 40 }),
        fc.integer({ min: 1, max: 30 }),
        async (list, maxRows) => {
          const { coalescer, sendings } = start({ maxRows, maxBytes: 1500, windowMs: 0 });
          let level = 0;
          const sent: SentRequest[] = [];
          for (const { project, count, keys, waits } of list) {
            const levels = Array.from({ length: count }, () => level++);
            const firsts = [...new Set(keys)].filter((row) => row < count).sort((a, b) => a - b);
            const keyed = firsts.map((firstRow, n) => ({
              key: `k${level}-${n}`,
              firstRow,
              count: (firsts[n + 1] ?? count) - firstRow,
            }));
            void coalescer.add(request(levels, { projectId: `p-${project}`, keyed }));
            sent.push({ projectId: `p-${project}`, levels, keyed });
            if (waits) await new Promise(setImmediate);
          }
          const drained = coalescer.drain();
          for (const { settle } of sendings) settle();
          await drained;
          for (const { chunks } of sendings) checkParcel(chunks);
          checkChunks(chunksOf(sendings), sent);
        },
      ),
      { numRuns: 60 },
    );
  });

  /** Chunks of projects of one lane, each project once, with ids that differ only in their place. */
  function checkParcel(chunks: readonly Chunk[]): void {
    const projects = new Set(chunks.map(({ projectId }) => projectId));
    expect(projects.size).toBe(chunks.length);
    expect(projects.has('p-2')).toBe(chunks.length === 1 && chunks[0]?.projectId === 'p-2');
    expect(new Set(chunks.map(({ id }) => id.slice(0, 16) + id.slice(18))).size).toBe(1);
    const places = chunks.map(({ id }) => Number.parseInt(id.slice(16, 18), 16) & 0x3f);
    expect(places).toEqual(chunks.map((_, index) => index + 1));
  }

  function checkChunks(chunks: readonly Chunk[], sent: readonly SentRequest[]): void {
    const placed = new Map<number, string>();
    const runs = new Map<string, number[]>();
    for (const chunk of chunks) {
      const rows = rowsOf(chunk);
      expect(rows).toHaveLength(chunk.count);
      for (const row of rows) {
        expect(row.chunkId).toBe(chunk.id);
        expect(placed.has(Number(row.data.get('level')))).toBe(false);
        placed.set(Number(row.data.get('level')), chunk.id);
      }
      for (const run of chunk.idempotency) {
        const inside = rows.filter(({ start, end }) => start >= run.start && end <= run.start + run.length);
        expect(inside).toHaveLength(run.count);
        expect(inside.at(-1)?.end).toBe(run.start + run.length);
        runs.set(run.key, levelsOf(inside));
      }
    }
    expect(placed.size).toBe(sent.flatMap(({ levels }) => levels).length);
    for (const { projectId, levels, keyed } of sent) {
      const homes = new Set(levels.map((level) => placed.get(level)));
      expect(homes.size).toBe(1);
      expect(chunks.find(({ id }) => homes.has(id))?.projectId).toBe(projectId);
      for (const { key, firstRow, count } of keyed)
        expect(runs.get(key)).toEqual(levels.slice(firstRow, firstRow + count));
    }
  }

  test('are sent at once in a quiet moment, together if they arrived together', async () => {
    const { coalescer, sendings } = start({ windowMs: 60_000 });
    void coalescer.add(request([1]));
    void coalescer.add(request([2]));
    expect(sendings).toHaveLength(0);
    await new Promise(setImmediate);
    expect(chunksOf(sendings).map((chunk) => levelsOf(rowsOf(chunk)))).toEqual([[1, 2]]);
  });

  describe('after others of their lane were sent', () => {
    /** A parcel of two senders was sent at 0 and, unless told otherwise, has arrived. */
    async function startAfterOne({ hasArrived = true } = {}) {
      vi.useFakeTimers();
      onTestFinished(() => void vi.useRealTimers());
      const senders = [{}, {}];
      const { coalescer, sendings } = start({ windowMs: 40, now: Date.now });
      for (const sender of senders) void coalescer.add(request([0], { sender }));
      await vi.advanceTimersByTimeAsync(0);
      if (hasArrived) sendings[0]?.settle();
      await vi.advanceTimersByTimeAsync(0);
      const sentLevels = () => chunksOf(sendings.slice(1)).map((chunk) => levelsOf(rowsOf(chunk)));
      return { coalescer, senders, sentLevels };
    }

    test('wait until the window is over, also while the others are on their way', async () => {
      for (const hasArrived of [true, false]) {
        const { coalescer, senders, sentLevels } = await startAfterOne({ hasArrived });
        await vi.advanceTimersByTimeAsync(10);
        for (const level of hasArrived ? [1] : [1, 2])
          void coalescer.add(request([level], { sender: senders[level - 1] ?? {} }));
        await vi.advanceTimersByTimeAsync(29);
        expect(sentLevels()).toEqual([]);
        await vi.advanceTimersByTimeAsync(1);
        expect(sentLevels()).toEqual([hasArrived ? [1] : [1, 2]]);
      }
    });

    test('wait 5 ms if all active senders wait', async () => {
      const { coalescer, senders, sentLevels } = await startAfterOne();
      await vi.advanceTimersByTimeAsync(1);
      for (const [at, sender] of senders.entries()) void coalescer.add(request([at], { sender }));
      await vi.advanceTimersByTimeAsync(3);
      expect(sentLevels()).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(sentLevels()).toEqual([[0, 1]]);
    });

    test('do not wait if all active senders wait and are many', async () => {
      const { coalescer, senders, sentLevels } = await startAfterOne();
      const many = [...senders, ...Array.from({ length: 30 }, () => ({}))];
      for (const [at, sender] of many.entries()) void coalescer.add(request([at], { sender }));
      await vi.advanceTimersByTimeAsync(0);
      expect(sentLevels()).toHaveLength(1);
    });

    test('wait 5 ms if those wait who sent three quarters of the last requests', async () => {
      const { coalescer, sentLevels } = await startAfterOne();
      for (let level = 0; level < 5; level++) void coalescer.add(request([level]));
      await vi.advanceTimersByTimeAsync(6);
      expect(sentLevels()).toEqual([]);
      void coalescer.add(request([5]));
      await vi.advanceTimersByTimeAsync(0);
      expect(sentLevels()).toEqual([[0, 1, 2, 3, 4, 5]]);
    });

    test('wait half of the window if they are many', async () => {
      const { coalescer, sentLevels } = await startAfterOne({ hasArrived: false });
      await vi.advanceTimersByTimeAsync(10);
      for (let level = 0; level < 100; level++) void coalescer.add(request([level]));
      await vi.advanceTimersByTimeAsync(9);
      expect(sentLevels()).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      expect(sentLevels().map(({ length }) => length)).toEqual([100]);
    });

    test('are sent at once if their clock was set back', async () => {
      const { coalescer, sentLevels } = await startAfterOne();
      vi.setSystemTime(Date.now() - 3_600_000);
      void coalescer.add(request([1]));
      await vi.advanceTimersByTimeAsync(0);
      expect(sentLevels()).toEqual([[1]]);
    });
  });

  test('are sent when a chunk is full of rows or of bytes', () => {
    const byRows = start({ maxRows: 3 });
    void byRows.coalescer.add(request([1, 2]));
    void byRows.coalescer.add(request([3]));
    expect(chunksOf(byRows.sendings).map(({ count }) => count)).toEqual([3]);
    const byBytes = start({ maxBytes: request([1, 2]).length });
    void byBytes.coalescer.add(request([1]));
    void byBytes.coalescer.add(request([1, 2]));
    expect(chunksOf(byBytes.sendings).map(({ count }) => count)).toEqual([1, 2]);
  });

  test('of many projects share a parcel, up to its number of chunks', () => {
    const { coalescer, sendings } = start();
    const projects = Array.from({ length: mostChunksOfParcel + 1 }, (_, n) => `p-9${n}`);
    for (const projectId of projects) void coalescer.add(request([1, 2], { projectId }));
    void coalescer.drain();
    expect(sendings.map(({ chunks }) => chunks.length)).toEqual([mostChunksOfParcel, 1]);
    expect(chunksOf(sendings).map(({ projectId }) => projectId)).toEqual(projects);
  });

  test('of one request stay together, in any number', () => {
    const { coalescer, sendings } = start({ maxRows: 10, maxBytes: 100 });
    void coalescer.add(request(Array.from({ length: 5_000 }, (_, level) => level)));
    expect(chunksOf(sendings).map(({ count }) => count)).toEqual([5_000]);
  });

  test('may be overwritten as soon as they were added', async () => {
    const { coalescer, sendings } = start();
    const rows = request([7]);
    void coalescer.add(rows);
    rows.bytes.fill(0xff);
    await new Promise(setImmediate);
    expect(chunksOf(sendings).flatMap((chunk) => levelsOf(rowsOf(chunk)))).toEqual([7]);
  });
});

describe('the outcome of a chunk', () => {
  test('is reported to exactly the requests with rows in it, once it is durable', async () => {
    const { coalescer, sendings, sentChunks } = start({ maxRows: 2 });
    const fates: string[] = [];
    const add = (name: string, projectId: string) =>
      coalescer.add(request([1], { projectId })).then(
        () => fates.push(`${name} stored`),
        (fault: Error) => fates.push(`${name} ${fault.message}`),
      );
    void add('a', 'p-1');
    void add('b', 'p-2');
    void add('c', 'p-1');
    void add('d', 'p-2');
    await waitUntil(() => sendings.length === 2);
    expect(fates).toEqual([]);
    sendings[0]?.settle(new Error('away'));
    await waitUntil(() => fates.length === 2);
    expect([fates, sentChunks]).toEqual([['a away', 'c away'], []]);
    sendings[1]?.settle();
    await waitUntil(() => fates.length === 4);
    expect(fates.slice(2)).toEqual(['b stored', 'd stored']);
    expect(sentChunks.map(({ projectId }) => projectId)).toEqual(['p-2']);
  });

  test('is awaited by draining, which sends open chunks at once', async () => {
    const { coalescer, sendings } = start({ windowMs: 60_000, maxRows: 6 });
    const stored = [1, 2, 3].map((n) => coalescer.add(request([n, n, n], { projectId: `p-${n}` })));
    let isDrained = false;
    const drained = coalescer.drain().then(() => {
      isDrained = true;
    });
    expect(sendings).toHaveLength(2);
    sendings[0]?.settle();
    await Promise.all([stored[0], stored[2]]);
    await new Promise(setImmediate);
    expect(isDrained).toBe(false);
    sendings[1]?.settle();
    await drained;
  });
});

test('a chunk says which events the queue answered for before it was made, and which of them it refused', async () => {
  const { coalescer, sendings } = start({ maxRows: 1 });
  const first = coalescer.add(request([1, 2]));
  const second = coalescer.add(request([3]));
  sendings[1]?.settle(new Error('the queue is away'));
  await expect(second).rejects.toThrow();
  void coalescer.add(request([4]));
  sendings[0]?.settle();
  await first;
  void coalescer.add(request([5]));
  expect(chunksOf(sendings).map(({ position }) => position)).toEqual([
    { start: 0, settled: 0, voids: [] },
    { start: 2, settled: 0, voids: [] },
    { start: 3, settled: 0, voids: [] },
    { start: 4, settled: 3, voids: [[2, 3]] },
  ]);
});
