import { defineOperation } from '@tickrate/contract';
import {
  type InsertPace,
  type Ledger,
  paceSeconds,
  type QueueMonitor,
  readAccounts,
} from '@tickrate/pipeline';
import type { Warehouse } from '@tickrate/warehouse';
import Type from 'typebox';
import { closed, orNull } from './fields.ts';
import { type ManagedRoute, managed, managers } from './managed.ts';
import { within } from './within.ts';

const count = Type.Integer({ minimum: 0 });
const seconds = Type.Number({ minimum: 0 });

const getPipelineStatus = defineOperation({
  id: 'getPipelineStatus',
  method: 'GET',
  path: '/v1/pipeline',
  tag: 'Pipeline',
  summary: 'See where the events of the project are',
  description:
    'accepted = stored + pending + deduplicated + dead, always. `missing` is what is in none of these places: anything but 0 is ' +
    'an alarm, and null while the queue is too deep to be read. What the queue and the warehouse hold is of all projects.',
  keys: managers,
  scope: 'pipeline:read',
  answer: Type.Object(
    {
      events: Type.Object(
        {
          ...{ accepted: count, stored: count, pending: count, deduplicated: count, dead: count },
          missing: orNull(count),
        },
        closed,
      ),
      usage: Type.Object(
        { today: count, thisMonth: count },
        { ...closed, description: 'Accepted events, in UTC' },
      ),
      queue: Type.Array(
        Type.Object(
          { chunks: count, oldestSeconds: orNull(seconds), usedBytes: count, limitBytes: count },
          closed,
        ),
      ),
      inserts: Type.Object(
        {
          ...{
            eventsPerSecond: Type.Number({ minimum: 0 }),
            ofProjectPerSecond: Type.Number({ minimum: 0 }),
          },
          ...{ inserts: count, meanSeconds: orNull(seconds), p99Seconds: orNull(seconds) },
          ...{ openInserts: count, oldestOpenSeconds: orNull(seconds) },
        },
        {
          ...closed,
          description:
            'Of the last minute, by all workers: events stored a second, how many inserts that took, and how long they took with all ' +
            'their repeats. Open is what is fixed and not stored',
        },
      ),
      warehouse: orNull(
        Type.Object(
          {
            ...{ rows: count, bytes: count, parts: count, partsOfFullestPartition: count },
            ...{ diskFreeBytes: count, diskTotalBytes: count },
          },
          { ...closed, description: 'Null while ClickHouse does not answer' },
        ),
      ),
    },
    closed,
  ),
  examples: [
    {
      name: 'of a new project',
      answer: {
        events: { accepted: 0, stored: 0, pending: 0, deduplicated: 0, dead: 0, missing: 0 },
        usage: { today: 0, thisMonth: 0 },
        queue: [{ chunks: 0, oldestSeconds: null, usedBytes: 8_192, limitBytes: 2_147_483_648 }],
        inserts: {
          ...{
            eventsPerSecond: 0,
            ofProjectPerSecond: 0,
            inserts: 0,
            meanSeconds: null,
            p99Seconds: null,
          },
          ...{ openInserts: 0, oldestOpenSeconds: null },
        },
        warehouse: {
          ...{ rows: 1, bytes: 2_048, parts: 1, partsOfFullestPartition: 1 },
          ...{ diskFreeBytes: 50_000_000_000, diskTotalBytes: 100_000_000_000 },
        },
      },
    },
  ],
});

export interface PipelineDeps {
  readonly ledger: Pick<Ledger, 'accepted' | 'totals' | 'usage' | 'pace'>;
  readonly monitor: Pick<QueueMonitor, 'levels' | 'pending'>;
  readonly warehouse: Pick<Warehouse, 'status'>;
  readonly now: () => number;
  /** Told why a part of the answer is missing. */
  readonly onFault: (error: unknown) => void;
}

const timeoutMs = 5_000;
const nothing = { accepted: 0, stored: 0, pending: 0, deduplicated: 0, dead: 0, missing: 0 };

export function createPipelineRoutes(deps: PipelineDeps): ManagedRoute[] {
  const { ledger, monitor, warehouse, now, onFault } = deps;
  return [
    managed(getPipelineStatus, async ({ caller: { projectId } }) => {
      const [accounts, usage, levels, pace, stored] = await within(
        timeoutMs,
        Promise.all([
          readAccounts({ ledger, pending: () => monitor.pending() }),
          ledger.usage([projectId]),
          monitor.levels(),
          ledger.pace(projectId),
          warehouse.status().catch((error: unknown) => {
            onFault(error);
            return null;
          }),
        ]),
      );
      const { today = 0, thisMonth = 0 } = usage.get(projectId) ?? {};
      return {
        events: accounts.get(projectId) ?? nothing,
        usage: { today, thisMonth },
        queue: levels.map(({ depth, oldestMs, usedBytes, limitBytes }) => ({
          chunks: depth,
          oldestSeconds: oldestMs === null ? null : Math.max(0, (now() - oldestMs) / 1_000),
          usedBytes,
          limitBytes,
        })),
        inserts: showPace(pace),
        warehouse: stored && { ...stored },
      };
    }),
  ];
}

function showPace({ events, ofProject, ...pace }: InsertPace) {
  return { eventsPerSecond: events / paceSeconds, ofProjectPerSecond: ofProject / paceSeconds, ...pace };
}
