import { expect, test } from 'vitest';
import { sampleChunk, sampleId } from '../sample-rows.ts';
import { MemoryStore } from './memory-store.ts';
import { createRetries } from './retries.ts';
import { insertSurely, type SureInsert } from './sure-insert.ts';

function createCase() {
  const store = new MemoryStore();
  const vanished: string[] = [];
  const retries = createRetries({
    isPassing: () => true,
    random: () => 0,
    sleep: () => Promise.resolve(),
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  const deps = {
    store,
    retries,
    onVanished: (token: string) => vanished.push(token),
  };
  const chunk = sampleChunk({
    id: sampleId(Date.now()),
    projectId: 'p-1',
    requests: [{ events: [1, 2, 3] }],
  });
  const insert: SureInsert = {
    body: [chunk.frame],
    token: 'batch',
    rows: new Map([[chunk.id, 3]]),
    repeated: false,
    isCountExact: true,
    isDone: async () => false,
  };
  const timesOf = () => [1, 2, 3].map((event) => store.counts.get(event) ?? 0);
  return { store, deps, insert, vanished, timesOf };
}

test('a first insert is believed, without a question', async () => {
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

test('rows that vanished with a killed server, whose token is known, are stored all the same, once', async () => {
  const { deps, insert, store, vanished, timesOf } = createCase();
  store.diesBeforePublishing = true;
  expect(await insertSurely(deps, insert)).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([1, 1, 1]);
  expect(vanished).toEqual(['batch']);
});

test('rows whose token a full disk did not take are not stored a second time', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesWithoutToken = true;
  expect(await insertSurely(deps, insert)).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('nor are they by a worker that takes over', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesWithoutToken = true;
  await store.insertRows(insert);
  expect(await insertSurely(deps, { ...insert, repeated: true })).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('of workers that repeat such an insert one after the other, one stores it', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesBeforePublishing = true;
  await store.insertRows(insert);
  const repeated = { ...insert, repeated: true };
  await insertSurely(deps, repeated);
  await insertSurely(deps, repeated);
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('a server that is killed there twice in a row costs no row', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesBeforePublishing = true;
  await store.insertRows(insert);
  await store.insertRows(insert);
  store.diesBeforePublishing = true;
  await insertSurely(deps, { ...insert, repeated: true });
  expect(timesOf()).toEqual([1, 1, 1]);
});

test('rows that somebody stored and somebody else removed since are not stored again', async () => {
  const { deps, insert, store, timesOf } = createCase();
  store.diesBeforePublishing = true;
  await store.insertRows(insert);
  const late = { ...insert, repeated: true, isDone: async () => true };
  expect(await insertSurely(deps, late)).toEqual({ kind: 'stored' });
  expect(timesOf()).toEqual([0, 0, 0]);
});
