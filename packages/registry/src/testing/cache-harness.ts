import { createPostgres } from '@tickrate/postgres';
import { afterAll, onTestFinished } from 'vitest';
import { createRegistryCache, type RegistryCacheOptions } from '../caches/registry-cache.ts';
import type { KeyRequest } from '../keys/keys.ts';
import { createRegistry } from '../registry.ts';
import { migrateRegistry } from '../store/registry-schema.ts';

export const levelDeclaration = { type: 'object', properties: { level: { type: 'integer' } } };

/** A registry on a database of its own, with caches that follow it. All are closed after the tests of the file. */
export async function startCachedRegistry(postgresUrl: string) {
  await migrateRegistry(postgresUrl);
  const database = createPostgres({ postgresUrl, maxConnections: 2 });
  const registry = createRegistry({ postgresUrl, now: Date.now });
  afterAll(async () => {
    await registry.close();
    await database.close();
  });
  return {
    database,
    registry,
    /** Stopped after the test. */
    async startCache(options: Partial<RegistryCacheOptions> = {}) {
      const cache = createRegistryCache({
        postgresUrl,
        now: Date.now,
        onFault: () => undefined,
        ...options,
      });
      await cache.start();
      onTestFinished(() => cache.stop());
      return cache;
    },
    async createKey(request: Partial<KeyRequest> = {}) {
      const { id: projectId } = await registry.createProject({ name: 'Kart' });
      return registry.createKey({ projectId, kind: 'public', comment: '', createdBy: 'a-1', ...request });
    },
  };
}
