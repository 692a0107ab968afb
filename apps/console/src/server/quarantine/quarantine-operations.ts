import { closedObject, operationsOf, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { count, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

const kind = Type.Enum(['rejected', 'dead'], {
  description: 'Rejected before acceptance, or accepted and then refused by ClickHouse',
});
const filters = {
  kind: Type.Optional(kind),
  type: Type.Optional(Type.String({ maxLength: 200 })),
  reason: Type.Optional(Type.String({ maxLength: 200 })),
  since: Type.Optional(time),
  until: Type.Optional(time),
  state: Type.Optional(
    Type.Enum(['open', 'replayed', 'any'], { description: 'The default is those that were not replayed' }),
  ),
};
const filter = closedObject(
  {
    ...filters,
    ids: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: 1_000 })),
  },
  { description: 'The filter; without members, it matches everything' },
);

const briefMembers = {
  id: Type.String(),
  kind,
  type: orNull(Type.String()),
  version: orNull(Type.Integer()),
  reason: Type.String(),
  message: Type.String(),
  pointer: orNull(
    Type.String({ description: 'The invalid member within the event; null for a dead letter' }),
  ),
  events: count,
  bytes: count,
  at: time,
  state: Type.Enum(['open', 'replaying', 'replayed']),
};
export const quarantinedBriefSchema = closedObject({
  ...briefMembers,
  beginning: orNull(
    Type.String({
      description: 'The first 2,000 bytes of a rejected event. Null without the scope `personal:read`',
    }),
  ),
});
export const quarantinedSchema = closedObject(
  {
    ...briefMembers,
    truncated: Type.Boolean({ description: 'Only the beginning was stored' }),
    keyId: orNull(Type.String()),
    accountId: orNull(Type.String()),
    sessionId: orNull(Type.String()),
    requestId: orNull(Type.String()),
    sdk: orNull(Type.String()),
    texts: orNull(
      Type.Array(Type.String(), { description: 'Each event in its sent form, or in the form to be stored' }),
    ),
  },
  {
    description:
      'Texts and accounts require the scope `personal:read` and are null without it. So is the `keyId` of a session.',
  },
);
const countSchema = closedObject({
  kind,
  type: orNull(Type.String()),
  version: orNull(Type.Integer()),
  reason: Type.String(),
  events: Type.Integer({ minimum: 0, description: 'All events, stored or not' }),
  kept: count,
  unsampled: Type.Integer({
    minimum: 0,
    description: 'Neither kept nor replayed, whatever the filter selects: they cannot be replayed',
  }),
  first: time,
  last: time,
});

export const refusalSchema = closedObject({
  id: Type.String(),
  reason: Type.String(),
  pointer: Type.String(),
  message: Type.String(),
});

const id = '01a1f5b5-2a00-7abc-8def-0123456789ab';
const at = '2026-11-20T12:00:00.000Z';
const brief = {
  id,
  kind: 'rejected',
  type: 'boss_defeated',
  version: 2,
  reason: 'range',
  bytes: 11,
  at,
  state: 'open',
  message: 'must be at least 1',
  pointer: '/level',
  events: 1,
} as const;

export const quarantineOperations = operationsOf({ tag: 'Quarantine', keys: managers })({
  countQuarantined: {
    method: 'GET',
    path: '/v1/quarantine/counts',
    summary: 'Count rejected events and dead letters by type and reason',
    scope: 'quarantine:read',
    query: closedObject(filters),
    answer: closedObject({ results: Type.Array(countSchema), next: Type.Null() }),
    examples: [
      {
        name: 'rejected events',
        query: { kind: 'rejected' },
        answer: {
          results: [
            {
              kind: 'rejected',
              type: 'boss_defeated',
              version: 2,
              reason: 'range',
              events: 1,
              kept: 1,
              unsampled: 0,
              first: at,
              last: at,
            },
          ],
          next: null,
        },
      },
    ],
  },
  listQuarantined: {
    method: 'GET',
    path: '/v1/quarantine',
    summary: 'List rejected events and dead letters, newest first',
    scope: 'quarantine:read',
    query: pageQuery(filters),
    answer: pageAnswer(quarantinedBriefSchema),
    examples: [
      {
        name: 'events of one type',
        query: { type: 'boss_defeated' },
        answer: { results: [{ ...brief, beginning: '{"level":0}' }], next: null },
      },
    ],
  },
  exportQuarantined: {
    method: 'GET',
    path: '/v1/quarantine/export',
    summary: 'Export the quarantine, newest first',
    description:
      'Streams lines of JSON. The last line is `{"complete": true}`. Without it, the export is incomplete. Also requires the scope ' +
      '`personal:read` too.',
    scope: 'quarantine:read',
    query: closedObject(filters),
    answer: Type.String({ description: 'Lines of JSON' }),
    answerTypes: ['application/x-ndjson'],
    examples: [{ name: 'dead letters', query: { kind: 'dead' }, answer: '{"complete":true}\n' }],
  },
  getQuarantined: {
    method: 'GET',
    path: '/v1/quarantine/{id}',
    summary: 'Get one entry with all its details',
    scope: 'quarantine:read',
    params: closedObject({ id: Type.String({ format: 'uuid' }) }),
    answer: quarantinedSchema,
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'a rejected event',
        params: { id },
        answer: {
          ...brief,
          truncated: false,
          sdk: 'unity/1.2.3',
          texts: ['{"level":0}'],
          keyId: '019ab2c4-0000-7000-8000-000000000001',
          accountId: null,
          sessionId: null,
          requestId: '019ab2c6-0000-7f80-9123-456789abc224',
        },
      },
    ],
  },
  replayQuarantined: {
    method: 'POST',
    path: '/v1/quarantine/replay',
    summary: 'Replay entries of the quarantine',
    description:
      'Rejected events are validated against the current declarations; dead letters are not. Each entry is replayed once, however often ' +
      'you call this. Events that are still invalid stay, and the answer lists them.',
    scope: 'quarantine:write',
    body: closedObject({ filter }),
    answer: closedObject({
      replayed: count,
      refused: count,
      refusals: Type.Array(refusalSchema),
    }),
    examples: [
      {
        name: 'an event that is still invalid',
        body: { filter: { ids: [id] } },
        answer: {
          replayed: 0,
          refused: 1,
          refusals: [{ id, reason: 'range', pointer: '/level', message: brief.message }],
        },
      },
    ],
  },
  countReplayed: {
    method: 'GET',
    path: '/v1/quarantine/replays',
    summary: 'Follow replayed events until they are stored',
    description:
      'Counts rejected events that were replayed in the last 24 hours, or since a later time, and those that still wait. ' +
      'Each event is in one state.',
    scope: 'quarantine:read',
    query: closedObject({ type: filters.type, reason: filters.reason, since: filters.since }),
    answer: closedObject({
      waiting: Type.Integer({ minimum: 0, description: 'In quarantine, whenever they were rejected' }),
      queued: Type.Integer({ minimum: 0, description: 'Accepted, and not stored yet' }),
      stored: count,
      leftOut: Type.Integer({
        minimum: 0,
        description: 'Stored before under the same id, or refused by ClickHouse',
      }),
    }),
    examples: [
      {
        name: 'events of one type',
        query: { type: 'boss_defeated', since: at },
        answer: { waiting: 1, queued: 0, stored: 0, leftOut: 0 },
      },
    ],
  },
  purgeQuarantined: {
    method: 'POST',
    path: '/v1/quarantine/purge',
    summary: 'Delete entries of the quarantine',
    description: 'Deletes permanently. Entries that are being replayed stay.',
    scope: 'quarantine:write',
    body: closedObject({ filter }),
    answer: closedObject({ rejected: count, deadLetters: count, deadEvents: count }),
    examples: [
      {
        name: 'entries of one type',
        body: { filter: { type: 'boss_defeated' } },
        answer: { rejected: 1, deadLetters: 0, deadEvents: 0 },
      },
    ],
  },
});
