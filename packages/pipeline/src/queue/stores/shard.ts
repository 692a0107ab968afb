/** Where a chunk belongs: even over all shards of all stores, and the same on every process. */
export function homeOf(chunkId: string, stores: number, shards: number): { store: number; shard: number } {
  const place = Number.parseInt(chunkId.slice(-8), 16) % (stores * shards);
  return { store: Math.floor(place / shards), shard: place % shards };
}
