import { closedObject, defineOperation, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';

export const bucketLengths = { '10minutes': 600, hour: 3_600, day: 86_400 } as const;
export type BucketLength = keyof typeof bucketLengths;

export const countQuarantinedOverTime = defineOperation({
  id: 'countQuarantinedOverTime',
  method: 'GET',
  path: '/v1/quarantine/history',
  tag: 'Quarantine',
  summary: 'Count rejected events and dead letters over time, by type and reason',
  description:
    'Also counts events that are not kept any more. Rejected events are counted for 14 days, to ten minutes. Leaves out empty buckets; ' +
    'the newest 20,000 are returned.',
  keys: managers,
  scope: 'quarantine:read',
  query: closedObject({
    from: Type.String({ format: 'date-time', description: 'Start of the range, inclusive' }),
    to: Type.String({
      format: 'date-time',
      description: 'End of the range, exclusive; at most 31 days later',
    }),
    per: Type.Optional(
      Type.Enum(Object.keys(bucketLengths) as BucketLength[], { default: 'hour', description: 'In UTC' }),
    ),
    type: Type.Optional(Type.String({ maxLength: 128 })),
    reason: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  answer: closedObject({
    results: Type.Array(
      closedObject({
        at: time,
        kind: Type.Enum(['rejected', 'dead']),
        type: orNull(
          Type.String({ description: 'Null if none was named, and for too many different types' }),
        ),
        reason: Type.String(),
        events: Type.Integer({ minimum: 1 }),
      }),
    ),
  }),
  examples: [
    {
      name: 'a day',
      query: { from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' },
      answer: { results: [] },
    },
  ],
});
