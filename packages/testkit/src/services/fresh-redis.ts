import { randomBytes } from 'node:crypto';
import { afterAll } from 'vitest';
import { startRedisServer } from './redis-server.ts';
import { askForService } from './service-broker.ts';

export interface FreshRedis {
  readonly url: string;
  /** The prefix of this file's keys: a given Redis (REDIS_URL) is shared. */
  readonly prefix: string;
}

/**
 * A Redis for one test file, stopped after it. Call it at the file's top level. To kill one, use `startRedisServer`.
 */
export async function freshRedis(): Promise<FreshRedis> {
  const prefix = `t${randomBytes(6).toString('hex')}`;
  const shared = await askForService('redis');
  if (shared !== null) return { url: shared, prefix };
  const server = await startRedisServer();
  afterAll(() => server.stop());
  return { url: server.url, prefix };
}
