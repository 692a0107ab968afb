import type { Redis } from 'ioredis';
import { splitNames } from '../chunks/parcel.ts';
import { groupPending } from '../pending/group-pending.ts';
import { type PendingChunks, type QueueLevel, type StoreLevel, sumQueues } from './queue-store.ts';

const page = 2_000;

/** Reads the memory and the ends of the queues, with a few O(1) commands for any length. */
export async function readRedisLevel(
  client: Redis,
  queueNames: readonly string[],
  limitBytes: number | null,
): Promise<StoreLevel> {
  const [memory, ...queues] = await Promise.all([
    client.info('memory'),
    ...queueNames.map((name) => readQueueEnds(client, name)),
  ]);
  return {
    usedBytes: infoNumber(memory, 'used_memory'),
    limitBytes: memoryLimit(memory, limitBytes),
    ...sumQueues(queues),
  };
}

/**
 * Jobs move from the right end of the waiting list to the active list. So the waiting list is read first, from its left
 * end: a job may be read twice, but is never missed.
 */
export async function readRedisPending(
  client: Redis,
  queueNames: readonly string[],
  limit: number,
): Promise<PendingChunks> {
  const names: string[] = [];
  let read = 0;
  for (const queueName of queueNames) {
    const pending = await readPendingIds(client, queueName, limit - read);
    for (const ids of slices([...pending.ids])) {
      for (const name of await readNames(client, queueName, ids)) names.push(...splitNames(name));
    }
    read += pending.ids.size;
    if (!pending.complete) return { ...groupPending(names), complete: false };
  }
  return { ...groupPending(names), complete: true };
}

/** BullMQ sorts delayed jobs by their time in milliseconds, times 4,096. */
export function readDelayedBeyond(client: Redis, queueName: string, latestMs: number): Promise<string[]> {
  return client.zrange(`bull:${queueName}:delayed`, latestMs * 0x1000, '+inf', 'BYSCORE', 'LIMIT', 0, page);
}

async function readPendingIds(client: Redis, queueName: string, limit: number) {
  const key = (part: string) => `bull:${queueName}:${part}`;
  const ids = new Set<string>();
  for (let start = 0; ; start += page) {
    const found = await client.lrange(key('wait'), start, start + page - 1);
    for (const id of found) ids.add(id);
    if (ids.size > limit) return { ids, complete: false };
    if (found.length < page) break;
  }
  const rest = await Promise.all([
    client.lrange(key('active'), 0, page - 1),
    client.zrange(key('delayed'), '0', `${page - 1}`),
    client.zrange(key('failed'), '0', `${page - 1}`),
  ]);
  for (const id of rest.flat()) ids.add(id);
  return { ids, complete: rest.every((found) => found.length < page) };
}

async function readNames(client: Redis, queueName: string, ids: readonly string[]): Promise<string[]> {
  const pipeline = client.pipeline();
  for (const id of ids) pipeline.hget(`bull:${queueName}:${id}`, 'name');
  const replies = (await pipeline.exec()) ?? [];
  return replies.map(([, name]) => name).filter((name) => typeof name === 'string');
}

async function readQueueEnds(client: Redis, queueName: string): Promise<QueueLevel> {
  const key = (part: string) => `bull:${queueName}:${part}`;
  const [waiting, active, delayed, ...oldestIds] = await Promise.all([
    client.llen(key('wait')),
    client.llen(key('active')),
    client.zcard(key('delayed')),
    client.lindex(key('wait'), -1),
    client.lindex(key('active'), -1),
    client.zrange(key('delayed'), '0', '0').then((ids) => ids[0] ?? null),
  ]);
  const times = await Promise.all(
    oldestIds.filter((id) => id !== null).map((id) => client.hget(key(id), 'timestamp')),
  );
  const known = times.filter((time) => time !== null).map(Number);
  return { depth: waiting + active + delayed, oldestMs: known.length === 0 ? null : Math.min(...known) };
}

/** Without `maxmemory`, the memory of the machine is the only bound. A limit must be known to refuse chunks in time. */
function memoryLimit(memory: string, limitBytes: number | null): number {
  const maxmemory = infoNumber(memory, 'maxmemory');
  const bound = maxmemory === 0 ? infoNumber(memory, 'total_system_memory') * 0.75 : maxmemory;
  return limitBytes === null ? bound : Math.min(limitBytes, bound);
}

function infoNumber(info: string, field: string): number {
  return Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}

function slices<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / page) }, (_, index) =>
    items.slice(index * page, (index + 1) * page),
  );
}
