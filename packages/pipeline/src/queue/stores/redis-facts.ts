import { ConfigFault } from '@tickrate/platform';
import { Redis } from 'ioredis';
import { parseQueueUrl } from './queue-address.ts';

/** The settings and the state of a Redis with queues, for operators. */
export interface RedisFacts {
  /** Host and port. */
  readonly label: string;
  readonly version: string;
  readonly clockMs: number;
  readonly mostMemoryBytes: number;
  /** The code of the error with which it refuses every write: OOM, READONLY, MISCONF, NOREPLICAS. Null if it writes, or is too old to say. */
  readonly refusal: string | null;
  /** Null if the server does not allow clients to read its settings, as many managed servers. */
  readonly settings: {
    readonly appendonly: string;
    readonly appendfsync: string;
    readonly evictionPolicy: string;
  } | null;
}

/**
 * Queries each Redis of `QUEUE_URL` once. Returns nothing if the queue is not on Redis. Rejects if one does not answer, and
 * with a ConfigFault if one is not supported.
 */
export function readRedisFacts(queueUrl: string, timeoutMs: number): Promise<RedisFacts[]> {
  const stores = parseQueueUrl(queueUrl).filter(({ kind }) => kind === 'redis');
  return Promise.all(stores.map(({ url, label }) => readFacts(url, label, timeoutMs)));
}

async function readFacts(url: string, label: string, timeoutMs: number): Promise<RedisFacts> {
  const client = new Redis(url, {
    lazyConnect: true,
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
  });
  // The rejected call reports the error.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const info = await client.info();
    refuseMode(info, label);
    const [seconds, micros] = await client.time();
    return {
      label,
      version: field(info, 'redis_version'),
      clockMs: Number(seconds) * 1_000 + Number(micros) / 1_000,
      mostMemoryBytes: Number(field(info, 'maxmemory')),
      refusal: await findRefusal(client),
      settings: await readSettings(client),
    };
  } finally {
    client.disconnect();
  }
}

/** The keys of a queue must be in one place, and a Sentinel has none. Throws a ConfigFault. */
export function refuseMode(info: string, label: string): void {
  const mode = field(info, 'redis_mode') || 'standalone';
  if (mode === 'standalone') return;
  const kind = mode === 'cluster' ? 'a node of a Redis Cluster' : 'a Redis Sentinel';
  const fault = `names ${label}, ${kind}; supported are single Redis, separated by commas; Redis Sentinel and Redis Cluster are not`;
  throw new ConfigFault([{ name: 'QUEUE_URL', fault }]);
}

/** Redis checks whether it may write before it runs a script. This one writes nothing. */
async function findRefusal(client: Redis): Promise<string | null> {
  try {
    await client.eval('#!lua\nreturn 1', 0);
    return null;
  } catch (error) {
    const code = error instanceof Error ? (error.message.split(' ', 1)[0] ?? '') : '';
    return ['OOM', 'READONLY', 'MISCONF', 'NOREPLICAS'].includes(code) ? code : null;
  }
}

async function readSettings(client: Redis): Promise<RedisFacts['settings']> {
  try {
    const named = async (name: string) => String(((await client.config('GET', name)) as string[])[1] ?? '');
    const [appendonly, appendfsync, evictionPolicy] = await Promise.all(
      ['appendonly', 'appendfsync', 'maxmemory-policy'].map(named),
    );
    if (!appendonly || !appendfsync || !evictionPolicy) return null;
    return { appendonly, appendfsync, evictionPolicy };
  } catch {
    return null;
  }
}

function field(info: string, name: string): string {
  return new RegExp(`^${name}:(.*?)\\r?$`, 'm').exec(info)?.[1] ?? '';
}
