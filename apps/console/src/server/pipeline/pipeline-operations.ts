import { closedObject, operationsOf, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { count, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';

const seconds = Type.Number({ minimum: 0 });

function insertsSchema(description: string) {
  return closedObject(
    {
      eventsPerSecond: seconds,
      inserts: count,
      meanSeconds: orNull(seconds),
      p99Seconds: orNull(seconds),
      openInserts: count,
      oldestOpenSeconds: orNull(seconds),
    },
    { description },
  );
}

const queueSchema = Type.Array(
  closedObject({ chunks: count, oldestSeconds: orNull(seconds), usedBytes: count, limitBytes: count }),
  { description: 'Each Redis or PostgreSQL of the queue; null while one of them is not available' },
);

const warehouseSchema = closedObject(
  {
    rows: count,
    bytes: count,
    parts: count,
    partsOfFullestPartition: count,
    diskFreeBytes: count,
    diskTotalBytes: count,
  },
  { description: 'Null while ClickHouse is not available' },
);

const workerSchema = closedObject({
  name: Type.String({ description: 'Host and process' }),
  started: time,
  eventsPerSecond: Type.Number({ minimum: 0, description: 'Stored in the last seconds' }),
  memoryBytes: count,
  seen: time,
});

const none = {
  eventsPerSecond: 0,
  inserts: 0,
  meanSeconds: null,
  p99Seconds: null,
  openInserts: 0,
  oldestOpenSeconds: null,
};
const ofNewProject = {
  events: { accepted: 0, stored: 0, pending: 0, deduplicated: 0, dead: 0, missing: 0 },
  usage: { today: 0, thisMonth: 0 },
  viewFaults: 0,
  inserts: none,
};

export const pipelineSampleSchema = closedObject({
  at: time,
  queue: orNull(queueSchema),
  inserts: insertsSchema('The minute before'),
  warehouse: orNull(warehouseSchema),
});

export const pipelineOperations = operationsOf({ tag: 'Pipeline', keys: managers, scope: 'pipeline:read' })({
  getPipelineStatus: {
    method: 'GET',
    path: '/v1/pipeline',
    summary: 'Read the state of accepted events',
    description:
      'accepted = stored + pending + deduplicated + dead, always. `missing` counts accepted events that are in none of these states. Any value except 0 is ' +
      'an alarm; it is null while the queue is too long to read or not available. Only the owner of the installation sees figures of all projects.',
    answer: closedObject({
      events: closedObject({
        accepted: count,
        stored: count,
        pending: count,
        deduplicated: count,
        dead: count,
        missing: orNull(count),
      }),
      usage: closedObject({ today: count, thisMonth: count }, { description: 'Accepted events, in UTC' }),
      viewFaults: Type.Integer({
        minimum: 0,
        description:
          'Event types of the project whose view ClickHouse rejected. The event type has the reason as `viewFault`',
      }),
      inserts: insertsSchema(
        'Inserts of all workers in the last minute with events of the project: the stored events per second, ' +
          'the number of inserts, and their duration including retries. Open inserts have a fixed content and are not stored yet',
      ),
      installation: orNull(
        closedObject(
          {
            queue: orNull(queueSchema),
            inserts: insertsSchema('The same, for all projects'),
            warehouse: orNull(warehouseSchema),
            workers: Type.Array(workerSchema, {
              maxItems: 200,
              description: 'Those that reported in the last 15 minutes; each reports every five seconds',
            }),
          },
          {
            description: 'All projects; null except for a session of the owner of the installation',
          },
        ),
      ),
    }),
    examples: [
      { name: 'a new project', answer: { ...ofNewProject, installation: null } },
      {
        name: 'for the owner of the installation',
        answer: {
          ...ofNewProject,
          installation: {
            queue: [{ chunks: 0, oldestSeconds: null, usedBytes: 8_192, limitBytes: 2_147_483_648 }],
            inserts: none,
            warehouse: {
              rows: 1,
              bytes: 2_048,
              parts: 1,
              partsOfFullestPartition: 1,
              diskFreeBytes: 50_000_000_000,
              diskTotalBytes: 100_000_000_000,
            },
            workers: [
              {
                name: 'worker-1:4711',
                started: '2026-11-21T08:00:00.000Z',
                eventsPerSecond: 41.5,
                memoryBytes: 180_000_000,
                seen: '2026-11-21T09:00:00.000Z',
              },
            ],
          },
        },
      },
    ],
  },
  getPipelineHistory: {
    method: 'GET',
    path: '/v1/pipeline/history',
    summary: 'Read the last hours of the pipeline',
    description:
      'Inserts with events of the project by `bucketSeconds`, without empty buckets. Only the owner of the installation sees ' +
      '`installation`: a sample of each minute.',
    query: closedObject({ hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, default: 1 })) }),
    answer: closedObject({
      bucketSeconds: count,
      inserts: Type.Array(
        closedObject({ at: time, events: count, inserts: count, meanSeconds: Type.Number({ minimum: 0 }) }),
      ),
      installation: orNull(Type.Array(pipelineSampleSchema)),
    }),
    examples: [{ name: 'an hour', answer: { bucketSeconds: 60, inserts: [], installation: null } }],
  },
});
