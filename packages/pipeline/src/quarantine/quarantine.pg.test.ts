import { randomBytes } from 'node:crypto';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLedger, createQuarantine, createUsage, migrateLedger, type Quarantined } from '../index.ts';
import { sampleId } from '../queue/chunks/chunk-samples.ts';
import { buryRows, flushOf, receivedMs, sampleRejected } from './quarantine-samples.ts';

const { url } = await freshPostgres();
const ledger = createLedger({ postgresUrl: url });
const usage = createUsage({ postgresUrl: url });
const quarantine = createQuarantine({ postgresUrl: url });
beforeAll(() => migrateLedger(url));
afterAll(() => Promise.all([ledger.close(), usage.close(), quarantine.close()]));

function project(): string {
  return `p-${randomBytes(6).toString('hex')}`;
}

async function all(entries: AsyncIterable<Quarantined>): Promise<Quarantined[]> {
  return Array.fromAsync(entries);
}

describe('rejected events', () => {
  test('are shown with everything that is known about them', async () => {
    const p = project();
    const sample = sampleRejected(p, { raw: Buffer.from('{"level":0,"text":"\0"}'), eventId: sampleId(1) });
    expect(await quarantine.keepRejections(flushOf([sample]))).toBe(1);
    const { raw: _raw, ...described } = sample;
    expect(await quarantine.show(p, sample.id)).toMatchObject({
      ...described,
      kind: 'rejected',
      state: 'open',
      text: '{"level":0,"text":"\0"}',
      truncated: false,
      atMs: receivedMs,
    });
    expect(await quarantine.show(project(), sample.id)).toBeNull();
  });

  test('are counted whether they are kept or not, and once when a flush is sent again', async () => {
    const p = project();
    const sample = sampleRejected(p);
    const [count] = flushOf([sample]).counts;
    if (count === undefined) throw new Error('no count');
    const flush = flushOf([sample], { counts: [{ ...count, events: 500 }] });
    await quarantine.keepRejections(flush);
    await quarantine.keepRejections(flush);
    await quarantine.keepRejections(flushOf([sampleRejected(p)]));
    expect(await quarantine.count(p)).toMatchObject([
      { kind: 'rejected', type: 'level', version: 1, reason: 'range', events: 501, kept: 2, unsampled: 499 },
    ]);
  });

  test('with invented names fill no table, and hide no faults of declared types', async () => {
    const p = project();
    const reason = 'eventTypeNotFound';
    const invented = Array.from({ length: 700 }, (_, n) =>
      sampleRejected(p, { type: `type${n}`, version: 0, reason }),
    );
    expect(await quarantine.keepRejections(flushOf(invented))).toBe(500);
    const unheard = sampleRejected(p, { type: 'one more', version: 0, reason });
    const faulty = sampleRejected(p, { reason: 'range' });
    const unknownVersion = sampleRejected(p, { version: 9, reason: 'eventTypeVersionNotFound' });
    expect(await quarantine.keepRejections(flushOf([unheard, faulty, unknownVersion]))).toBe(2);
    const counts = await quarantine.count(p);
    expect(counts).toHaveLength(503);
    expect(counts[0]).toMatchObject({ type: null, events: 201, kept: 0 });
    expect(await quarantine.count(p, { type: 'level' })).toMatchObject([
      { version: 1, reason: 'range', events: 1, kept: 1 },
      { version: 9, reason: 'eventTypeVersionNotFound', events: 1, kept: 1 },
    ]);
  });

  test('may have names that Postgres does not accept', async () => {
    const p = project();
    await quarantine.keepRejections(flushOf([sampleRejected(p, { type: 'a\0b\ud800', pointer: '/\0' })]));
    expect((await quarantine.list(p)).found).toMatchObject([{ type: 'a\ufffdb\ufffd' }]);
  });
});

describe('reading', () => {
  test('pages through both kinds, newest first, without gap or repeat', async () => {
    const p = project();
    const made: string[] = [];
    for (let n = 0; n < 7; n += 1) {
      const sample = sampleRejected(p);
      await quarantine.keepRejections(flushOf([sample]));
      made.push(sample.id, await buryRows(ledger, p, [{ level: n }]));
    }
    const seen: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await quarantine.list(p, { limit: 4, after });
      seen.push(...page.found.map(({ id }) => id));
      after = page.next;
    }
    expect(seen).toEqual(made.toSorted().toReversed());
    expect((await all(quarantine.export(p))).map(({ id }) => id)).toEqual(seen);
  });

  test('filters by kind, type, reason and time', async () => {
    const p = project();
    const early = sampleRejected(p, { receivedMs: receivedMs - 60_000 });
    const late = sampleRejected(p, { reason: 'missing' });
    const shop = sampleRejected(p, { type: 'shop' });
    await quarantine.keepRejections(flushOf([early, late, shop]));
    const dead = await buryRows(ledger, p, [{ level: 1 }]);
    const idsOf = async (filter: Parameters<typeof quarantine.list>[1]) =>
      (await quarantine.list(p, filter)).found.map(({ id }) => id).toSorted();
    expect(await idsOf({ kind: 'dead' })).toEqual([dead]);
    expect(await idsOf({ type: 'level' })).toEqual([early.id, late.id, dead].toSorted());
    expect(await idsOf({ reason: 'missing' })).toEqual([late.id]);
    expect(await idsOf({ kind: 'rejected', sinceMs: receivedMs })).toEqual([late.id, shop.id].toSorted());
    expect(await idsOf({ untilMs: receivedMs })).toEqual([early.id]);
  });

  test('shows the rows of a dead letter as events', async () => {
    const p = project();
    const id = await buryRows(ledger, p, [{ level: 3, accountId: 'a-9' }, { level: 4 }]);
    expect(await quarantine.show(p, id)).toMatchObject({
      kind: 'dead',
      type: 'level',
      rows: 2,
      reason: 'refusedRow',
      events: [
        { type: 'level', version: 1, receivedMs, accountId: 'a-9', text: '{"level":3,"spot":{"x":7}}' },
        { accountId: '', text: '{"level":4,"spot":{"x":7}}' },
      ],
    });
    expect(await quarantine.count(p)).toMatchObject([
      { kind: 'dead', type: 'level', reason: 'refusedRow', events: 2, kept: 2 },
    ]);
  });

  test('shows a job without a valid chunk as it is', async () => {
    const [p, id] = [project(), sampleId(Date.now())];
    const job = {
      id: 'x',
      reason: 'unknown version',
      projectId: p,
      count: 2,
      sent: null,
      raw: '{"name":"n","data":{"v":9}}',
    };
    await ledger.buryJob({ id, job });
    expect(await quarantine.show(p, id)).toMatchObject({
      kind: 'dead',
      reason: 'malformedChunk',
      type: null,
      batchId: null,
      events: null,
    });
  });
});

describe('purging', () => {
  test('deletes matching entries and their counts; dead rows still count as dead', async () => {
    const p = project();
    await quarantine.keepRejections(flushOf([sampleRejected(p), sampleRejected(p, { reason: 'missing' })]));
    await buryRows(ledger, p, [{ level: 1 }, { level: 2 }]);
    expect(await quarantine.purge(p, { reason: 'range' })).toEqual({
      rejected: 1,
      deadLetters: 0,
      deadRows: 0,
    });
    expect((await quarantine.count(p)).map(({ reason }) => reason).toSorted()).toEqual([
      'missing',
      'refusedRow',
    ]);
    expect(await quarantine.purge(p)).toEqual({ rejected: 1, deadLetters: 1, deadRows: 2 });
    expect(await quarantine.count(p)).toEqual([]);
    expect((await usage.totals()).get(p)?.dead).toBe(2);
  });
});

describe('an account', () => {
  test('is erased everywhere, and the rows of others in the same dead letter stay', async () => {
    const [p, other] = [project(), project()];
    await quarantine.keepRejections(flushOf([sampleRejected(p), sampleRejected(p, { accountId: 'a-2' })]));
    const rows = [
      { level: 1, accountId: 'a-1' },
      { level: 2, accountId: 'a-2' },
      { level: 3, accountId: 'a-1' },
    ];
    const mixed = await buryRows(ledger, p, rows);
    await buryRows(ledger, p, [{ level: 4, accountId: 'a-1' }]);
    const elsewhere = await buryRows(ledger, other, [{ level: 5, accountId: 'a-1' }]);

    const before = await all(quarantine.exportAccount(p, 'a-1'));
    expect(before.map(({ kind, rows: held }) => [kind, held]).toSorted()).toEqual([
      ['dead', 1],
      ['dead', 2],
      ['rejected', 1],
    ]);
    expect(await quarantine.eraseAccount(p, 'a-1')).toEqual({ rejected: 1, deadRows: 3, emptied: 0 });
    expect(await all(quarantine.exportAccount(p, 'a-1'))).toEqual([]);
    expect(await quarantine.eraseAccount(p, 'a-1')).toEqual({ rejected: 0, deadRows: 0, emptied: 0 });

    expect(await quarantine.show(p, mixed)).toMatchObject({ rows: 1, events: [{ accountId: 'a-2' }] });
    expect((await quarantine.show(other, elsewhere))?.rows).toBe(1);
    expect((await quarantine.list(p)).found).toHaveLength(2);
    expect((await usage.totals()).get(p)?.dead).toBe(4);
  });

  test('is erased from unreadable payloads by emptying them', async () => {
    const [p, id] = [project(), sampleId(Date.now())];
    const raw = '{"name":"n","data":{"v":9,"who":"a-3"}}';
    const job = {
      id: sampleId(Date.now()),
      reason: 'unknown version',
      projectId: p,
      count: 2,
      sent: null,
      raw,
    };
    await ledger.buryJob({ id, job });
    expect(await quarantine.eraseAccount(p, 'a-1')).toEqual({ rejected: 0, deadRows: 0, emptied: 0 });
    expect(await quarantine.eraseAccount(p, 'a-3')).toEqual({ rejected: 0, deadRows: 0, emptied: 1 });
    expect(await quarantine.show(p, id)).toMatchObject({ bytes: 0, rows: 2, events: null });
  });
});
