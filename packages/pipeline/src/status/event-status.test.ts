import { createMetrics } from '@tickrate/platform';
import { expect, test } from 'vitest';
import { sumQueues } from '../queue/stores/queue-store.ts';
import { createEventStatus, type EventStatusOptions } from './event-status.ts';
import { addEventStatusGauges } from './event-status-gauges.ts';

const empty = { depth: 0, oldestMs: null };
const accountOf = (accepted: number, missing: number | null) => ({
  accepted,
  stored: accepted - 3,
  pending: 1,
  deduplicated: 1,
  dead: 1,
  missing,
});
const level = { usedBytes: 10, limitBytes: 100, ...sumQueues([{ depth: 2, oldestMs: 5_000 }, empty]) };
const warehouse = {
  parts: 9,
  partsOfFullestPartition: 7,
  rows: 1,
  bytes: 11,
  diskFreeBytes: 12,
  diskTotalBytes: 13,
};

function open(changes: Partial<EventStatusOptions> = {}) {
  const reported = { missing: [] as ReadonlyMap<string, number>[], faults: [] as string[] };
  const status = createEventStatus({
    accounts: async () => new Map([['p-a', accountOf(10, 0)]]),
    levels: async () => [level],
    warehouse: async () => warehouse,
    sleep: async () => undefined,
    now: () => 65_000,
    onMissing: (missing) => reported.missing.push(missing),
    onFault: (source) => reported.faults.push(source),
    ...changes,
  });
  const metrics = createMetrics();
  addEventStatusGauges(metrics, () => status.latest);
  const value = async (name: string) =>
    new RegExp(`^${RegExp.escape(name)} (.*)$`, 'm').exec(await metrics.text())?.[1] ?? 'absent';
  return { status, reported, value };
}

test('the numbers of all projects, of the queue and of ClickHouse are reported together', async () => {
  const accounts = new Map([
    ['p-a', accountOf(10, 0)],
    ['p-b', accountOf(20, 0)],
  ]);
  const { status, reported, value } = open({
    accounts: async () => accounts,
    levels: async () => [level, { ...level, ...sumQueues([empty, { depth: 4, oldestMs: 60_000 }]) }],
  });
  await status.read();
  expect(await value('tickrate_events_accepted')).toBe('30');
  expect(await value('tickrate_events_stored')).toBe('24');
  expect(await value('tickrate_events_missing')).toBe('0');
  expect(await value('tickrate_queue_bytes')).toBe('20');
  expect(await value('tickrate_queue_chunks{lane="bulk",shard="0"}')).toBe('2');
  expect(await value('tickrate_queue_chunks{lane="express",shard="1"}')).toBe('4');
  expect(await value('tickrate_queue_oldest_seconds{lane="bulk",shard="0"}')).toBe('60');
  expect(await value('tickrate_queue_oldest_seconds{lane="express",shard="1"}')).toBe('5');
  expect(await value('tickrate_clickhouse_parts')).toBe('7');
  expect(reported).toEqual({ missing: [], faults: [] });
});

test('an empty queue has no oldest event', async () => {
  const { status, value } = open({ levels: async () => [{ ...level, ...sumQueues([empty, empty]) }] });
  await status.read();
  expect(await value('tickrate_queue_oldest_seconds{lane="express",shard="0"}')).toBe('0');
});

test('missing events are reported with their projects', async () => {
  const accounts = new Map([
    ['p-a', accountOf(10, 4)],
    ['p-b', accountOf(20, 0)],
  ]);
  const { status, reported, value } = open({ accounts: async () => accounts });
  await status.read();
  expect(await value('tickrate_events_missing')).toBe('4');
  expect(reported.missing).toEqual([new Map([['p-a', 4]])]);
});

test('numbers that cannot be read are unknown, and the others are still read', async () => {
  const { status, reported, value } = open();
  expect(await value('tickrate_events_stored')).toBe('Nan');
  await status.read();
  expect(await value('tickrate_events_stored')).toBe('7');

  const away = () => Promise.reject(new Error('away'));
  const other = open({ accounts: away, warehouse: away });
  await other.status.read();
  expect(await other.value('tickrate_events_stored')).toBe('Nan');
  expect(await other.value('tickrate_clickhouse_parts')).toBe('Nan');
  expect(await other.value('tickrate_queue_chunks{lane="bulk",shard="0"}')).toBe('2');
  expect(other.reported.faults).toEqual(['ledger', 'clickhouse']);
  expect(reported.faults).toEqual([]);
});

test('with a queue too long to be read, the missing number is unknown', async () => {
  const accounts = new Map([
    ['p-a', accountOf(10, null)],
    ['p-b', accountOf(20, 4)],
  ]);
  const { status, value } = open({ accounts: async () => accounts });
  await status.read();
  expect(await value('tickrate_events_missing')).toBe('Nan');
});

test('the queue is read in each round, and the accounts in every third', async () => {
  let accounts = 0;
  let levels = 0;
  const { status, value } = open({
    accounts: async () => new Map([['p-a', accountOf(++accounts * 10, 0)]]),
    levels: async () => [{ ...level, usedBytes: ++levels }],
  });
  for (let round = 1; round <= 3; round++) await status.read();
  expect([await value('tickrate_events_accepted'), await value('tickrate_queue_bytes')]).toEqual(['10', '3']);
  await status.read();
  expect(await value('tickrate_events_accepted')).toBe('20');
});
