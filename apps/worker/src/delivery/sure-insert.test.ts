import { expect, test } from 'vitest';
import { MemoryStore } from '../testing/memory-store.ts';
import { sampleChunk, sampleId } from '../testing/sample-rows.ts';
import { createRetries } from './retries.ts';
import { insertSurely, type SureInsert } from './sure-insert.ts';

function createCase() {
  const store = new MemoryStore();
  const vanished: string[] = [];
  const retries = createRetries({
    longestMs: 30_000,
    isPassing: () => true,
    random: () => 0,
    sleep: () => Promise.resolve(),
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  const batch = { stored: false, takenOver: false };
  const deps = {
    store,
    retries,
    findBatch: async () => batch,
    onVanished: (token: string) => vanished.push(token),
  };
  const chunk = sampleChunk({
    id: sampleId(Date.now()),
    projectId: 'p-1',
    requests: [{ events: [1, 2, 3] }],
  });
  const insert: SureInsert = {
    batchId: 'batch',
    body: [chunk.frame],
    token: 'batch',
    rows: new Map([[chunk.id, 3]]),
    repeated: false,
    isCountExact: true,
  };
  const timesOf = () => [1, 2, 3].map((event) => store.counts.get(event) ?? 0);
  return { store, batch, deps, insert, vanished, timesOf };
}

// Invariant (Delivery): Rows that ClickHouse confirmed stay stored and readable after its disk was full,
// and a retry duplicates none
test('the success of a first insert is not checked', async () => {
  const { deps, insert, store, timesOf } = createCase();
  expect(await insertSurely(deps, insert)).toEqual({ kind: 'stored' });
  expect(store.inserts).toHaveLength(1);
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('a repeat of an insert that was stored stores nothing more', async () => {
  const { deps, insert, vanished, timesOf } = createCase();
  await insertSurely(deps, insert);
  await insertSurely(deps, { ...insert, repeated: true });
  expect(timesOf()).toEqual([1, 1, 1]);
  expect(vanished).toEqual([]);
});

test('rows that vanished with a killed server are stored once, although their token is known', async () => {
  const { deps, insert, store, vanished, timesOf } = createCase();
  store.diesBeforePublishing = true;
  expect(await insertSurely(deps, insert)).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([1, 1, 1]);
  expect(vanished).toEqual(['batch']);
});

test('rows with a token that a full disk could not store are not stored a second time', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesWithoutToken = true;
  expect(await insertSurely(deps, insert)).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('and not by another worker that continues the batch either', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesWithoutToken = true;
  await store.insertRows(insert);
  expect(await insertSurely(deps, { ...insert, repeated: true })).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('the answer to a first insert is checked if another worker has taken the batch over', async () => {
  const { batch, deps, insert, store, vanished, timesOf } = createCase();
  store.diesBeforePublishing = true;
  await store.insertRows(insert);
  batch.takenOver = true;
  expect(await insertSurely(deps, insert)).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([1, 1, 1]);
  expect(vanished).toEqual(['batch']);
});

test('several workers that repeat such an insert in sequence store it once', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesBeforePublishing = true;
  await store.insertRows(insert);
  const repeated = { ...insert, repeated: true };
  await insertSurely(deps, repeated);
  await insertSurely(deps, repeated);
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('a server that is killed twice in a row at that point costs no row', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesBeforePublishing = true;
  await store.insertRows(insert);
  await store.insertRows(insert);
  store.diesBeforePublishing = true;
  await insertSurely(deps, { ...insert, repeated: true });
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('rows that were stored and then removed are not stored again', async () => {
  const { batch, deps, insert, store, timesOf } = createCase();
  store.diesBeforePublishing = true;
  await store.insertRows(insert);
  batch.stored = true;
  expect(await insertSurely(deps, { ...insert, repeated: true })).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([0, 0, 0]);
});
