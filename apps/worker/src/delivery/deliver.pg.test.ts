import { randomBytes } from 'node:crypto';
import { type Chunk, createLedger, createUsage, type Ledger, migrateLedger } from '@tickrate/pipeline';
import { PostgresUnavailable } from '@tickrate/postgres';
import { freshPostgres } from '@tickrate/testkit';
import type { InsertOutcome } from '@tickrate/warehouse';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { deliverAsWorker, Jobs, type ModelWorkerOptions } from '../testing/delivery-model.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { sampleChunk, sampleId } from '../testing/sample-rows.ts';
import type { EventStore } from './event-store.ts';

const { url } = await freshPostgres();
const ledger = createLedger({ postgresUrl: url });
const usage = createUsage({ postgresUrl: url });
beforeAll(() => migrateLedger(url));
afterAll(() => Promise.all([ledger.close(), usage.close()]));

function deliver(
  options: Omit<ModelWorkerOptions, 'ledger' | 'now'> & { readonly ledger?: Ledger },
  chunks: readonly Chunk[],
): Promise<boolean> {
  return deliverAsWorker({ ledger, now: Date.now, ...options }, chunks);
}

function project(): string {
  return `p-${randomBytes(6).toString('hex')}`;
}

let lastEvent = 0;
function events(count: number): number[] {
  lastEvent += count;
  return Array.from({ length: count }, (_, index) => lastEvent - count + 1 + index);
}

function chunkOf(projectId: string, ...requests: { events: readonly number[]; key?: string }[]): Chunk {
  return sampleChunk({ id: sampleId(Date.now()), projectId, requests });
}

describe('delivery', () => {
  test('a redelivered chunk waits for its whole batch, which is completed from the queue', async () => {
    const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
    const [a, b] = [chunkOf(p, { events: events(3) }), chunkOf(p, { events: events(2) })];
    jobs.add(a, b);
    await deliver({ jobs, store, crash: { call: 2, after: false } }, [a, b]);
    expect(store.inserts).toEqual([]);

    expect(await deliver({ jobs, store }, [b])).toBe(true);
    expect(store.inserts.map((insert) => insert.rows)).toEqual([5]);
    expect(await deliver({ jobs, store }, [a])).toBe(true);
    expect(store.inserts).toHaveLength(1);
  });

  test('a seal with a lost answer is repeated, and nothing is stored twice', async () => {
    const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
    const a = chunkOf(p, { events: events(4) });
    jobs.add(a);
    let isFirst = true;
    const forgetful: Ledger = {
      ...ledger,
      async seal(batchId, chunks) {
        const outcome = await ledger.seal(batchId, chunks);
        if (!isFirst) return outcome;
        isFirst = false;
        throw new PostgresUnavailable('away');
      },
    };
    expect(await deliver({ jobs, store, ledger: forgetful }, [a])).toBe(true);
    expect(store.inserts.map((insert) => insert.rows)).toEqual([4]);
    expect((await usage.totals()).get(p)?.stored).toBe(4);
  });

  test('an old batch is not inserted again when the store has forgotten its token but has its rows', async () => {
    const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
    const a = chunkOf(p, { events: events(3) });
    jobs.add(a);
    await deliver({ jobs, store, crash: { call: 2, after: true } }, [a]);
    store.forgetTokens();

    await deliver({ jobs, store, tokenWindowMs: -1 }, [a]);
    expect(store.inserts).toHaveLength(1);
    expect((await usage.totals()).get(p)?.stored).toBe(3);
  });

  test('a missing chunk of a sealed batch is reported and counted; the others of the batch are stored', async () => {
    const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
    const [a, b] = [chunkOf(p, { events: events(3) }), chunkOf(p, { events: events(2) })];
    jobs.add(a, b);
    await deliver({ jobs, store, crash: { call: 2, after: false } }, [a, b]);
    jobs.chunks.delete(b.id);

    const lost: string[] = [];
    await deliver({ jobs, store, lost }, [a]);
    expect(lost).toEqual([b.id]);
    expect((await usage.totals()).get(p)).toMatchObject({ accepted: 5, stored: 3 });
  });

  test('a chunk that the queue lost after it was stored is not missing', async () => {
    const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
    const [a, b] = [chunkOf(p, { events: events(3) }), chunkOf(p, { events: events(2) })];
    jobs.add(a, b);
    await deliver({ jobs, store, crash: { call: 2, after: true } }, [a, b]);
    jobs.chunks.delete(b.id);

    const lost: string[] = [];
    await deliver({ jobs, store, lost }, [a]);
    expect(lost).toEqual([]);
    expect((await usage.totals()).get(p)?.stored).toBe(5);
  });

  for (const namesRow of [true, false]) {
    test(`refused rows become dead letters and all others are stored (row named: ${namesRow})`, async () => {
      const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
      const numbers = events(200);
      const [a, b] = [
        chunkOf(p, { events: numbers.slice(0, 120) }),
        chunkOf(p, { events: numbers.slice(120) }),
      ];
      store.namesRow = namesRow;
      for (const index of [7, 119, 120, 199]) store.refusedEvents.add(numbers[index] ?? -1);
      jobs.add(a, b);
      expect(await deliver({ jobs, store }, [a, b])).toBe(true);
      expect((await usage.totals()).get(p)).toMatchObject({ stored: 196, deduplicated: 0, dead: 4 });
      expect(store.counts.size).toBe(196);
    });
  }

  test('parts of a refused batch that vanish with a killed server are stored once, although their tokens are known', async () => {
    const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
    const numbers = events(40);
    const chunks = [chunkOf(p, { events: numbers.slice(0, 25) }), chunkOf(p, { events: numbers.slice(25) })];
    for (const index of [11, 26]) store.refusedEvents.add(numbers[index] ?? -1);
    const seen = new Set<string>();
    const dying: EventStore = {
      countByChunk: (ids) => store.countByChunk(ids),
      insertRows(insert) {
        store.diesBeforePublishing = !seen.has(insert.token) && !insert.token.includes('/again-');
        seen.add(insert.token);
        return store.insertRows(insert);
      },
    };
    jobs.add(...chunks);
    expect(await deliver({ jobs, store: dying }, chunks)).toBe(true);
    expect([...store.counts.values()].every((count) => count === 1)).toBe(true);
    expect((await usage.totals()).get(p)).toMatchObject({ stored: 38, deduplicated: 0, dead: 2 });
    expect(store.counts.size).toBe(38);
  });

  for (const refused of [0, 1]) {
    test(`an insert that another worker repeated before it, and lost with the server, is stored once (refused rows: ${refused})`, async () => {
      const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
      const numbers = events(20);
      const a = chunkOf(p, { events: numbers });
      if (refused > 0) store.refusedEvents.add(numbers[0] ?? -1);
      jobs.add(a);
      let isFirst = true;
      const overtaken: EventStore = {
        countByChunk: (ids) => store.countByChunk(ids),
        async insertRows(insert) {
          if (isFirst && (refused === 0 || insert.token.endsWith('/1'))) {
            isFirst = false;
            store.diesBeforePublishing = true;
            const isDone = await deliver({ jobs, store, crash: { call: 4, after: true } }, [a]);
            expect([isDone, store.counts.size]).toEqual([false, 0]);
          }
          return store.insertRows(insert);
        },
      };
      expect(await deliver({ jobs, store: overtaken }, [a])).toBe(true);
      expect(store.counts.size).toBe(20 - refused);
      expect((await usage.totals()).get(p)?.stored).toBe(20 - refused);
    });
  }

  test('a chunk with a broken frame is buried whole and does not block others', async () => {
    const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
    const good = chunkOf(p, { events: events(5) });
    const whole = chunkOf(p, { events: events(4) });
    const broken = { ...whole, frame: whole.frame.subarray(0, whole.frame.length - 9) };
    const refusing: EventStore = {
      countByChunk: (ids) => store.countByChunk(ids),
      async insertRows(insert): Promise<InsertOutcome> {
        const isBroken = insert.body.some((frame) => Buffer.from(frame).equals(Buffer.from(broken.frame)));
        return isBroken
          ? { kind: 'data', code: '561', row: null, message: 'zstd' }
          : store.insertRows(insert);
      },
    };
    jobs.add(good, broken);
    expect(await deliver({ jobs, store: refusing }, [broken, good])).toBe(true);
    expect((await usage.totals()).get(p)).toMatchObject({ stored: 5, deduplicated: 0, dead: 4 });
  });

  test('a batch with only refused rows costs a bounded number of inserts', async () => {
    const [p, jobs, store] = [project(), new Jobs(), new MemoryStore()];
    const numbers = events(400);
    const a = chunkOf(p, { events: numbers });
    for (const event of numbers) store.refusedEvents.add(event);
    let inserts = 0;
    const counting: EventStore = {
      countByChunk: (ids) => store.countByChunk(ids),
      insertRows(insert) {
        inserts += 1;
        return store.insertRows(insert);
      },
    };
    jobs.add(a);
    await deliver({ jobs, store: counting, mostInsertsPerBatch: 20 }, [a]);
    expect((await usage.totals()).get(p)).toMatchObject({ stored: 0, deduplicated: 0, dead: 400 });
    expect(inserts).toBeLessThan(80);
  });

  test('a project with only refused rows costs other projects no row', async () => {
    const [bad, good, jobs, store] = [project(), project(), new Jobs(), new MemoryStore()];
    const chunks: Chunk[] = [];
    for (let round = 0; round < 5; round += 1) {
      const refused = events(40);
      for (const event of refused) store.refusedEvents.add(event);
      chunks.push(chunkOf(bad, { events: refused }), chunkOf(good, { events: events(40) }));
    }
    for (const chunk of chunks) jobs.add(chunk);
    await deliver({ jobs, store, mostInsertsPerBatch: 5 }, chunks);
    expect((await usage.totals()).get(good)).toMatchObject({ stored: 200, deduplicated: 0, dead: 0 });
    expect((await usage.totals()).get(bad)).toMatchObject({ stored: 0, deduplicated: 0, dead: 200 });
  });
});
