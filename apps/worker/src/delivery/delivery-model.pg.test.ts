import { randomBytes } from 'node:crypto';
import { type Chunk, createLedger, createUsage, migrateLedger } from '@tickrate/pipeline';
import { freshPostgres } from '@tickrate/testkit';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deliverAsWorker, Jobs } from '../testing/delivery-model.ts';
import { MemoryStore } from '../testing/memory-store.ts';
import { sampleChunk, sampleId } from '../testing/sample-rows.ts';

const { url } = await freshPostgres();
const ledger = createLedger({ postgresUrl: url });
const usage = createUsage({ postgresUrl: url });
beforeAll(() => migrateLedger(url));
afterAll(() => Promise.all([ledger.close(), usage.close()]));

interface Request {
  readonly events: readonly number[];
  readonly key?: string;
}

/** The sizes of requests and their keys, by chunk. */
const shapes = fc.array(
  fc.array(fc.record({ size: fc.integer({ min: 1, max: 4 }), key: fc.option(fc.nat(5)) }), {
    minLength: 1,
    maxLength: 3,
  }),
  { minLength: 2, maxLength: 10 },
);

/** Concurrent workers, in rounds: the chunks of each, and the call at which it crashes. */
const rounds = fc.array(
  fc.array(
    fc.record({
      takes: fc.uniqueArray(fc.nat(9), { minLength: 1, maxLength: 6 }),
      crash: fc.option(fc.record({ call: fc.integer({ min: 1, max: 6 }), after: fc.boolean() }), {
        nil: undefined,
      }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  { maxLength: 8 },
);

test('every event is stored once through crashes at any call, redelivery, refusals and repeated requests', async () => {
  const refusals = fc.record({
    poison: fc.array(fc.nat(60), { maxLength: 3 }),
    namesRow: fc.boolean(),
    dies: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(shapes, rounds, refusals, async (shape, schedule, { poison, namesRow, dies }) => {
      const projectId = `p-${randomBytes(6).toString('hex')}`;
      const chunks = nameEvents(shape);
      const all = chunks.flat().flatMap((request) => request.events);
      const store = new MemoryStore();
      store.namesRow = namesRow;
      store.diesBeforePublishing = dies;
      for (const index of poison) store.refusedEvents.add(all[index % all.length] ?? -1);

      await deliverAll(
        chunks.map((requests) => sampleChunk({ id: sampleId(Date.now()), projectId, requests })),
        { store, schedule },
      );
      expectStoredOnce(chunks.flat(), store);
      await expectSums(projectId, { accepted: all.length, stored: store.counts.size });
    }),
    { numRuns: 40 },
  );
}, 120_000);

test('two workers that search one refused batch store each event once', async () => {
  const shape = [
    [{ size: 1, key: null }],
    [
      { size: 4, key: 0 },
      { size: 2, key: 1 },
    ],
  ];
  const schedule = [[{ takes: [0] }, { takes: [1, 0] }]];
  for (let run = 0; run < 40; run++) {
    const projectId = `p-${randomBytes(6).toString('hex')}`;
    const chunks = nameEvents(shape);
    const all = chunks.flat().flatMap((request) => request.events);
    const store = new MemoryStore();
    store.namesRow = false;
    store.refusedEvents.add(all.at(-1) ?? -1);
    await deliverAll(
      chunks.map((requests) => sampleChunk({ id: sampleId(Date.now()), projectId, requests })),
      { store, schedule },
    );
    expectStoredOnce(chunks.flat(), store);
    await expectSums(projectId, { accepted: all.length, stored: store.counts.size });
  }
}, 60_000);

let lastEvent = 0;

function nameEvents(shape: readonly (readonly { size: number; key: number | null }[])[]): Request[][] {
  return shape.map((requests) =>
    requests.map(({ size, key }) => {
      const events = Array.from({ length: size }, (_, index) => lastEvent + index + 1);
      lastEvent += size;
      return key === null ? { events } : { events, key: `k${key}` };
    }),
  );
}

interface Course {
  readonly store: MemoryStore;
  readonly schedule: readonly (readonly {
    readonly takes: readonly number[];
    readonly crash?: { readonly call: number; readonly after: boolean } | undefined;
  }[])[];
}

/** Runs the schedule, then lets healthy workers finish what is left. */
async function deliverAll(chunks: readonly Chunk[], { store, schedule }: Course): Promise<void> {
  const jobs = new Jobs();
  jobs.add(...chunks);
  const base = { ledger, jobs, store, now: Date.now };
  for (const round of schedule) {
    const workers = round.map(({ takes, crash }) => {
      const taken = takes.flatMap((index) => chunks[index] ?? []).filter(({ id }) => jobs.chunks.has(id));
      return deliverAsWorker(crash === undefined ? base : { ...base, crash }, taken);
    });
    await Promise.all(workers);
  }
  while (jobs.chunks.size > 0) await deliverAsWorker(base, [...jobs.chunks.values()].slice(0, 4));
}

/** Of the requests with one key one is kept; its rows that ClickHouse accepts are stored once. */
function expectStoredOnce(requests: readonly Request[], store: MemoryStore): void {
  for (const times of store.counts.values()) expect(times).toBe(1);
  const groups = Map.groupBy(requests, (request) => request.key ?? request.events[0]);
  for (const group of groups.values()) {
    const outcomes = group.map(({ events }) => ({
      good: events.filter((event) => !store.refusedEvents.has(event)),
      present: events.filter((event) => store.counts.has(event)),
    }));
    const kept = outcomes.filter(({ present }) => present.length > 0);
    for (const { good, present } of kept) expect(present).toEqual(good);
    const mayBeNone = outcomes.some(({ good }) => good.length === 0);
    expect(kept.length).toBeGreaterThanOrEqual(mayBeNone ? 0 : 1);
    expect(kept.length).toBeLessThanOrEqual(1);
  }
}

async function expectSums(projectId: string, { accepted, stored }: { accepted: number; stored: number }) {
  const totals = (await usage.totals()).get(projectId);
  expect(totals?.stored ?? 0).toBe(stored);
  expect((await usage.totals()).get(projectId)?.accepted).toBe(accepted);
  expect(stored + (totals?.dead ?? 0) + (totals?.deduplicated ?? 0)).toBe(accepted);
}
