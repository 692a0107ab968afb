import { ConfigFault, sleep } from '@tickrate/platform';
import { PostgresStore } from './postgres-store.ts';
import { parseQueueUrl, queueNames } from './queue-address.ts';
import type { QueueStore, StoreRole } from './queue-store.ts';
import { readRedisFacts } from './redis-facts.ts';
import { RedisStore } from './redis-store.ts';

export interface StoresOptions {
  /** One `redis://` or `postgres://` URL, or several separated by commas. */
  readonly queueUrl: string;
  readonly shards: number;
  /** The prefix of the queues' names. */
  readonly queue?: string;
  readonly timeoutMs?: number;
  readonly limitBytes?: number | null;
  /** Receives faults that no caller awaits. It must not throw. */
  readonly onFault?: (fault: unknown) => void;
}

export function createStores(options: StoresOptions, role: StoreRole): QueueStore[] {
  const names = queueNames(options.queue ?? 'events', options.shards);
  return parseQueueUrl(options.queueUrl).map(({ kind, url, label }) => {
    const storeOptions = {
      url,
      label,
      queueNames: names,
      role,
      timeoutMs: options.timeoutMs ?? 2_000,
      limitBytes: options.limitBytes ?? null,
      onFault: options.onFault ?? (() => undefined),
    };
    return kind === 'redis' ? new RedisStore(storeOptions) : new PostgresStore(storeOptions);
  });
}

/**
 * Opens a store and tries again until it succeeds or `signal` is aborted. Rejects with a ConfigFault if the address can
 * never be used. The owner must not catch that, so that it ends the process.
 */
export async function keepOpening(
  store: QueueStore,
  signal: AbortSignal,
  onFault: (fault: unknown) => void,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await store.open();
      return;
    } catch (fault) {
      if (fault instanceof ConfigFault) throw fault;
      onFault(fault);
    }
    await sleep(500, signal);
  }
}

const redisTimeoutMs = 5_000;

/**
 * Migrates the tables of each queue in Postgres. Redis has none, and may be away. Safe to repeat. Rejects with a ConfigFault
 * for a Redis that is not supported.
 */
export async function migrateQueue(queueUrl: string): Promise<void> {
  for (const { kind, url } of parseQueueUrl(queueUrl)) {
    if (kind === 'redis') {
      await readRedisFacts(url, redisTimeoutMs).catch((fault: unknown) => {
        if (fault instanceof ConfigFault) throw fault;
      });
      continue;
    }
    const stores = createStores({ queueUrl: url, shards: 1, timeoutMs: 30_000 }, 'producer');
    try {
      await Promise.all(stores.map((store) => store.open()));
    } finally {
      await Promise.allSettled(stores.map((store) => store.close()));
    }
  }
}
