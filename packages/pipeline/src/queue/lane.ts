/**
 * Every shard has two queues. Whoever sends much uses `bulk`; the events of the others wait behind none of that in `express`.
 * Which one a chunk takes is a matter of speed alone: each is consumed, and the ledger knows chunks by their ids.
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
