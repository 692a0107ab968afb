import { expect, test } from 'vitest';
import { sampleId } from '../chunks/chunk-samples.ts';
import { homeOf } from './lane.ts';
import { parseQueueUrl, queueNames } from './queue-address.ts';

test('several stores are distinguished by kind, and their labels contain no password', () => {
  const stores = parseQueueUrl('redis://:secret@a:6379, rediss://b:1 ,postgres://u:secret@c:5432/db');
  expect(stores.map(({ kind, label }) => [kind, label])).toEqual([
    ['redis', 'a:6379'],
    ['redis', 'b:1'],
    ['postgres', 'c:5432'],
  ]);
});

test('a URL that names no queue is refused without repeating it', () => {
  for (const url of ['', 'http://u:secret@x', 'not a url secret', 'redis://a,']) {
    const read = () => parseQueueUrl(url);
    if (url === 'redis://a,') expect(read()).toHaveLength(1);
    else expect(read).toThrow(TypeError);
    if (url.includes('secret')) expect(read).toThrow(/^(?!.*secret).*$/);
  }
});

test('each queue keeps its keys in one slot of a cluster', () => {
  expect(queueNames('events', 2)).toEqual([
    '{events-0}',
    '{events-1}',
    '{events-0-express}',
    '{events-1-express}',
  ]);
});

test('chunks spread evenly over all shards of all stores', () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 6_000; n += 1) {
    const { store, shard } = homeOf(sampleId(1_767_225_600_000), 2, 3);
    counts.set(`${store}/${shard}`, (counts.get(`${store}/${shard}`) ?? 0) + 1);
  }
  expect(counts.size).toBe(6);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(200);
});
