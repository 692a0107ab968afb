import { randomBytes } from 'node:crypto';
import { zstdDecompressSync } from 'node:zlib';
import { readRows } from '@tickrate/events';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type Chunk,
  createFindReplayType,
  createLedger,
  createQuarantine,
  createUsage,
  migrateLedger,
  readAccounts,
} from '../../index.ts';
import { encodeChunkJob } from '../../queue/chunks/chunk.ts';
import { sampleId } from '../../queue/chunks/chunk-samples.ts';
import { groupPending, sumPending } from '../../queue/pending/group-pending.ts';
import { buryRows, flushOf, levelDeclaration, receivedMs, sampleRejected } from '../quarantine-samples.ts';
import type { ReplayTools } from './replay-quarantined.ts';

const { url } = await freshPostgres();
const ledger = createLedger({ postgresUrl: url });
const usage = createUsage({ postgresUrl: url });
const quarantine = createQuarantine({ postgresUrl: url });
beforeAll(() => migrateLedger(url));
afterAll(() => Promise.all([ledger.close(), usage.close(), quarantine.close()]));

const wider = {
  type: 'object',
  properties: { level: { type: 'integer', minimum: 0 } },
  required: ['level'],
};
const declared = (...declarations: unknown[]) => [
  {
    name: 'level',
    versions: declarations.map((declaration, n) => ({
      version: n + 1,
      status: 'available' as const,
      declaration,
    })),
  },
];

/** A queue as far as a replay is concerned: adding an id again adds nothing. */
class Queue {
  readonly waiting = new Map<string, Chunk>();
  adds = 0;
  /** The process ends before the chunk is added, or after that. */
  dies: 'after' | 'before' | null = null;

  tools(types: ReturnType<typeof declared>): ReplayTools {
    return {
      findType: createFindReplayType(async () => types),
      newId: () => sampleId(Date.now()),
      add: async (chunk) => {
        if (this.dies === 'before') throw new Error('killed');
        this.adds += 1;
        this.waiting.set(chunk.id, chunk);
        if (this.dies === 'after') throw new Error('killed');
      },
    };
  }

  /** Stores the chunks like a worker. Resolves with the rows. */
  async deliver() {
    const chunks = [...this.waiting.values()];
    this.waiting.clear();
    const batchId = sampleId(Date.now());
    const { won } = await ledger.seal(batchId, chunks);
    if (won !== null) await ledger.stored(batchId);
    const ids = new Set(won?.chunks.map(({ id }) => id));
    return chunks
      .filter(({ id }) => ids.has(id))
      .flatMap(({ frame }) => [...readRows(zstdDecompressSync(frame))]);
  }

  async account(projectId: string) {
    const names = [...this.waiting.values()].map((chunk) => encodeChunkJob(chunk).name);
    const pending = async () => sumPending([{ ...groupPending(names), complete: true }]);
    return (await readAccounts({ usage, pending })).get(projectId);
  }
}

function project(): string {
  return `p-${randomBytes(6).toString('hex')}`;
}

// Invariant (Events and quarantine): A replay stores each event once, wherever it is interrupted, and the
// totals add up
test('a rejected event is stored after its declaration was corrected', async () => {
  const [p, queue] = [project(), new Queue()];
  const eventId = sampleId(receivedMs);
  await quarantine.keepRejections(flushOf([sampleRejected(p, { eventId }), sampleRejected(p)]));
  const tools = queue.tools(declared(levelDeclaration, wider));
  expect(await quarantine.replay({ projectId: p }, tools)).toMatchObject({ replayed: 2, refused: 0 });
  expect(await queue.account(p)).toMatchObject({ accepted: 2, pending: 2, missing: 0 });

  const rows = await queue.deliver();
  const found = rows.find((row) => row.eventId === eventId);
  expect(found).toMatchObject({
    type: 'level',
    version: 2,
    receivedMs,
    occurredMs: receivedMs - 5_000 + 250,
    clientMs: receivedMs - 5_000,
    keyKind: 'session',
    sessionId: 's-1',
    accountId: 'a-1',
    sdkName: 'unity',
  });
  expect(await queue.account(p)).toMatchObject({ accepted: 2, stored: 2, pending: 0, missing: 0 });
  expect((await quarantine.list(p)).found).toEqual([]);
  expect((await quarantine.list(p, { state: 'replayed' })).found).toHaveLength(2);
  expect(await quarantine.replay({ projectId: p }, tools)).toMatchObject({ replayed: 0 });
});

test('a replayed event is counted as waiting, queued, stored or left out, in one state at a time', async () => {
  const [p, queue] = [project(), new Queue()];
  const eventId = sampleId(receivedMs);
  const repeated = { eventId, sessionId: 's-2', accountId: 'a-2' };
  const counted = () => quarantine.replays(p, { type: 'level', sinceMs: receivedMs - 60_000 });
  await quarantine.keepRejections(flushOf([sampleRejected(p, repeated), sampleRejected(p)]));
  expect(await counted()).toEqual({ waiting: 2, queued: 0, stored: 0, leftOut: 0 });
  const tools = queue.tools(declared(levelDeclaration, wider));
  await quarantine.replay({ projectId: p }, tools);
  expect(await counted()).toEqual({ waiting: 0, queued: 2, stored: 0, leftOut: 0 });
  await queue.deliver();
  expect(await counted()).toEqual({ waiting: 0, queued: 0, stored: 2, leftOut: 0 });
  await quarantine.keepRejections(flushOf([sampleRejected(p, repeated), sampleRejected(p)]));
  await quarantine.replay({ projectId: p }, tools);
  await queue.deliver();
  expect(await counted()).toEqual({ waiting: 0, queued: 0, stored: 3, leftOut: 1 });
  expect(await quarantine.replays(p, { sinceMs: Date.now() + 60_000 })).toMatchObject({ stored: 0 });
  expect(await quarantine.replays(p, { type: 'boss', sinceMs: 0 })).toMatchObject({ stored: 0 });
});

test('an event of a version that is not declared yet waits for that version', async () => {
  const [p, queue] = [project(), new Queue()];
  const reason = 'eventTypeVersionNotFound';
  await quarantine.keepRejections(flushOf([sampleRejected(p, { version: 2, versionNamed: true, reason })]));
  const early = await quarantine.replay({ projectId: p }, queue.tools(declared(wider)));
  expect(early).toMatchObject({ replayed: 0, refusals: [{ reason }] });
  const tools = queue.tools(declared(levelDeclaration, wider, wider));
  expect(await quarantine.replay({ projectId: p }, tools)).toMatchObject({ replayed: 1 });
  expect(await queue.deliver()).toMatchObject([{ type: 'level', version: 2 }]);
});

test('an event that still does not match stays, with its current reason', async () => {
  const [p, queue] = [project(), new Queue()];
  const raw = Buffer.from('{"level":0,"extra":1}');
  const half = sampleRejected(p, { bytes: 70_000, reason: 'tooLong' });
  const element = sampleRejected(p, { form: 'element', type: '', version: 0 });
  const gone = sampleRejected(p, { type: 'boss', version: 0, reason: 'eventTypeNotFound' });
  await quarantine.keepRejections(flushOf([sampleRejected(p, { raw }), half, element, gone]));
  const report = await quarantine.replay({ projectId: p }, queue.tools(declared(wider)));
  expect(report).toMatchObject({ replayed: 0, refused: 4 });
  expect(report.refusals.map(({ reason }) => reason).toSorted()).toEqual([
    'eventTypeNotFound',
    'notReplayable',
    'notReplayable',
    'unknown',
  ]);
  expect((await quarantine.list(p, { reason: 'unknown' })).found).toMatchObject([{ state: 'open' }]);
  expect((await quarantine.show(p, half.id))?.reason).toBe('tooLong');
  expect(queue.adds).toBe(0);
});

test('a version that the sender named is used as long as it is accepted', async () => {
  const [p, queue] = [project(), new Queue()];
  await quarantine.keepRejections(flushOf([sampleRejected(p, { versionNamed: true })]));
  const [type] = declared(levelDeclaration, wider);
  if (type === undefined) throw new Error('no type');
  expect(await quarantine.replay({ projectId: p }, queue.tools([type]))).toMatchObject({ refused: 1 });
  const retired = type.versions.map((one) => ({
    ...one,
    status: one.version === 1 ? ('retired' as const) : one.status,
  }));
  const tools = queue.tools([{ ...type, versions: retired as typeof type.versions }]);
  expect(await quarantine.replay({ projectId: p }, tools)).toMatchObject({ replayed: 1 });
});

for (const dies of ['before', 'after'] as const) {
  for (const kind of ['rejected', 'dead'] as const) {
    test(`a replay that is killed ${dies} its chunk was added stores nothing twice (${kind})`, async () => {
      const [p, queue] = [project(), new Queue()];
      if (kind === 'rejected')
        await quarantine.keepRejections(flushOf([sampleRejected(p), sampleRejected(p)]));
      else await buryRows(ledger, p, [{ level: 1 }, { level: 2 }]);
      const tools = queue.tools(declared(wider));
      queue.dies = dies;
      await expect(quarantine.replay({ projectId: p }, tools)).rejects.toThrow('killed');
      expect((await quarantine.list(p)).found[0]?.state).toBe('replaying');
      const early = await queue.deliver();
      expect(early).toHaveLength(dies === 'after' ? 2 : 0);

      queue.dies = null;
      expect(await quarantine.replay({ projectId: p }, tools)).toMatchObject({ replayed: 2, finished: 2 });
      expect(early.length + (await queue.deliver()).length).toBe(2);
      const sums = { accepted: 2, stored: 2, pending: 0, dead: 0, missing: 0 };
      expect(await queue.account(p)).toMatchObject(sums);
    });
  }
}

test('replayed dead letters travel in a separate chunk and no longer count as dead, and the sums stay correct', async () => {
  const [p, queue] = [project(), new Queue()];
  await buryRows(ledger, p, [{ level: 1, accountId: 'a-1' }, { level: 2 }, { level: 3 }]);
  expect(await queue.account(p)).toMatchObject({ accepted: 3, dead: 3, missing: 0 });
  const report = await quarantine.replay({ projectId: p, kind: 'dead' }, queue.tools([]));
  expect(report).toMatchObject({ replayed: 3 });
  expect(await queue.account(p)).toMatchObject({ accepted: 3, pending: 3, dead: 0, missing: 0 });
  const [chunkId] = queue.waiting.keys();
  const rows = await queue.deliver();
  expect(rows.map((row) => [row.chunkId, row.accountId])).toEqual([
    [chunkId, 'a-1'],
    [chunkId, ''],
    [chunkId, ''],
  ]);
  expect(await queue.account(p)).toMatchObject({ accepted: 3, stored: 3, dead: 0, missing: 0 });
});

test('events of two senders with the same id are both replayed, each once', async () => {
  const [p, queue] = [project(), new Queue()];
  const eventId = '0192f0c0-7d2e-7000-8000-0000000000cc';
  const [keyA, keyB] = ['0192f0c0-7d2e-7000-8000-00000000000a', '0192f0c0-7d2e-7000-8000-00000000000b'];
  const senders = [
    { accountId: '', keyLine: keyA },
    { accountId: '', keyLine: keyB },
    { accountId: 'a-1', keyLine: null },
    { accountId: 'a-2', keyLine: null },
    { accountId: 'a-2', keyLine: null },
  ];
  await quarantine.keepRejections(
    flushOf(senders.map((sender) => sampleRejected(p, { eventId, ...sender }))),
  );
  expect(await quarantine.replay({ projectId: p }, queue.tools(declared(wider)))).toMatchObject({
    replayed: 5,
  });
  const { won } = await ledger.seal(sampleId(Date.now()), [...queue.waiting.values()]);
  expect(won?.rows).toBe(4);
});

test('two concurrent replays send each event once', async () => {
  const [p, queue] = [project(), new Queue()];
  await quarantine.keepRejections(flushOf(Array.from({ length: 30 }, () => sampleRejected(p))));
  const tools = queue.tools(declared(wider));
  await Promise.all([1, 2, 3].map(() => quarantine.replay({ projectId: p }, tools)));
  await queue.deliver();
  expect(await queue.account(p)).toMatchObject({ accepted: 30, stored: 30, deduplicated: 0, missing: 0 });
});

test('an account that is erased while its replay waits is not replayed', async () => {
  const [p, queue] = [project(), new Queue()];
  await buryRows(ledger, p, [{ level: 1, accountId: 'a-1' }, { level: 2 }]);
  queue.dies = 'before';
  const tools = queue.tools([]);
  await expect(quarantine.replay({ projectId: p }, tools)).rejects.toThrow('killed');
  await quarantine.eraseAccount(p, 'a-1');
  queue.dies = null;
  expect(await quarantine.replay({ projectId: p }, tools)).toMatchObject({ replayed: 1 });
  expect((await queue.deliver()).map(({ accountId }) => accountId)).toEqual(['']);
  expect(await queue.account(p)).toMatchObject({ accepted: 2, stored: 1, dead: 1, missing: 0 });
});

test('upkeep keeps the newest events of each kind, within its share of the space, and none that is too old', async () => {
  const p = project();
  const made = Array.from({ length: 12 }, () => sampleRejected(p));
  await quarantine.keepRejections(flushOf([...made, sampleRejected(p, { reason: 'missing' })]));
  const limits = { events: 10, bytes: 1_000_000, ageMs: 60_000 };
  await ledger.maintain({ oldestPendingMs: undefined, quarantine: limits });
  const ids = (await quarantine.list(p, { reason: 'range' })).found.map(({ id }) => id);
  expect(ids.toSorted()).toEqual(made.slice(2).map(({ id }) => id));
  await quarantine.keepRejections(flushOf([sampleRejected(p), sampleRejected(p)]));
  await ledger.maintain({ oldestPendingMs: undefined, quarantine: { ...limits, bytes: 25 } });
  const shared = (await quarantine.list(p)).found.map(({ reason }) => reason);
  expect(shared.toSorted()).toEqual(['missing', 'range']);
  await ledger.maintain({ oldestPendingMs: undefined, quarantine: { ...limits, ageMs: 0 } });
  expect((await quarantine.list(p)).found).toEqual([]);
  expect(await quarantine.count(p)).toMatchObject([{ events: 14 }, { events: 1 }]);
});

test('rejected events are mended once no sample of their kind waits, and counted again when they return', async () => {
  const [p, queue] = [project(), new Queue()];
  const tools = queue.tools(declared(levelDeclaration, wider));
  const sinceMs = receivedMs - 1;
  const range = { type: 'level', reason: 'range' };
  const [some] = flushOf([sampleRejected(p)]).counts;
  if (some === undefined) throw new Error('no count');
  const [first, second] = [sampleRejected(p), sampleRejected(p)];
  await quarantine.keepRejections(flushOf([first, second], { counts: [{ ...some, events: 50 }] }));
  expect(await quarantine.unmended(p, sinceMs)).toEqual([{ ...range, events: 50 }]);
  expect(await quarantine.unmended(p, receivedMs + 1)).toEqual([]);
  await quarantine.replay({ projectId: p, ids: [first.id] }, tools);
  expect(await quarantine.unmended(p, sinceMs)).toEqual([{ ...range, events: 49 }]);
  await quarantine.purge(p, { ids: [second.id] });
  expect(await quarantine.unmended(p, sinceMs)).toEqual([]);
  // One was replayed. The sample of another was deleted, and the others never had one.
  expect(await quarantine.count(p)).toMatchObject([{ events: 50, kept: 0, unsampled: 49 }]);
  await quarantine.keepRejections(flushOf([sampleRejected(p)]));
  expect(await quarantine.unmended(p, sinceMs)).toEqual([{ ...range, events: 1 }]);
  await quarantine.purge(p);
  expect(await quarantine.unmended(p, sinceMs)).toEqual([]);
});

test('an event that a replay refuses for another reason is counted under that one, and once over time', async () => {
  const [p, queue] = [project(), new Queue()];
  const strict = {
    ...wider,
    required: ['level', 'zone'],
    properties: { ...wider.properties, zone: { type: 'integer' } },
  };
  await quarantine.keepRejections(flushOf([sampleRejected(p), sampleRejected(p)]));
  const tools = queue.tools(declared(strict));
  for (const _again of [1, 2]) {
    expect(await quarantine.replay({ projectId: p }, tools)).toMatchObject({ refused: 2 });
    expect(await quarantine.count(p)).toMatchObject([
      { reason: 'missing', events: 2, kept: 2, unsampled: 0, firstMs: receivedMs, lastMs: receivedMs },
    ]);
  }
  expect(await quarantine.unmended(p, 0)).toEqual([{ type: 'level', reason: 'missing', events: 2 }]);
  const range = { fromMs: 0, toMs: Date.now() + 86_400_000, bucketSeconds: 600 };
  expect(await quarantine.buckets(p, range)).toMatchObject([{ reason: 'range', events: 2 }]);
});
