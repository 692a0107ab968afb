import { defineOperation } from '@tickrate/contract';
import Type from 'typebox';
import { closed, orNull, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';

const count = Type.Integer({ minimum: 0 });
const seconds = Type.Number({ minimum: 0 });

export const attentionKinds = [
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

const attention = Type.Object(
  {
    kind: Type.Enum([...attentionKinds]),
    severity: Type.Enum(['info', 'warning', 'alarm']),
    count: orNull(
      Type.Integer({ minimum: 0, description: 'How many events or seconds; null if it is not a number' }),
    ),
    target: Type.Object(
      {
        page: Type.Enum(['eventTypes', 'firstEvent', 'pipeline', 'quarantine']),
        kind: Type.Optional(Type.Enum(['dead', 'rejected'])),
        type: Type.Optional(orNull(Type.String())),
        reason: Type.Optional(Type.String()),
      },
      { ...closed, description: 'The page that mends it, and what it filters by' },
    ),
  },
  closed,
);

export const mostOverviewHours = 24;

export const getOverview = defineOperation({
  id: 'getOverview',
  method: 'GET',
  path: '/v1/overview',
  tag: 'Pipeline',
  summary: 'Read the state of the project at a glance',
  description:
    'The last `hours` and the proof that no event is lost: accepted = stored + deduplicated + dead + pending. Answers are up to two ' +
    'seconds old, and older where counting takes long. Contains no personal data. `activity` counts stored events by the time ' +
    'they happened, so imported ones are in the past; it is null while ClickHouse is not available. `missing` is null while the queue ' +
    'is too long to read or not available.',
  keys: managers,
  scope: 'pipeline:read',
  query: Type.Object(
    {
      hours: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: mostOverviewHours,
          default: 1,
          description: 'For `activity`, `signIns` and `rejections`',
        }),
      ),
    },
    closed,
  ),
  answer: Type.Object(
    {
      at: time,
      addresses: Type.Object(
        { gateway: orNull(Type.String()), auth: orNull(Type.String()) },
        {
          ...closed,
          description: 'Where games send events and sign players in; null if it is not configured',
        },
      ),
      events: Type.Object(
        {
          accepted: count,
          stored: count,
          deduplicated: count,
          dead: count,
          pending: count,
          missing: orNull(count),
        },
        closed,
      ),
      usage: Type.Object({ today: count, thisMonth: count }, closed),
      activity: orNull(
        Type.Object(
          {
            from: Type.String({ format: 'date-time', description: 'The start of the first bucket' }),
            bucketSeconds: Type.Integer({ minimum: 1, description: 'The length of a bucket: 60 or 600' }),
            types: Type.Array(
              Type.Object(
                {
                  type: orNull(Type.String({ description: 'Null for all other types together' })),
                  events: count,
                  perBucket: Type.Array(count, {
                    description: 'By bucket from `from`; the last one is not over',
                  }),
                },
                closed,
              ),
            ),
            players: Type.Integer({
              minimum: 0,
              description: 'Distinct accounts with an event in this time',
            }),
            sessions: count,
          },
          closed,
        ),
      ),
      signIns: Type.Object({ completed: count, refused: count }, { ...closed, description: 'Of players' }),
      rejections: Type.Object(
        {
          events: Type.Integer({ minimum: 0, description: 'To ten minutes' }),
          share: Type.Number({ minimum: 0, maximum: 1, description: 'Of all events that were sent' }),
        },
        closed,
      ),
      delivery: Type.Object(
        {
          eventsPerSecond: seconds,
          meanSeconds: orNull(seconds),
          p99Seconds: orNull(seconds),
          oldestOpenSeconds: orNull(seconds),
        },
        { ...closed, description: 'Inserts of the last minute, from the queue to ClickHouse' },
      ),
      attention: Type.Array(attention, { description: 'The most severe first' }),
    },
    closed,
  ),
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
