import { closedObject, defineOperation, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { count, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';

const seconds = Type.Number({ minimum: 0 });

const attentionKinds = [
  'noEvents',
  'eventsMissing',
  'deadLetters',
  'rejectedEvents',
  'insertsDelayed',
  'viewFault',
  'queueUnavailable',
  'warehouseUnavailable',
  'diskFull',
  'queueFull',
] as const;

const attention = closedObject({
  kind: Type.Enum([...attentionKinds]),
  severity: Type.Enum(['info', 'warning', 'alarm']),
  count: orNull(
    Type.Integer({ minimum: 0, description: 'How many events or seconds; null if it is not a number' }),
  ),
  target: closedObject(
    {
      page: Type.Enum(['eventTypes', 'firstEvent', 'pipeline', 'quarantine']),
      kind: Type.Optional(Type.Enum(['dead', 'rejected'])),
      type: Type.Optional(orNull(Type.String())),
      reason: Type.Optional(Type.String()),
    },
    { description: 'The page that mends it, and what it filters by' },
  ),
});

export const mostOverviewHours = 24;

export const getOverview = defineOperation({
  id: 'getOverview',
  method: 'GET',
  path: '/v1/overview',
  tag: 'Pipeline',
  summary: 'Read the state of the project at a glance',
  description:
    'The last `hours` and the proof that no event is lost: accepted = stored + deduplicated + dead + pending. Answers are up to two ' +
    'seconds old, and older where counting takes long. Contains no personal data. `activity` counts stored events; it is null ' +
    'while ClickHouse is not available. `missing` is null while the queue is too long to read or not available.',
  keys: managers,
  scope: 'pipeline:read',
  query: closedObject({
    hours: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: mostOverviewHours,
        default: 1,
        description: 'For `activity`, `signIns` and `rejections`',
      }),
    ),
    by: Type.Optional(
      Type.Enum(['occurred', 'received'], {
        default: 'occurred',
        description:
          'Which time of the events `activity` counts: when they happened, so imported ones are in the past, or when they arrived',
      }),
    ),
  }),
  answer: closedObject({
    at: time,
    addresses: closedObject(
      { gateway: orNull(Type.String()), auth: orNull(Type.String()) },
      {
        description: 'Where games send events and sign players in; null if it is not configured',
      },
    ),
    events: closedObject({
      accepted: count,
      stored: count,
      deduplicated: count,
      dead: count,
      pending: count,
      missing: orNull(count),
    }),
    usage: closedObject({ today: count, thisMonth: count }),
    activity: orNull(
      closedObject({
        from: Type.String({ format: 'date-time', description: 'The start of the first bucket' }),
        bucketSeconds: Type.Integer({ minimum: 1, description: 'The length of a bucket: 60 or 600' }),
        types: Type.Array(
          closedObject({
            type: orNull(Type.String({ description: 'Null for all other types together' })),
            events: count,
            perBucket: Type.Array(count, {
              description: 'By bucket from `from`; the first and the last one are not counted whole',
            }),
          }),
        ),
        players: Type.Integer({
          minimum: 0,
          description: 'Distinct accounts with an event in this time',
        }),
        sessions: count,
      }),
    ),
    signIns: closedObject({ completed: count, refused: count }, { description: 'Of players' }),
    rejections: closedObject({
      events: Type.Integer({ minimum: 0, description: 'To ten minutes' }),
      share: Type.Number({ minimum: 0, maximum: 1, description: 'Of all events that were sent' }),
    }),
    delivery: closedObject(
      {
        eventsPerSecond: seconds,
        meanSeconds: orNull(seconds),
        p99Seconds: orNull(seconds),
        oldestOpenSeconds: orNull(seconds),
      },
      { description: 'Inserts of the last minute, from the queue to ClickHouse' },
    ),
    attention: Type.Array(attention, { description: 'The most severe first' }),
  }),
  examples: [
    {
      name: 'a new project',
      answer: {
        at: '2026-11-21T09:00:30.000Z',
        addresses: { gateway: null, auth: null },
        events: { accepted: 0, stored: 0, deduplicated: 0, dead: 0, pending: 0, missing: 0 },
        usage: { today: 0, thisMonth: 0 },
        activity: { from: '2026-11-21T08:01:00.000Z', bucketSeconds: 60, types: [], players: 0, sessions: 0 },
        signIns: { completed: 0, refused: 0 },
        rejections: { events: 0, share: 0 },
        delivery: { eventsPerSecond: 0, meanSeconds: null, p99Seconds: null, oldestOpenSeconds: null },
        attention: [{ kind: 'noEvents', severity: 'info', count: null, target: { page: 'firstEvent' } }],
      },
    },
  ],
});
