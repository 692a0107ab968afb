/**
 * Every shard has two queues. Projects that send much use `bulk`. The events of other projects use `express` and do not wait
 * for them. The lane only affects speed: both are consumed, and the ledger identifies chunks by their ids.
 */
export type Lane = 'bulk' | 'express';

export const lanes: readonly Lane[] = ['bulk', 'express'];

/** The place of a queue in the list of a store's queues. */
export function placeOf(lane: Lane, shard: number, shards: number): number {
  return lanes.indexOf(lane) * shards + shard;
}

export function laneAt(place: number, shards: number): Lane {
  return lanes[Math.floor(place / shards)] ?? 'bulk';
}

/**
 * The home of a chunk. Chunks are spread evenly over all shards of all stores, and every process finds the same home.
 */
export function homeOf(chunkId: string, stores: number, shards: number): { store: number; shard: number } {
  const place = Number.parseInt(chunkId.slice(-8), 16) % (stores * shards);
  return { store: Math.floor(place / shards), shard: place % shards };
}
