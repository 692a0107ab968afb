import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { migrateRegistry } from './migrate-registry.ts';
import { createRegistry } from './registry.ts';
import { createRegistryCache } from './registry-cache.ts';

const { url } = await freshPostgres();
const database = new pg.Pool({ connectionString: url, max: 2 });
const registry = createRegistry({ postgresUrl: url, now: Date.now });
const withinMs = 1_000;

beforeAll(() => migrateRegistry(url));
afterAll(async () => {
  await registry.close();
  await database.end();
});

test('a policy takes effect on every process within a second, and is answered at once from then on', async () => {
  const projectId = await project();
  const caches = [await startCache(), await startCache()];
  for (const { cache } of caches) expect(await cache.policies(projectId)).toEqual({ rates: {}, quotas: {} });
  await registry.setPolicy({ projectId, name: 'quotas', value: { eventsPerDay: 5 } });
  await registry.setPolicy({ projectId, name: 'sessions', value: { anything: true } });
  for (const { cache } of caches) {
    await waitUntil(async () => (await cache.policies(projectId)).quotas.eventsPerDay === 5, {
      timeoutMs: withinMs,
    });
    expect(cache.policies(projectId)).toEqual({ rates: {}, quotas: { eventsPerDay: 5 } });
  }
});

test('a policy of another shape is refused where it is set', async () => {
  const projectId = await project();
  const setting = registry.setPolicy({ projectId, name: 'rates', value: { perKey: 'many' } });
  await expect(setting).rejects.toMatchObject({ code: 1003 });
});

test('a stored policy that is broken is told, and what was last good stays in force', async () => {
  const projectId = await project();
  const { cache, faults } = await startCache();
  await registry.setPolicy({ projectId, name: 'quotas', value: { eventsPerDay: 7 } });
  expect((await cache.policies(projectId)).quotas).toEqual({ eventsPerDay: 7 });
  await store(projectId, 'quotas', { eventsPerDay: 'seven' });
  await store(projectId, 'rates', { perKey: 3 });
  await waitUntil(async () => (await cache.policies(projectId)).rates.perKey === 3, { timeoutMs: withinMs });
  expect((await cache.policies(projectId)).quotas).toEqual({ eventsPerDay: 7 });
  expect(faults.join()).toContain('quotas');
  const restarted = await startCache();
  expect(await restarted.cache.policies(projectId)).toEqual({ rates: { perKey: 3 }, quotas: {} });
});

test('while Postgres is away what was last known is in force, and a project that is not known has nothing set', async () => {
  const projectId = await project();
  await registry.setPolicy({ projectId, name: 'quotas', value: { eventsPerDay: 9 } });
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const { cache, faults } = await startCache({ postgresUrl: proxy.url, maxStaleMs: 0 });
  expect((await cache.policies(projectId)).quotas).toEqual({ eventsPerDay: 9 });
  proxy.refuse();
  await waitUntil(() => faults.length > 0, { what: 'the outage to be noticed' });
  expect((await cache.policies(projectId)).quotas).toEqual({ eventsPerDay: 9 });
  expect(await cache.policies('p-aaaaaaaaaaaa')).toEqual({ rates: {}, quotas: {} });
});

async function startCache({ postgresUrl = url, maxStaleMs = 600_000 } = {}) {
  const faults: unknown[] = [];
  const onFault = (error: unknown) => void faults.push(error);
  const cache = createRegistryCache({ postgresUrl, maxStaleMs, now: Date.now, onFault });
  await cache.start();
  onTestFinished(() => cache.stop());
  return { cache, faults };
}

async function project(): Promise<string> {
  return (await registry.createProject({ name: 'Kart' })).id;
}

async function store(projectId: string, name: string, value: object): Promise<void> {
  await database.query(
    `INSERT INTO registry.policies (project_id, name, value, changed) VALUES ($1, $2, $3, now())
     ON CONFLICT (project_id, name) DO UPDATE SET value = excluded.value`,
    [projectId, name, JSON.stringify(value)],
  );
}
