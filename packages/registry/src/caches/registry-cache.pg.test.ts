import { randomBytes } from 'node:crypto';
import { createApiKeyText, hashApiKey } from '@tickrate/contract';
import { createManualClock, freshPostgres, waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { levelDeclaration, startCachedRegistry } from '../testing/cache-harness.ts';

const { database, registry, startCache, createKey } = await startCachedRegistry((await freshPostgres()).url);

test('a key is looked up once and then returned from the cache', async () => {
  const { text, key } = await createKey({ scopes: ['events:write'], origins: ['https://kart.example'] });
  const cache = await startCache();
  const asked = cache.principal(text);
  expect(asked).toBeInstanceOf(Promise);
  const principal = await asked;
  expect(principal).toEqual({
    keyId: key.id,
    keyLine: key.id,
    kind: 'public',
    projectId: key.projectId,
    scopes: ['events:write'],
    origins: ['https://kart.example'],
    sessionId: null,
    accountId: null,
    expiresMs: null,
    lateEventsUntilMs: null,
  });
  expect(cache.principal(text)).toBe(principal);
});

test('an invalid key is rejected without a look-up', async () => {
  const { text } = await createKey();
  const cache = await startCache();
  const swapped = text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');
  for (const malformed of ['', 'x', swapped, `${text} `]) expect(cache.principal(malformed)).toBeNull();
});

test('an unknown key is cached as unknown, and found soon after its creation', async () => {
  const cache = await startCache();
  const text = createApiKeyText('public', randomBytes);
  expect(await cache.principal(text)).toBeNull();
  expect(cache.principal(text)).toBeNull();
  const { key } = await createKey();
  await database.query('UPDATE registry.keys SET hash = $1 WHERE id = $2', [hashApiKey(text), key.id]);
  await waitUntil(async () => (await cache.principal(text))?.keyId === key.id);
});

test('a revocation takes effect on every process', async () => {
  const { text, key } = await createKey();
  const caches = [await startCache(), await startCache()];
  for (const cache of caches) expect(await cache.principal(text)).not.toBeNull();
  await registry.revokeKey({ keyId: key.id });
  for (const cache of caches) {
    await waitUntil(async () => (await cache.principal(text)) === null);
  }
});

test('a key expires at its time without any change', async () => {
  const clock = createManualClock(Date.now());
  const { text } = await createKey({ expiresMs: clock.now() + 60_000 });
  const cache = await startCache({ now: clock.now });
  const principal = await cache.principal(text);
  expect(principal).toMatchObject({ expiresMs: clock.now() + 60_000 });
  clock.advance(59_999);
  expect(cache.principal(text)).toBe(principal);
  clock.advance(1);
  expect(cache.principal(text)).toBeNull();
});

test('the old key of a rotation works until the end of the overlap', async () => {
  const clock = createManualClock(Date.now());
  const { text, key } = await createKey();
  const cache = await startCache({ now: clock.now });
  await cache.principal(text);
  const rotated = await registry.rotateKey({ keyId: key.id, overlapMs: 60_000, createdBy: 'a-1' });
  await waitUntil(async () => (await cache.principal(text))?.expiresMs === rotated.previous.expiresMs);
  expect(await cache.principal(rotated.text)).toMatchObject({ keyId: rotated.key.id, keyLine: key.id });
  const again = await registry.rotateKey({ keyId: rotated.key.id, overlapMs: 60_000, createdBy: 'a-1' });
  expect(await cache.principal(again.text)).toMatchObject({ keyId: again.key.id, keyLine: key.id });
  clock.advance(61_000);
  expect(await cache.principal(text)).toBeNull();
  expect(await cache.principal(again.text)).toMatchObject({ keyId: again.key.id });
});

test('an event type is available with all versions after each change', async () => {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const cache = await startCache();
  expect(await cache.eventType(projectId, 'level_up')).toBeNull();
  expect(cache.eventType(projectId, 'level_up')).toBeNull();
  const newest = async () => (await cache.eventType(projectId, 'level_up'))?.newest;

  await registry.declareEventType({ projectId, name: 'level_up', declaration: levelDeclaration });
  await waitUntil(async () => (await newest())?.version === 1);
  const first = await cache.eventType(projectId, 'level_up');
  const more = { ...levelDeclaration, description: 'with words' };
  await registry.declareEventType({ projectId, name: 'level_up', declaration: more });
  await waitUntil(async () => (await newest())?.version === 2);
  const second = await cache.eventType(projectId, 'level_up');
  expect(second?.versions.get(1)?.compiled()).toBe(first?.versions.get(1)?.compiled());
  expect(second?.versions.get(2)?.compiled()?.columns).toMatchObject([{ path: 'level', type: 'Int64' }]);

  await registry.setVersionStatus({ projectId, name: 'level_up', version: 2, status: 'deprecated' });
  await waitUntil(async () => (await newest())?.version === 1);
  await registry.setVersionStatus({ projectId, name: 'level_up', version: 1, status: 'retired' });
  await waitUntil(async () => (await newest())?.version === 2);
  const last = await cache.eventType(projectId, 'level_up');
  expect(last?.versions.get(1)).toMatchObject({ status: 'retired' });
  expect(last?.versions.get(1)?.compiled()).toBeNull();
});

test('an invalid type name is never looked up', async () => {
  const cache = await startCache();
  for (const name of ['', 'a\0b', 'a/b', 'x'.repeat(129)])
    expect(cache.eventType('p-aaaaaaaaaaaa', name)).toBeNull();
});

test('thousands of unknown keys at once need few queries, and existing keys are still found', async () => {
  const { text, key } = await createKey();
  const cache = await startCache();
  const flood = Array.from({ length: 5_000 }, () => cache.principal(createApiKeyText('public', randomBytes)));
  const found = cache.principal(text);
  expect(await found).toMatchObject({ keyId: key.id });
  expect(new Set(await Promise.all(flood))).toEqual(new Set([null]));
});

test('the last use of a key is written to the minute, by several processes at once', async () => {
  const clock = createManualClock(Date.UTC(2026, 5, 1, 12, 0, 30));
  const { text, key } = await createKey();
  const soon = { now: clock.now, usageFlushMs: 20 };
  const caches = [await startCache(soon), await startCache(soon)];
  for (const cache of caches) await cache.principal(text);
  const lastUsedMs = async () => (await registry.keys(key.projectId))[0]?.lastUsedMs;
  await waitUntil(async () => (await lastUsedMs()) === Date.UTC(2026, 5, 1, 12, 0), {
    what: 'the first use',
  });
  clock.advance(90_000);
  for (const cache of caches) await cache.principal(text);
  await waitUntil(async () => (await lastUsedMs()) === Date.UTC(2026, 5, 1, 12, 2), {
    what: 'the later use',
  });
});

test('a session key returns its account until the session ends, and a renewal is seen', async () => {
  const { id: projectId } = await registry.createProject({ name: 'Kart' });
  const text = createApiKeyText('session', randomBytes);
  const hash = hashApiKey(text);
  const expiresMs = Date.now() + 60_000;
  const cache = await startCache();
  await database.query(
    `INSERT INTO registry.session_keys (hash, session_id, account_id, project_id, scopes, expires)
     VALUES ($1, 'us-1', 'u-1', $2, '{}', $3)`,
    [hash, projectId, new Date(expiresMs)],
  );
  expect(await cache.principal(text)).toEqual({
    keyId: 'us-1',
    keyLine: null,
    kind: 'session',
    projectId,
    scopes: [],
    origins: null,
    sessionId: 'us-1',
    accountId: 'u-1',
    expiresMs,
    lateEventsUntilMs: expiresMs + 30 * 86_400_000,
  });
  expect(cache.principal(text)).not.toBeInstanceOf(Promise);
  expect(cache.endedSession(text)).toBeNull();
  const renewed = new Date(expiresMs + 60_000);
  await database.query('UPDATE registry.session_keys SET expires = $1 WHERE hash = $2', [renewed, hash]);
  await waitUntil(async () => (await cache.principal(text))?.expiresMs === renewed.getTime());
  await database.query('UPDATE registry.session_keys SET ended = now() WHERE hash = $1', [hash]);
  await waitUntil(async () => (await cache.principal(text)) === null);
  const restarted = await startCache();
  expect(await restarted.principal(text)).toBeNull();
  for (const each of [cache, restarted]) expect(await each.endedSession(text)).toBe('us-1');
  expect(await restarted.lateSender(text)).toMatchObject({ sessionId: 'us-1', accountId: 'u-1' });
  await database.query('UPDATE registry.session_keys SET barred = true WHERE hash = $1', [hash]);
  await waitUntil(async () => (await restarted.lateSender(text)) === null);
  expect(await cache.endedSession(createApiKeyText('session', randomBytes))).toBeNull();
  expect(await cache.endedSession('x')).toBeNull();
});
