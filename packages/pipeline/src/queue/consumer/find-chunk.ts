import type { Chunk } from '../chunks/chunk.ts';
import { decodeParcel, parcelIdOf } from '../chunks/parcel.ts';
import { homeOf, lanes } from '../stores/lane.ts';
import type { QueueStore } from '../stores/queue-store.ts';

/**
 * Finds a chunk that is alone in a job or shares one. Reads the home of the chunk first, then the other stores: if its
 * home was away, it was added to another one.
 */
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
    const job = (await store.job(queueName, id)) ?? (await store.job(queueName, parcelIdOf(id)));
    if (job === null) continue;
    const { chunks } = decodeParcel(job.id ?? id, job.name, job.data);
    return chunks.find((chunk) => chunk.id === id) ?? null;
  }
  return null;
}
