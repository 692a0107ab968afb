import { createStores } from './open-stores.ts';
import { parseQueueUrl } from './queue-address.ts';

/** Brings the queue's tables up to date wherever it is kept in Postgres; Redis has none. Safe to call again. */
export async function migrateQueue(queueUrl: string): Promise<void> {
  for (const { kind, url } of parseQueueUrl(queueUrl)) {
    if (kind !== 'postgres') continue;
    const stores = createStores({ queueUrl: url, shards: 1, timeoutMs: 30_000 }, 'producer');
    try {
      await Promise.all(stores.map((store) => store.open()));
    } finally {
      await Promise.allSettled(stores.map((store) => store.close()));
    }
  }
}
