import { expect, test } from 'vitest';
import { encodeChunkJob } from '../chunks/chunk.ts';
import { sampleChunk } from '../chunks/chunk-samples.ts';
import type { ParcelJob } from '../chunks/parcel.ts';
import { QueueUnavailable } from '../stores/queue-unavailable.ts';
import { GroupAdd } from './group-add.ts';

function jobs(count: number, bytes = 10): ParcelJob[] {
  return Array.from({ length: count }, () => {
    const chunk = sampleChunk(1_767_225_600_000, { bytes });
    return { id: chunk.id, ...encodeChunkJob(chunk) };
  });
}

/** A store that confirms a group when the test says so. */
function createBench(options: { maxJobs?: number; maxBytes?: number; timeoutMs?: number } = {}) {
  const sent: { readonly ids: string[]; readonly answer: PromiseWithResolvers<void> }[] = [];
  const group = new GroupAdd({
    timeoutMs: 5_000,
    maxGroups: 1,
    ...options,
    send(given) {
      const answer = Promise.withResolvers<void>();
      sent.push({ ids: given.map((job) => job.id), answer });
      return answer.promise;
    },
  });
  return { group, sent };
}

test('a job for an idle store is sent at once, alone', async () => {
  const { group, sent } = createBench();
  const [job = expect.fail()] = jobs(1);
  const added = group.add(job);
  expect(sent.map(({ ids }) => ids)).toEqual([[job.id]]);
  sent[0]?.answer.resolve();
  await added;
});

test('jobs that arrive while a group is in flight form the next one, in order and bounded', async () => {
  const { group, sent } = createBench({ maxJobs: 3 });
  const given = jobs(6);
  const added = Promise.all(given.map((job) => group.add(job)));
  for (let index = 0; index < 3; index += 1) {
    sent[index]?.answer.resolve();
    await Promise.allSettled([sent[index]?.answer.promise]);
    await Promise.resolve();
  }
  await added;
  expect(sent.map(({ ids }) => ids.length)).toEqual([1, 3, 2]);
  expect(sent.flatMap(({ ids }) => ids)).toEqual(given.map((job) => job.id));
});

test('a group is bounded by bytes, but one larger job is sent alone', async () => {
  const { group, sent } = createBench({ maxBytes: 3_000 });
  const added = [...jobs(1), ...jobs(1, 5_000), ...jobs(3)].map((job) => group.add(job));
  sent[0]?.answer.resolve();
  await added[0];
  await Promise.resolve();
  sent[1]?.answer.resolve();
  await added[1];
  await Promise.resolve();
  expect(sent.map(({ ids }) => ids.length)).toEqual([1, 1, 3]);
  sent[2]?.answer.resolve();
  await Promise.all(added);
});

test('a refused group rejects its own jobs only, with a typed fault', async () => {
  const { group, sent } = createBench();
  const [first, second] = jobs(2).map((job) => group.add(job));
  sent[0]?.answer.reject(new Error('OOM command not allowed'));
  await expect(first).rejects.toThrow(QueueUnavailable);
  sent[1]?.answer.resolve();
  await expect(second).resolves.toBeUndefined();
});

test('a job that waits too long is rejected and never sent afterwards', async () => {
  const { group, sent } = createBench({ timeoutMs: 20 });
  const [first, second] = jobs(2).map((job) => group.add(job));
  await expect(first).rejects.toMatchObject({ name: 'QueueUnavailable', outcomeUnknown: true });
  await expect(second).rejects.toMatchObject({ name: 'QueueUnavailable', outcomeUnknown: false });
  sent[0]?.answer.resolve();
  const third = group.add(jobs(1)[0] ?? expect.fail());
  await Promise.resolve();
  await Promise.resolve();
  sent[1]?.answer.resolve();
  await third;
  expect(sent.map(({ ids }) => ids.length)).toEqual([1, 1]);
});
