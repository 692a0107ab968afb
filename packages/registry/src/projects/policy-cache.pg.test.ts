import { isDeepStrictEqual } from 'node:util';
import { createPostgres } from '@tickrate/postgres';
import { createTcpProxy, freshPostgres, waitUntil } from '@tickrate/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createRegistryCache } from '../caches/registry-cache.ts';
import { createRegistry } from '../registry.ts';
import { openProviders, type Sealer } from '../store/provider-secrets.ts';
import { migrateRegistry } from '../store/registry-schema.ts';
import { projectVersion } from './projects.ts';

const { url } = await freshPostgres();
const database = createPostgres({ postgresUrl: url, maxConnections: 2 });
const registry = createRegistry({ postgresUrl: url, now: Date.now });

/** Replaces the secret box of the process: the text of the key, at its place. The first key seals. */
function createSealer(...keys: readonly number[]): Sealer {
  const made = (key: number | undefined, place: string) => `${key} ${place} `;
  return {
    seal: (text, place) => Buffer.from(made(keys[0], place) + Buffer.from(text).toString('hex')),
    open(bytes, place) {
      const text = Buffer.from(bytes).toString();
      const mark = keys.map((key) => made(key, place)).find((each) => text.startsWith(each));
      if (mark === undefined) throw new Error('Sealed elsewhere');
      return Buffer.from(text.slice(mark.length), 'hex').toString();
    },
    isCurrent: (bytes) => Buffer.from(bytes).toString().startsWith(`${keys[0]} `),
  };
}

const first = createSealer(1);

beforeAll(() => migrateRegistry(url));
afterAll(async () => {
  await registry.close();
  await database.close();
});

test('a policy takes effect on every process, and is then returned from the cache', async () => {
  const projectId = await project();
  const caches = [await startCache(), await startCache()];
  for (const { cache } of caches) expect(await cache.policies(projectId)).toEqual({ rates: {}, quotas: {} });
  await registry.setPolicy({ projectId, name: 'quotas', value: { eventsPerDay: 5 } });
  await registry.setPolicy({ projectId, name: 'sessions', value: { linking: 'never' } });
  for (const { cache } of caches) {
    await waitUntil(async () => (await cache.policies(projectId)).quotas.eventsPerDay === 5);
    expect(cache.policies(projectId)).toEqual({ rates: {}, quotas: { eventsPerDay: 5 } });
  }
});

test('all settings of a project, including test mode, are read once and updated', async () => {
  const projectId = await project();
  const { cache } = await startCache();
  expect(await cache.settings('p-aaaaaaaaaaaa')).toBeNull();
  const settings = await cache.settings(projectId);
  expect(settings).toEqual({ testMode: false, policies: new Map() });
  expect(cache.settings(projectId)).toBe(settings);
  await registry.setPolicy({ projectId, name: 'sessions', value: { linking: 'never' } });
  const version = projectVersion({ name: 'Kart', testMode: false });
  await registry.editProject({ projectId, version, testMode: true });
  const expected = { testMode: true, policies: new Map([['sessions', { linking: 'never' }]]) };
  const isThere = async () => isDeepStrictEqual(await cache.settings(projectId), expected);
  await waitUntil(isThere, { what: 'both changes' });
});

test('an invalid policy is rejected when it is set', async () => {
  const projectId = await project();
  const setting = registry.setPolicy({ projectId, name: 'rates', value: { perKey: 'many' } });
  await expect(setting).rejects.toMatchObject({ code: 1003 });
});

test('a stored policy that is invalid is reported, and the last valid one stays in force', async () => {
  const projectId = await project();
  const { cache, faults } = await startCache();
  await registry.setPolicy({ projectId, name: 'quotas', value: { eventsPerDay: 7 } });
  expect((await cache.policies(projectId)).quotas).toEqual({ eventsPerDay: 7 });
  await store(projectId, 'quotas', { eventsPerDay: 'seven' });
  await store(projectId, 'rates', { perKey: 3 });
  await waitUntil(async () => (await cache.policies(projectId)).rates.perKey === 3);
  expect((await cache.policies(projectId)).quotas).toEqual({ eventsPerDay: 7 });
  expect(faults.join()).toContain('quotas');
  const restarted = await startCache();
  expect(await restarted.cache.policies(projectId)).toEqual({ rates: { perKey: 3 }, quotas: {} });
});

test('during an outage of Postgres the last known policies apply, and an unknown project has none', async () => {
  const projectId = await project();
  await registry.setPolicy({ projectId, name: 'quotas', value: { eventsPerDay: 9 } });
  const proxy = await createTcpProxy(url);
  onTestFinished(() => proxy.close());
  const { cache, faults } = await startCache({ postgresUrl: proxy.url, maxStaleMs: 0 });
  expect((await cache.policies(projectId)).quotas).toEqual({ eventsPerDay: 9 });
  proxy.refuse();
  await waitUntil(() => faults.length > 0, { what: 'the outage to be detected' });
  expect((await cache.policies(projectId)).quotas).toEqual({ eventsPerDay: 9 });
  expect(await cache.policies('p-aaaaaaaaaaaa')).toEqual({ rates: {}, quotas: {} });
});

describe('the secrets of providers', () => {
  const steam = { publisherKey: 'A-SECRET-OF-STEAM', appIds: ['480'] };
  const sealing = (sealer: Sealer) => {
    const sealed = createRegistry({ postgresUrl: url, now: Date.now, sealer });
    onTestFinished(() => sealed.close());
    return sealed;
  };
  const textOf = async (projectId: string) => {
    const rows = await database.query<{ value: string }>(
      "SELECT value::text AS value FROM registry.policies WHERE project_id = $1 AND name = 'providers'",
      [projectId],
    );
    return rows[0]?.value ?? '';
  };
  const openedBy = async (sealer: Sealer, projectId: string) =>
    openProviders(sealer, projectId, { ...(await registry.policies(projectId)).get('providers') });

  test('are stored sealed for their project and place only, and never without a key', async () => {
    const projectId = await project();
    const value = { steam, discord: { applicationId: '1' } };
    await sealing(first).setPolicy({ projectId, name: 'providers', value });
    const text = await textOf(projectId);
    expect(text).not.toContain('A-SECRET');
    expect(text).toContain('"applicationId": "1"');
    expect(await openedBy(first, projectId)).toEqual(value);
    expect(await openedBy(first, await project())).toEqual({});
    const other = await project();
    await store(other, 'providers', JSON.parse(text));
    expect(JSON.stringify(await openedBy(first, other))).not.toContain('A-SECRET');
    const unsealed = registry.setPolicy({ projectId, name: 'providers', value });
    await expect(unsealed).rejects.toThrow('No key is configured to seal');
  });

  test('that are plain or under an earlier key are sealed with the current key, and lost ones are reported', async () => {
    const [plain, earlier, lost] = [await project(), await project(), await project()];
    await store(plain, 'providers', { steam });
    await sealing(first).setPolicy({ projectId: earlier, name: 'providers', value: { steam } });
    await sealing(createSealer(3)).setPolicy({ projectId: lost, name: 'providers', value: { steam } });
    const second = createSealer(2, 1);
    const found = await sealing(second).resealProviders();
    expect(found.sealed).toBeGreaterThanOrEqual(2);
    expect(found.lost).toContain(lost);
    for (const projectId of [plain, earlier]) {
      expect(await textOf(projectId)).not.toContain('A-SECRET');
      expect(await openedBy(createSealer(2), projectId)).toEqual({ steam });
      expect(JSON.stringify(await openedBy(first, projectId))).not.toContain('A-SECRET');
    }
    expect((await sealing(second).resealProviders()).sealed).toBe(0);
  });

  test.each([
    [{ steam: { publisherKey: 'k', appIds: [] } }, 'value.steam.appIds'],
    [{ openId: { google: { preset: 'google' } } }, 'value.openId.google.clientIds'],
    [{ myspace: {} }, 'value.myspace'],
  ])('must have settings that sign-in can use: %j', async (value, parameterName) => {
    const projectId = await project();
    const setting = sealing(first).setPolicy({ projectId, name: 'providers', value });
    await expect(setting).rejects.toMatchObject({ code: 1003, data: { parameterName } });
    expect(await textOf(projectId)).toBe('');
  });
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
