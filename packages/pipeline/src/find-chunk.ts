import { type Chunk, decodeChunkJob } from './chunk.ts';
import { lanes } from './lane.ts';
import type { QueueStore } from './queue-store.ts';
import { homeOf } from './shard.ts';

/** Looks at the chunk's home first; when its store was away, the chunk was added to another one. */
export async function findChunk(stores: readonly QueueStore[], id: string): Promise<Chunk | null> {
  const shards = (stores[0]?.queueNames.length ?? lanes.length) / lanes.length;
  const home = homeOf(id, stores.length, shards);
  const places = stores.flatMap((store, storeIndex) =>
    store.queueNames.map((queueName, place) => ({
      store,
      queueName,
      isHome: storeIndex === home.store && place % shards === home.shard,
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
