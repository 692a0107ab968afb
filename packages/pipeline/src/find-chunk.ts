import { type Chunk, decodeChunkJob } from './chunk.ts';
import type { QueueStore } from './queue-store.ts';
import { homeOf } from './shard.ts';

/** Looks at the chunk's home first; when its store was away, the chunk was added to another one. */
export async function findChunk(stores: readonly QueueStore[], id: string): Promise<Chunk | null> {
  const shards = stores[0]?.queueNames.length ?? 1;
  const home = homeOf(id, stores.length, shards);
  const places = stores.flatMap((store, storeIndex) =>
    store.queueNames.map((queueName, shard) => ({
      store,
      queueName,
      isHome: storeIndex === home.store && shard === home.shard,
    })),
  );
  places.sort((a, b) => Number(b.isHome) - Number(a.isHome));
  for (const { store, queueName } of places) {
    const job = await store.job(queueName, id);
    if (job === null) continue;
    const decoded = decodeChunkJob(id, job.name, job.data);
    return decoded.ok ? decoded.chunk : null;
  }
  return null;
}
