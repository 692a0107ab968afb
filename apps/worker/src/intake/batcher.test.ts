import type { Chunk, Lane } from '@tickrate/pipeline';
import { createManualClock } from '@tickrate/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { DeliveryOutcome } from '../delivery/deliver.ts';
import { Batcher } from './batcher.ts';

interface Timer {
  readonly dueMs: number;
  readonly fire: () => void;
}

/** A batcher whose clock and deliveries the test controls. */
function createBench({ maxRows = 100, maxBytes = 1_000, slots = 50, maxInFlight = 2 } = {}) {
  const clock = createManualClock();
  const timers = new Set<Timer>();
  const delivered: {
    readonly ids: string[];
    readonly rows: number;
    readonly finish: PromiseWithResolvers<DeliveryOutcome>;
  }[] = [];
  const batching = new Batcher({
    slots: { bulk: slots, express: slots },
    limits: { maxRows, maxBytes, maxAgeMs: 250, maxInFlight },
    clock: {
      now: clock.now,
      setTimer(delayMs, fire) {
        const timer = { dueMs: clock.now() + delayMs, fire };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    },
    deliver(chunks) {
      const finish = Promise.withResolvers<DeliveryOutcome>();
      const rows = chunks.reduce((sum, chunk) => sum + chunk.count, 0);
      delivered.push({ ids: chunks.map((chunk) => chunk.id), rows, finish });
      return finish.promise;
    },
  });
  const batcher = {
    get chunks() {
      return batching.chunks;
    },
    get bytes() {
      return batching.bytes;
    },
    add: (chunk: Chunk, lane: Lane = 'bulk', share = 1) => batching.add(chunk, lane, share),
    get untilNextMs() {
      return batching.untilNextMs;
    },
    drain: () => batching.drain(),
  };
  return {
    batcher,
    delivered,
    advance(ms: number) {
      clock.advance(ms);
      for (const timer of [...timers]) {
        if (timer.dueMs > clock.now()) continue;
        timers.delete(timer);
        timer.fire();
      }
    },
    async finish(index: number, outcome: DeliveryOutcome = { kind: 'settled' }) {
      delivered[index]?.finish.resolve(outcome);
      await settled();
    },
  };
}

/** Runs the callbacks of settled promises. */
async function settled(): Promise<void> {
  for (let step = 0; step < 10; step += 1) await Promise.resolve();
}

let made = 0;
function chunk(count: number, bytes = 10): Chunk {
  made += 1;
  return {
    id: `c${made}`,
    projectId: 'p',
    count,
    idempotency: [],
    frame: new Uint8Array(bytes),
    producer: 'g',
    position: { start: 0, settled: 0, voids: [] },
  };
}

describe('a batch begins', () => {
  test('when it has enough rows', () => {
    const { batcher, delivered } = createBench();
    void batcher.add(chunk(60));
    expect(delivered).toHaveLength(0);
    void batcher.add(chunk(60));
    expect(delivered.map((batch) => batch.rows)).toEqual([120]);
  });

  test('beside a refused one, which frees no second slot when it ends', async () => {
    const { batcher, delivered, finish } = createBench({ maxRows: 1, maxInFlight: 1 });
    const searched = Promise.withResolvers<void>();
    const isStored = batcher.add(chunk(1)).then(() => true);
    for (let n = 1; n < 4; n += 1) void batcher.add(chunk(1));
    expect(delivered).toHaveLength(1);
    await finish(0, { kind: 'refused', settled: searched.promise });
    expect(delivered).toHaveLength(2);
    expect(await Promise.race([isStored, Promise.resolve(false)])).toBe(false);
    searched.resolve();
    expect(await isStored).toBe(true);
    expect(delivered).toHaveLength(2);
    await finish(1);
    expect(delivered).toHaveLength(3);
  });

  test('when it has enough bytes', () => {
    const { batcher, delivered } = createBench();
    void batcher.add(chunk(1, 400));
    void batcher.add(chunk(1, 600));
    expect(delivered).toHaveLength(1);
  });

  test('when its oldest chunk has waited long enough, counted from that chunk', async () => {
    const { batcher, delivered, advance, finish } = createBench({ maxRows: 1_000 });
    void batcher.add(chunk(1_000));
    await finish(0);
    void batcher.add(chunk(1));
    advance(200);
    void batcher.add(chunk(1));
    advance(49);
    expect(delivered).toHaveLength(1);
    advance(1);
    expect(delivered[1]?.ids).toHaveLength(2);
  });

  test('after all that arrive together, however many claims it takes to fetch them', () => {
    const { batcher, delivered, advance } = createBench({ maxRows: 1_000 });
    for (let n = 0; n < 5; n += 1) {
      void batcher.add(chunk(1));
      advance(15);
    }
    expect(delivered).toHaveLength(0);
    advance(5);
    expect(delivered[0]?.ids).toHaveLength(5);
  });

  test('the sooner, the fuller it is', () => {
    const { batcher, delivered, advance } = createBench();
    void batcher.add(chunk(100));
    void batcher.add(chunk(60));
    advance(99);
    expect(delivered).toHaveLength(1);
    advance(1);
    expect(delivered).toHaveLength(2);
  });

  test('soon after its first chunk if the last batch began long ago', async () => {
    const { batcher, delivered, advance, finish } = createBench({ maxRows: 1_000 });
    void batcher.add(chunk(1));
    void batcher.add(chunk(1));
    advance(19);
    expect(delivered).toHaveLength(0);
    advance(1);
    expect(delivered[0]?.ids).toHaveLength(2);
    await finish(0);
    advance(200);
    void batcher.add(chunk(1));
    advance(49);
    expect(delivered).toHaveLength(1);
    advance(1);
    expect(delivered).toHaveLength(2);
  });

  test('when every slot is used, because no other chunk can arrive', () => {
    const { batcher, delivered } = createBench({ slots: 3 });
    for (let n = 0; n < 3; n += 1) void batcher.add(chunk(1));
    expect(delivered[0]?.ids).toHaveLength(3);
  });

  test('when every slot is used by chunks that share them', () => {
    const { batcher, delivered } = createBench({ slots: 3 });
    for (let n = 0; n < 8; n += 1) void batcher.add(chunk(1), 'express', 1 / 3);
    expect(delivered).toHaveLength(0);
    void batcher.add(chunk(1), 'express', 1 / 3);
    expect(delivered[0]?.ids).toHaveLength(9);
  });

  test('at once while draining', () => {
    const { batcher, delivered } = createBench();
    void batcher.add(chunk(1));
    batcher.drain();
    void batcher.add(chunk(1));
    expect(delivered).toHaveLength(2);
  });
});

describe('the next chunks are needed', () => {
  test('at once in a quiet moment, and when the next batch may begin after a small one', () => {
    const { batcher, delivered, advance } = createBench();
    expect(batcher.untilNextMs).toBe(0);
    void batcher.add(chunk(1));
    advance(20);
    expect(delivered).toHaveLength(1);
    expect(batcher.untilNextMs).toBe(247.5);
    advance(200);
    expect(batcher.untilNextMs).toBe(47.5);
    batcher.drain();
    expect(batcher.untilNextMs).toBe(0);
  });

  test('the sooner, the fuller the last batch was', () => {
    const { batcher, advance } = createBench();
    void batcher.add(chunk(40));
    advance(20);
    expect(batcher.untilNextMs).toBe(150);
    void batcher.add(chunk(100));
    expect(batcher.untilNextMs).toBe(0);
  });
});

test('at most two batches are in flight; waiting chunks follow as soon as one ends, within the size limit', async () => {
  const { batcher, delivered, finish } = createBench();
  for (let n = 0; n < 5; n += 1) void batcher.add(chunk(100));
  expect(delivered).toHaveLength(2);
  await finish(0);
  expect(delivered.map((batch) => batch.rows)).toEqual([100, 100, 100]);
});

test('chunks of the express lane overtake those that wait in bulk, and fill half of a batch at most', async () => {
  const { batcher, delivered, finish } = createBench({ maxInFlight: 1 });
  void batcher.add(chunk(100));
  const bulk = Array.from({ length: 30 }, () => chunk(10));
  const express = Array.from({ length: 10 }, () => chunk(10));
  for (const each of bulk) void batcher.add(each, 'bulk');
  for (const each of express) void batcher.add(each, 'express');
  for (let n = 0; n < 4; n += 1) await finish(n);
  const [, first, second, third] = delivered.map((batch) => batch.ids);
  const ids = (chunks: readonly Chunk[]) => chunks.map((each) => each.id);
  expect(first).toEqual([...ids(express.slice(0, 5)), ...ids(bulk.slice(0, 5))]);
  expect(second).toEqual([...ids(express.slice(5)), ...ids(bulk.slice(5, 10))]);
  expect(third).toEqual(ids(bulk.slice(10, 20)));
});

test('a batch begins when every slot of one lane is used, with any use of the other lane', () => {
  const { batcher, delivered } = createBench({ slots: 3 });
  void batcher.add(chunk(1), 'bulk');
  for (let n = 0; n < 3; n += 1) void batcher.add(chunk(1), 'express');
  expect(delivered[0]?.ids).toHaveLength(4);
});

test('a chunk is acknowledged when its own batch is stored, not before', async () => {
  const { batcher, finish } = createBench();
  const acknowledged: string[] = [];
  void batcher.add(chunk(100)).then(() => acknowledged.push('first'));
  void batcher.add(chunk(100)).then(() => acknowledged.push('second'));
  await settled();
  expect(acknowledged).toEqual([]);
  await finish(1);
  expect(acknowledged).toEqual(['second']);
  await finish(0);
  expect(acknowledged).toEqual(['second', 'first']);
});

test('a batch that fails rejects its chunks, and the next batch is delivered', async () => {
  const { batcher, delivered } = createBench();
  const lost = batcher.add(chunk(100));
  delivered[0]?.finish.reject(new Error('gave up'));
  await expect(lost).rejects.toThrow('gave up');
  void batcher.add(chunk(100));
  expect(delivered).toHaveLength(2);
  expect(batcher.chunks).toBe(1);
});

test('a chunk that arrives again while it is delivered is not delivered twice', async () => {
  const { batcher, delivered, finish } = createBench();
  const twice = chunk(100);
  const both = [batcher.add(twice), batcher.add(twice)];
  expect(delivered).toHaveLength(1);
  await finish(0);
  expect(await Promise.all(both)).toEqual([undefined, undefined]);
  expect([batcher.chunks, batcher.bytes]).toEqual([0, 0]);
});

test('in any order of arrivals and ends every chunk is delivered once and none is left', async () => {
  const step = fc.oneof(
    fc.record({ add: fc.integer({ min: 1, max: 120 }), lane: fc.constantFrom<Lane>('bulk', 'express') }),
    fc.record({ wait: fc.integer({ min: 0, max: 300 }) }),
    fc.record({ end: fc.nat(5) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const { batcher, delivered, advance, finish } = createBench({ slots: 8 });
      const added: string[] = [];
      let ended = 0;
      for (const action of steps) {
        if ('add' in action && batcher.chunks < 8) {
          const next = chunk(action.add);
          added.push(next.id);
          void batcher.add(next, action.lane);
        } else if ('wait' in action) advance(action.wait);
        else if ('end' in action && ended < delivered.length) await finish(ended++);
        expect(delivered.length - ended).toBeLessThanOrEqual(2);
      }
      batcher.drain();
      while (ended < delivered.length) await finish(ended++);
      expect(delivered.flatMap((batch) => batch.ids).toSorted()).toEqual(added.toSorted());
      expect([batcher.chunks, batcher.bytes]).toEqual([0, 0]);
    }),
  );
});
