import { type RedisServer, startRedisServer, waitUntil } from '@tickrate/testkit';
import { Redis } from 'ioredis';
import { afterEach, expect, test } from 'vitest';
import { type Chunk, createConsumer, createProducer, QueueUnavailable, readRedisFacts } from '../../index.ts';
import { sampleChunk } from '../chunks/chunk-samples.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** These settings keep data through a SIGKILL. By default, Redis may delay writes for as long as an fsync takes. */
async function server(settings: Readonly<Record<string, string>> = {}): Promise<RedisServer> {
  const redis = await startRedisServer({ settings: { appendfsync: 'always', ...settings } });
  closers.push(() => redis.stop());
  return redis;
}

/** With one store, its timeout is that of the product. With two, a chunk soon goes to the other one. */
async function producerOf(...servers: readonly RedisServer[]) {
  const queueUrl = servers.map(({ url }) => url).join(',');
  const timeoutMs = servers.length > 1 ? 500 : 2_000;
  const producer = createProducer({ queueUrl, shards: 2, timeoutMs, pollMs: 25 });
  closers.push(() => producer.stop());
  await producer.start();
  // One store is enough for the start. These tests take one of two away, so both must be there first.
  const isReady = () => producer.accepting() && producer.levels().length === servers.length;
  await waitUntil(isReady, { what: 'the producer to accept, with every store' });
  return producer;
}

function consumerOf(...servers: readonly RedisServer[]) {
  const chunks: Chunk[] = [];
  const consumer = createConsumer({
    queueUrl: servers.map(({ url }) => url).join(','),
    shards: 2,
    concurrency: 40,
    handle: async (chunk) => void chunks.push(chunk),
    handleMalformed: () => Promise.reject(new Error('no job here is malformed')),
  });
  closers.push(() => consumer.stop(500));
  consumer.start();
  return { ...consumer, ids: () => new Set(chunks.map((chunk) => chunk.id)) };
}

test('acknowledged chunks are delivered after Redis was killed', async () => {
  const redis = await server();
  const producer = await producerOf(redis);
  const chunks = Array.from({ length: 200 }, () => sampleChunk(Date.now()));
  await Promise.all(chunks.map((chunk) => producer.add(chunk)));
  await redis.kill();
  await expect(producer.add(sampleChunk(Date.now()))).rejects.toThrow(QueueUnavailable);
  await redis.restart();

  const consumer = consumerOf(redis);
  await waitUntil(() => consumer.ids().size === chunks.length, { timeoutMs: 10_000, what: 'all chunks' });
  await waitUntil(() => producer.accepting(), { timeoutMs: 10_000, what: 'the producer to accept again' });
});

test('a worker continues by itself after Redis was away', async () => {
  const redis = await server();
  const producer = await producerOf(redis);
  const consumer = consumerOf(redis);
  await producer.add(sampleChunk(Date.now()));
  await waitUntil(() => consumer.ids().size === 1);
  await redis.kill();
  await redis.restart();
  await waitUntil(() => producer.accepting(), { timeoutMs: 10_000, what: 'the producer to accept again' });
  await producer.add(sampleChunk(Date.now()));
  await waitUntil(() => consumer.ids().size === 2, { timeoutMs: 10_000, what: 'the second chunk' });
  await waitUntil(() => consumer.healthy(), { timeoutMs: 10_000, what: 'the consumer to be well' });
});

test('refuses long before Redis reaches its maxmemory, so that workers can always empty it', async () => {
  const redis = await server({ maxmemory: '12mb' });
  const producer = await producerOf(redis);
  let added = 0;
  for (; producer.accepting() && added < 400; added += 1) {
    await producer.add(sampleChunk(Date.now(), { bytes: 60_000 }));
  }
  const [level] = producer.levels();
  expect((level?.usedBytes ?? 0) / (level?.limitBytes ?? 1)).toBeLessThan(0.95);
  expect(level?.limitBytes).toBe(12 * 1024 ** 2);
  const consumer = consumerOf(redis);
  await waitUntil(() => consumer.ids().size === added, { timeoutMs: 10_000, what: 'all chunks' });
  await waitUntil(() => producer.accepting(), { timeoutMs: 10_000, what: 'the producer to accept again' });
});

test('with two stores, nothing is lost or refused while one hangs or is away', async () => {
  const [a, b] = [await server(), await server()];
  const producer = await producerOf(a, b);
  const chunks = Array.from({ length: 60 }, () => sampleChunk(Date.now()));
  for (const chunk of chunks.slice(0, 20)) await producer.add(chunk);
  await a.kill();
  for (const chunk of chunks.slice(20, 40)) await producer.add(chunk);
  await a.restart();
  b.freeze();
  const during = Promise.all(chunks.slice(40).map((chunk) => addUntilTaken(producer, chunk)));
  await during;
  b.resume();

  const consumer = consumerOf(a, b);
  await waitUntil(() => consumer.ids().size === chunks.length, { timeoutMs: 15_000, what: 'all chunks' });
});

test('a store that is opened after the start is measured at once, also while the queue is calm', async () => {
  const [a, b] = [await server(), await server()];
  await b.kill();
  const producer = createProducer({ queueUrl: `${a.url},${b.url}`, shards: 1 });
  closers.push(() => producer.stop());
  await producer.start();
  expect(producer.levels()).toHaveLength(1);
  await b.restart();
  await waitUntil(() => producer.levels().length === 2, { timeoutMs: 10_000, what: 'the level of both' });
});

test('a worker delivers from one store while the other is away, and is healthy until none answers', async () => {
  const [a, b] = [await server(), await server()];
  const producer = await producerOf(a, b);
  const consumer = consumerOf(a, b);
  await waitUntil(() => consumer.healthy(), { what: 'a store to answer' });
  await a.kill();
  const chunks = Array.from({ length: 20 }, () => sampleChunk(Date.now()));
  for (const chunk of chunks) await producer.add(chunk);
  await waitUntil(() => consumer.ids().size === chunks.length, { timeoutMs: 10_000, what: 'all chunks' });
  expect(consumer.healthy()).toBe(true);
  await b.kill();
  await waitUntil(() => !consumer.healthy(), { timeoutMs: 10_000, what: 'the worker to notice' });
  await a.restart();
  await waitUntil(() => consumer.healthy(), { timeoutMs: 10_000, what: 'one store to answer again' });
});

test('a chunk is found in every store, also if its first store was away when it was added', async () => {
  const [a, b] = [await server(), await server()];
  const producer = await producerOf(a, b);
  await a.kill();
  const chunks = Array.from({ length: 10 }, () => sampleChunk(Date.now()));
  for (const chunk of chunks) await producer.add(chunk);
  await a.restart();
  const consumer = consumerOf(a, b);
  await consumer.hold();
  // Rejects until both stores are connected.
  const found = await waitUntil(() => consumer.find(chunks.map(({ id }) => id)), {
    timeoutMs: 10_000,
    what: 'both stores to be searched',
  });
  const missing = chunks.filter(({ id }) => found.get(id) === null && !consumer.ids().has(id));
  expect(missing).toEqual([]);
});

/** As a client does that is answered 503. */
async function addUntilTaken(producer: { add(chunk: Chunk): Promise<void> }, chunk: Chunk): Promise<void> {
  await waitUntil(
    () =>
      producer.add(chunk).then(
        () => true,
        () => false,
      ),
    { timeoutMs: 10_000, what: 'the chunk to be taken' },
  );
}

test('the settings of every Redis can be read, also if Redis hides them', async () => {
  const open = await server({ maxmemory: '12mb', 'maxmemory-policy': 'allkeys-lru' });
  const client = new Redis(open.url);
  await client.acl('SETUSER', 'limited', 'on', '>pw', '~*', '+@all', '-config');
  client.disconnect();
  const limited = open.url.replace('redis://', 'redis://limited:pw@');
  const [first, second] = await readRedisFacts(`${open.url},${limited}`, 2_000);
  expect(first).toMatchObject({
    label: new URL(open.url).host,
    mostMemoryBytes: 12 * 1024 ** 2,
    settings: { appendonly: 'yes', appendfsync: 'always', evictionPolicy: 'allkeys-lru' },
  });
  expect(first?.version).toMatch(/^\d+\.\d+/);
  expect(Math.abs((first?.clockMs ?? 0) - Date.now())).toBeLessThan(60_000);
  expect(second).toMatchObject({ mostMemoryBytes: 12 * 1024 ** 2, settings: null });
  await open.stop();
  await expect(readRedisFacts(open.url, 2_000)).rejects.toThrow();
  expect(await readRedisFacts('postgres://localhost/x', 2_000)).toEqual([]);
});

test.each([
  ['OOM', { maxmemory: '1' }],
  ['READONLY', { replicaof: '127.0.0.1 1' }],
  ['NOREPLICAS', { 'min-replicas-to-write': '1' }],
  [null, {}],
])(
  'a Redis that refuses every write says why, and nothing is written to find out: %s',
  async (code, settings) => {
    const { url } = await server(settings);
    expect(await readRedisFacts(url, 2_000)).toMatchObject([{ refusal: code }]);
    const client = new Redis(url);
    expect(await client.dbsize()).toBe(0);
    client.disconnect();
  },
);

test('a consumer whose level was read before its start begins without a fault', async () => {
  const { url: queueUrl } = await server();
  const faults: unknown[] = [];
  const consumer = createConsumer({
    queueUrl,
    shards: 1,
    concurrency: 4,
    handle: () => Promise.resolve(),
    handleMalformed: () => Promise.resolve(),
    onFault: (fault) => faults.push(fault),
  });
  closers.push(() => consumer.stop(500));
  const levels = consumer.levels();
  consumer.start();
  await levels;
  await waitUntil(() => consumer.healthy(), { what: 'the consumer to open its queue' });
  expect(faults).toEqual([]);
});
