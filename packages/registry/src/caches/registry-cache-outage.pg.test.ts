import { PostgresUnavailable } from '@tickrate/postgres';
import { createManualClock, createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { levelDeclaration, startCachedRegistry } from '../testing/cache-harness.ts';
import { createRegistryCache } from './registry-cache.ts';

const postgres = await freshPostgres();
const { database, registry, startCache, createKey } = await startCachedRegistry(postgres.url);

// Invariant (Management): A registry change reaches every process, and none is missed
test('a revocation is seen after the listening connection was cut', async () => {
  const { text, key } = await createKey();
  const cache = await startCache();
  await cache.principal(text);
  await postgres.terminateConnections();
  await waitUntil(() => registry.revokeKey({ keyId: key.id }).catch(() => null), { what: 'the revocation' });
  await waitUntil(async () => (await cache.principal(text)) === null);
});

test('a change without a notification is seen with the next read of the log', async () => {
  const { text, key } = await createKey();
  const clock = createManualClock();
  const cache = await startCache({ now: clock.now });
  await cache.principal(text);
  await unheard('UPDATE registry.keys SET revoked = now() WHERE id = $1', key.id);
  clock.advance(40_000);
  await waitUntil(async () => (await cache.principal(text)) === null);
});

test('a cache that missed more changes than the log keeps drops all entries', async () => {
  const proxy = await createTcpProxy(postgres.url);
  onTestFinished(() => proxy.close());
  const { text, key } = await createKey();
  const cache = await startCache({ postgresUrl: proxy.url });
  await cache.principal(text);
  proxy.refuse();
  await registry.revokeKey({ keyId: key.id });
  await database.query('DELETE FROM registry.changes');
  expect(cache.principal(text)).toMatchObject({ keyId: key.id });
  proxy.open();
  await waitUntil(async () => (await cache.principal(text)) === null, { timeoutMs: 3_000 });
});

test('a fail-over that lost commits makes the cache drop all entries', async () => {
  const { text, key } = await createKey();
  const cache = await startCache();
  await cache.principal(text);
  await database.query(
    'BEGIN; SET CONSTRAINTS ALL DEFERRED; ALTER TABLE registry.keys DISABLE TRIGGER key_changed; UPDATE registry.keys SET revoked = now(); ALTER TABLE registry.keys ENABLE TRIGGER key_changed; UPDATE registry.epoch SET position = position - 1; COMMIT',
  );
  expect(key.revokedMs).toBeNull();
  await waitUntil(async () => (await cache.principal(text)) === null);
  await database.query('UPDATE registry.epoch SET position = position + 1000');
});

test('during an outage of Postgres, known entries are served, others are rejected, and the cache is unhealthy', async () => {
  const clock = createManualClock();
  const proxy = await createTcpProxy(postgres.url);
  onTestFinished(() => proxy.close());
  const { text, key } = await createKey();
  const other = await createKey();
  await registry.declareEventType({
    projectId: key.projectId,
    name: 'level_up',
    declaration: levelDeclaration,
  });
  const cache = await startCache({ postgresUrl: proxy.url, now: clock.now, maxStaleMs: 600_000 });
  await waitUntil(() => cache.eventType(key.projectId, 'level_up'));
  await cache.principal(text);
  expect(cache.healthy()).toBe(true);

  proxy.refuse();
  clock.advance(10_000);
  await waitUntil(() => !cache.healthy());
  expect(cache.principal(text)).toMatchObject({ keyId: key.id });
  expect(cache.eventType(key.projectId, 'level_up')).toMatchObject({ name: 'level_up' });
  await expect(cache.principal(other.text)).rejects.toBeInstanceOf(PostgresUnavailable);
  await expect(cache.eventType(key.projectId, 'unknown')).rejects.toBeInstanceOf(PostgresUnavailable);

  clock.advance(600_000);
  await expect(cache.principal(text)).rejects.toBeInstanceOf(PostgresUnavailable);
  await registry.revokeKey({ keyId: other.key.id });
  proxy.open();
  await waitUntil(() => cache.healthy(), { timeoutMs: 3_000 });
  expect(await cache.principal(text)).toMatchObject({ keyId: key.id });
  expect(await cache.principal(other.text)).toBeNull();
});

test('a Postgres that hangs counts as unavailable', async () => {
  const clock = createManualClock();
  const proxy = await createTcpProxy(postgres.url);
  onTestFinished(() => proxy.close());
  const { text, key } = await createKey();
  const cache = await startCache({ postgresUrl: proxy.url, now: clock.now });
  proxy.freeze();
  clock.advance(10_000);
  await expect(cache.principal(text)).rejects.toBeInstanceOf(PostgresUnavailable);
  expect(cache.healthy()).toBe(false);
  proxy.open();
  await waitUntil(() => cache.healthy(), { timeoutMs: 6_000 });
  expect(await cache.principal(text)).toMatchObject({ keyId: key.id });
});

test('a cache does not start without Postgres', async () => {
  const proxy = await createTcpProxy(postgres.url);
  onTestFinished(() => proxy.close());
  proxy.refuse();
  const cache = createRegistryCache({ postgresUrl: proxy.url, now: Date.now, onFault: () => undefined });
  await expect(cache.start()).rejects.toBeInstanceOf(PostgresUnavailable);
  await cache.stop();
});

test('a stop takes bounded time and closes every connection if Postgres hangs', async () => {
  const proxy = await createTcpProxy(postgres.url);
  onTestFinished(() => proxy.close());
  const cache = createRegistryCache({ postgresUrl: proxy.url, now: Date.now, onFault: () => undefined });
  await cache.start();
  const { text } = await createKey();
  await cache.principal(text);
  proxy.freeze();
  await cache.stop();
  proxy.open();
  await waitUntil(() => proxy.connections() === 0, { what: 'all connections to close' });
});

/** Runs a statement and drops its notification, as during a reconnection of the listener. */
async function unheard(statement: string, value: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('ALTER TABLE registry.keys DISABLE TRIGGER key_changed');
    await tx.query(statement, [value]);
    await tx.query('UPDATE registry.epoch SET position = position + 1');
    await tx.query(
      "INSERT INTO registry.changes SELECT position, 'key:' || encode(k.hash, 'hex') FROM registry.epoch, registry.keys k WHERE k.id = $1",
      [value],
    );
    await tx.query('ALTER TABLE registry.keys ENABLE TRIGGER key_changed');
  });
}
