import { randomUUID } from 'node:crypto';
import { freshClickHouse } from '@tickrate/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestType, frameOf, type TestChunk } from '../test-rows.ts';
import { createWarehouse } from '../warehouse.ts';

const { url, database } = await freshClickHouse();
const warehouse = createWarehouse({ clickhouseUrl: url, database });
const levelUp = createTestType('level_up', 1, { level: { type: 'integer' } });
const keyA = '0192f0c0-7d2e-7000-8000-00000000000a';
const keyB = '0192f0c0-7d2e-7000-8000-00000000000b';

beforeAll(() => warehouse.migrate());
afterAll(() => warehouse.close());

type Sent = Partial<TestChunk> & { readonly level: number };

/** Stores an event of each sender under the same id, and resolves with the events that remain after merges. */
async function merged(sent: readonly Sent[]): Promise<number[]> {
  const [projectId, eventId] = [`p-${randomUUID().slice(-12)}`, randomUUID()];
  const encoded = sent.map(({ level, ...sender }) => {
    const chunk = { chunkId: randomUUID(), projectId, sessionId: '', accountId: '', ...sender };
    return frameOf(levelUp.encode([{ event: { level }, eventId }], chunk));
  });
  for (const [n, body] of encoded.entries())
    await warehouse.insertRows({ body: [body], token: `${eventId}/${n}` });
  await warehouse.query(`OPTIMIZE TABLE ${database}.events FINAL`);
  const rows = await warehouse.query<{ level: number }>(
    `SELECT data.level::Int32 AS level FROM ${database}.events WHERE project = '${projectId}' ORDER BY level`,
  );
  return rows.map(({ level }) => level);
}

// Invariant (Delivery): Merges in ClickHouse remove no row that the ledger stored
test('merges keep the events of two keys with the same id, also in one chunk', async () => {
  expect(
    await merged([
      { level: 1, keyLine: keyA },
      { level: 2, keyLine: keyB },
    ]),
  ).toEqual([1, 2]);
  const chunkId = randomUUID();
  const sent = [
    { level: 1, keyLine: keyA, chunkId },
    { level: 2, keyLine: keyB, chunkId },
  ];
  expect(await merged(sent)).toEqual([1, 2]);
});

test('merges keep the events of two accounts, and of an account and a key, with the same id', async () => {
  const chunkId = randomUUID();
  const sent = [
    { level: 1, accountId: 'u-1', chunkId },
    { level: 2, accountId: 'u-2', chunkId },
    { level: 3, keyLine: keyA, chunkId },
  ];
  expect(await merged(sent)).toEqual([1, 2, 3]);
});

test('merges keep events that the ledger stored under the same id on two days', async () => {
  expect(
    await merged([
      { level: 1, keyLine: keyA },
      { level: 2, keyLine: keyA },
    ]),
  ).toEqual([1, 2]);
});

test('merges keep one copy of a row that a chunk inserted twice', async () => {
  const chunkId = randomUUID();
  const sent = [
    { level: 1, keyLine: keyA, chunkId },
    { level: 1, keyLine: keyA, chunkId },
  ];
  expect(await merged(sent)).toEqual([1]);
});
