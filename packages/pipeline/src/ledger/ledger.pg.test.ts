import { randomBytes } from 'node:crypto';
import { freshPostgres } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLedger, createUsage, migrateLedger } from '../index.ts';
import type { SealableChunk } from './sealing/seal-arguments.ts';

const { url } = await freshPostgres();
const ledger = createLedger({ postgresUrl: url });
const usage = createUsage({ postgresUrl: url });

beforeAll(async () => {
  await Promise.all([migrateLedger(url), migrateLedger(url)]);
});
afterAll(() => Promise.all([ledger.close(), usage.close()]));

function id(): string {
  const time = Date.now().toString(16).padStart(12, '0');
  const random = randomBytes(10).toString('hex');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-8${random.slice(3, 6)}-${random.slice(6, 18)}`;
}

function chunk(projectId: string, count: number, keys: readonly string[] = []): SealableChunk {
  const idempotency = keys.map((key, index) => ({ key, count: 1, start: index * 10, length: 10 }));
  return {
    id: id(),
    projectId,
    count,
    idempotency,
    producer: `gateway-of-${projectId}`,
    position: { start: 0, settled: 0, voids: [] },
  };
}

function project(): string {
  return `p-${randomBytes(6).toString('hex')}`;
}

// Invariant (Delivery): However workers interleave, each row belongs to one batch
describe('sealing', () => {
  test('a chunk belongs to the first batch that seals it, and the second call finds that batch', async () => {
    const p = project();
    const [a, b, c] = [chunk(p, 3), chunk(p, 4), chunk(p, 5)];
    const [first, second] = [id(), id()];

    const won = await ledger.seal(first, [a, b]);
    expect(won.elsewhere).toEqual([]);
    expect(won.won).toMatchObject({
      id: first,
      rows: 7,
      stored: false,
      chunks: [{ id: a.id }, { id: b.id }],
    });

    const later = await ledger.seal(second, [b, c, a]);
    expect(later.won).toMatchObject({ id: second, rows: 5, chunks: [{ id: c.id, rows: 5, drops: [] }] });
    expect(later.elsewhere).toEqual([{ batchId: first, stored: false, chunkIds: [b.id, a.id] }]);

    await ledger.stored(first);
    expect((await ledger.seal(id(), [a])).elsewhere).toEqual([
      { batchId: first, stored: true, chunkIds: [a.id] },
    ]);
  });

  test('a seal whose answer was lost may be repeated: it finds its own batch', async () => {
    const a = chunk(project(), 3);
    const batchId = id();
    const first = await ledger.seal(batchId, [a]);
    const again = await ledger.seal(batchId, [a]);

    expect(again).toEqual({ won: null, elsewhere: [{ batchId, stored: false, chunkIds: [a.id] }] });
    expect({ ...(await ledger.batch(batchId)), ageMs: 0 }).toEqual(first.won);
  });

  test('a batch that is not stored can be taken over, and its first worker sees that', async () => {
    const batchId = id();
    const { won } = await ledger.seal(batchId, [chunk(project(), 3)]);
    expect((await ledger.batch(batchId))?.takenOver).toBe(false);

    expect({ ...(await ledger.takeOver(batchId)), ageMs: 0 }).toEqual({ ...won, takenOver: true });
    expect((await ledger.batch(batchId))?.takenOver).toBe(true);

    await ledger.stored(batchId);
    expect([await ledger.takeOver(batchId), await ledger.takeOver(id())]).toEqual([null, null]);
  });

  test('two workers that seal the same chunks in opposite order both finish, each with a part of them', async () => {
    const p = project();
    for (let round = 0; round < 20; round += 1) {
      const chunks = Array.from({ length: 30 }, (_, index) => chunk(p, 1, [`${round}-${index % 7}`]));
      const outcomes = await Promise.all([
        ledger.seal(id(), chunks),
        ledger.seal(id(), chunks.toReversed()),
        ledger.seal(id(), chunks.slice(10)),
      ]);
      const won = outcomes.flatMap((outcome) => outcome.won?.chunks.map((sealed) => sealed.id) ?? []);
      expect(won.toSorted()).toEqual(chunks.map((sealed) => sealed.id).toSorted());
      const rows = outcomes.reduce((sum, outcome) => sum + (outcome.won?.rows ?? 0), 0);
      expect(rows).toBe(7);
    }
  });
});

describe('idempotency keys', () => {
  test('a key repeated in a later batch drops exactly its own run', async () => {
    const p = project();
    await ledger.seal(id(), [chunk(p, 2, ['x', 'y'])]);
    const repeat = chunk(p, 3, ['new', 'y']);
    const { won } = await ledger.seal(id(), [repeat]);

    expect(won?.rows).toBe(2);
    expect(won?.chunks[0]?.drops).toEqual([{ start: 10, length: 10, count: 1 }]);
    expect((await usage.totals()).get(p)).toMatchObject({ stored: 0, deduplicated: 1, dead: 0 });
  });

  test('a key repeated inside one batch or one chunk keeps the first in order', async () => {
    const p = project();
    const { won } = await ledger.seal(id(), [chunk(p, 2, ['a', 'a']), chunk(p, 2, ['b', 'a'])]);
    expect(won?.chunks.map((sealed) => sealed.drops.map((drop) => drop.start))).toEqual([[10], [10]]);
    expect(won?.rows).toBe(2);
  });

  test('the same key of another project is another key', async () => {
    await ledger.seal(id(), [chunk(project(), 1, ['shared'])]);
    expect((await ledger.seal(id(), [chunk(project(), 1, ['shared'])])).won?.rows).toBe(1);
  });

  test('a redelivered chunk is not dropped by its own key', async () => {
    const a = chunk(project(), 1, ['own']);
    const batchId = id();
    await ledger.seal(batchId, [a]);
    const again = await ledger.seal(id(), [a]);
    expect(again.elsewhere[0]?.batchId).toBe(batchId);
    expect((await ledger.batch(batchId))?.rows).toBe(1);
  });

  test('a batch that keeps no row counts as stored at once', async () => {
    const p = project();
    await ledger.seal(id(), [chunk(p, 1, ['only'])]);
    const empty = await ledger.seal(id(), [chunk(p, 1, ['only'])]);
    expect(empty.won).toMatchObject({ rows: 0, stored: true });
    expect(await ledger.stored(empty.won?.id ?? '')).toBe(false);
  });

  test('a key may be used again after its lifetime', async () => {
    const p = project();
    const brief = createLedger({ postgresUrl: url, keyLifetimeMs: 0 });
    await brief.seal(id(), [chunk(p, 1, ['k'])]);
    const again = await ledger.seal(id(), [chunk(p, 1, ['k'])]);
    const repeat = await ledger.seal(id(), [chunk(p, 1, ['k'])]);
    await brief.close();
    expect([again.won?.rows, repeat.won?.rows]).toEqual([1, 0]);
  });
});

describe('counting', () => {
  test('a batch is counted once, also if several calls mark it as stored at the same time', async () => {
    const [p, q] = [project(), project()];
    const batchId = id();
    await ledger.seal(batchId, [chunk(p, 3), chunk(q, 4), chunk(p, 5)]);
    const calls = await Promise.all(Array.from({ length: 8 }, () => ledger.stored(batchId)));

    expect(calls.filter((first) => first)).toHaveLength(1);
    const totals = await usage.totals();
    expect([totals.get(p)?.stored, totals.get(q)?.stored]).toEqual([8, 4]);
  });

  test('the accepted number is the larger one of the reported and the arrived events', async () => {
    const [p, q] = [project(), project()];
    await ledger.seal(id(), [chunk(p, 10), chunk(q, 10)]);
    await usage.reportAccepted(`gateway-of-${p}`, new Map([[p, 25]]));
    await usage.reportAccepted(`gateway-of-${p}`, new Map([[p, 7]]));
    await usage.reportAccepted(`gateway-of-${q}`, new Map([[q, 4]]));

    const totals = await usage.totals();
    expect([totals.get(p)?.accepted, totals.get(q)?.accepted]).toEqual([25, 10]);
  });
});

describe('refused rows', () => {
  test('parts are recorded once: the second call finds the parts of the first', async () => {
    const batchId = id();
    await ledger.seal(batchId, [chunk(project(), 10)]);
    await ledger.split(batchId, '', [
      { firstRow: 0, rows: 5 },
      { firstRow: 5, rows: 5 },
    ]);
    await ledger.split(batchId, '', [
      { firstRow: 0, rows: 1 },
      { firstRow: 1, rows: 9 },
    ]);

    const fragments = (await ledger.batch(batchId))?.fragments;
    expect(fragments?.map(({ path, rows, state }) => [path, rows, state])).toEqual([
      ['', 10, 'split'],
      ['/0', 5, 'open'],
      ['/1', 5, 'open'],
    ]);
  });

  test('a buried part is counted as dead once, and the rest of its batch as stored', async () => {
    const p = project();
    const [a, batchId] = [chunk(p, 10), id()];
    await ledger.seal(batchId, [a]);
    await ledger.split(batchId, '', [
      { firstRow: 0, rows: 3 },
      { firstRow: 3, rows: 7 },
    ]);
    const dead = {
      batchId,
      path: '/0',
      reason: 'refusedByStore',
      detail: 'code 27',
      letters: [
        {
          id: id(),
          projectId: p,
          chunkId: a.id,
          firstRow: 0,
          rows: 3,
          payload: new Uint8Array([1, 2]),
          types: {},
        },
      ],
    };
    expect([await ledger.buryFragment(dead), await ledger.buryFragment(dead)]).toEqual([true, false]);
    await ledger.fragmentStored(batchId, '/1');
    await ledger.stored(batchId);

    expect((await usage.totals()).get(p)).toMatchObject({ stored: 7, deduplicated: 0, dead: 3 });
    expect((await ledger.batch(batchId))?.fragments.map((part) => part.state)).toEqual([
      'split',
      'dead',
      'stored',
    ]);
  });

  test('a job without a valid chunk is kept and counted once', async () => {
    const p = project();
    const job = { id: id(), reason: 'unknown version', projectId: p, count: 12, sent: null, raw: '{"v":9}' };
    expect([await ledger.buryJob({ id: id(), job }), await ledger.buryJob({ id: id(), job })]).toEqual([
      true,
      false,
    ]);
    expect((await usage.totals()).get(p)?.dead).toBe(12);
  });
});
