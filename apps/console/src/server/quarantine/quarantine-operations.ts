import { defineOperation } from '@tickrate/contract';
import Type from 'typebox';
import { closed, orNull, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

const kind = Type.Enum(['rejected', 'dead'], {
  description: 'Rejected to its sender, or accepted and then refused by ClickHouse',
});
const count = Type.Integer({ minimum: 0 });
const filters = {
  kind: Type.Optional(kind),
  type: Type.Optional(Type.String({ maxLength: 200 })),
  reason: Type.Optional(Type.String({ maxLength: 200 })),
  since: Type.Optional(time),
  until: Type.Optional(time),
  state: Type.Optional(
    Type.Enum(['open', 'replayed', 'any'], { description: 'Those that were not replayed, else' }),
  ),
};
const filter = Type.Object(
  {
    ...filters,
    ids: Type.Optional(Type.Array(Type.String({ format: 'uuid' }), { minItems: 1, maxItems: 1_000 })),
  },
  { ...closed, description: 'What is meant; without members, everything' },
);

const briefMembers = {
  id: Type.String(),
  kind,
  type: orNull(Type.String()),
  version: orNull(Type.Integer()),
  reason: Type.String(),
  message: Type.String(),
  events: count,
  bytes: count,
  at: time,
  state: Type.Enum(['open', 'replaying', 'replayed']),
};
export const quarantinedBriefSchema = Type.Object(briefMembers, closed);
export const quarantinedSchema = Type.Object(
  {
    ...briefMembers,
    pointer: orNull(Type.String({ description: 'What is at fault, within the event' })),
    truncated: Type.Boolean({ description: 'Only the beginning was kept' }),
    keyId: orNull(Type.String()),
    accountId: orNull(Type.String()),
    sessionId: orNull(Type.String()),
    requestId: orNull(Type.String()),
    sdk: orNull(Type.String()),
    texts: orNull(
      Type.Array(Type.String(), { description: 'Each event as it was sent, or as it was to be stored' }),
    ),
  },
  {
    ...closed,
    description: 'Texts and whose they are take the scope `personal:read`, and are null without it',
  },
);
const countSchema = Type.Object(
  {
    kind,
    type: orNull(Type.String()),
    version: orNull(Type.Integer()),
    reason: Type.String(),
    events: Type.Integer({ minimum: 0, description: 'All of them, kept or not' }),
    kept: count,
    first: time,
    last: time,
  },
  closed,
);

const base = { tag: 'Quarantine', keys: managers } as const;
const id = '01a1f5b5-2a00-7abc-8def-0123456789ab';
const at = '2026-11-20T12:00:00.000Z';
const brief = {
  id,
  ...{ kind: 'rejected', type: 'boss_defeated', version: 2, reason: 'range', bytes: 11, at, state: 'open' },
  message: 'must lie between 1 and 9223372036854775807',
  events: 1,
} as const;

export const countQuarantined = defineOperation({
  ...base,
  id: 'countQuarantined',
  method: 'GET',
  path: '/v1/quarantine/counts',
  summary: 'Count what is in quarantine, by type and reason',
  scope: 'quarantine:read',
  query: Type.Object(filters, closed),
  answer: Type.Object({ results: Type.Array(countSchema), next: Type.Null() }, closed),
  examples: [
    {
      name: 'rejected events',
      query: { kind: 'rejected' },
      answer: {
        results: [
          {
            ...{ kind: 'rejected', type: 'boss_defeated', version: 2, reason: 'range' },
            ...{ events: 1, kept: 1, first: at, last: at },
          },
        ],
        next: null,
      },
    },
  ],
});

export const listQuarantined = defineOperation({
  ...base,
  id: 'listQuarantined',
  method: 'GET',
  path: '/v1/quarantine',
  summary: 'List what is in quarantine, newest first',
  scope: 'quarantine:read',
  query: pageQuery(filters),
  answer: pageAnswer(quarantinedBriefSchema),
  examples: [
    { name: 'of one type', query: { type: 'boss_defeated' }, answer: { results: [brief], next: null } },
  ],
});

export const exportQuarantined = defineOperation({
  ...base,
  id: 'exportQuarantined',
  method: 'GET',
  path: '/v1/quarantine/export',
  summary: 'Get all that is in quarantine, newest first',
  description:
    'Lines of JSON, streamed; the last one is `{"complete": true}`, without which something is missing. Takes the scope ' +
    '`personal:read` too.',
  scope: 'quarantine:read',
  query: Type.Object(filters, closed),
  answer: Type.String({ description: 'Lines of JSON' }),
  answerTypes: ['application/x-ndjson'],
  examples: [{ name: 'dead letters', query: { kind: 'dead' }, answer: '{"complete":true}\n' }],
});

export const getQuarantined = defineOperation({
  ...base,
  id: 'getQuarantined',
  method: 'GET',
  path: '/v1/quarantine/{id}',
  summary: 'See one with everything that is known of it',
  scope: 'quarantine:read',
  params: Type.Object({ id: Type.String({ format: 'uuid' }) }, closed),
  answer: quarantinedSchema,
  refusals: ['objectNotFound'],
  examples: [
    {
      name: 'a rejected event',
      params: { id },
      answer: {
        ...brief,
        ...{ pointer: '/level', truncated: false, sdk: 'unity/1.2.3', texts: ['{"level":0}'] },
        keyId: '019ab2c4-0000-7000-8000-000000000001',
        accountId: null,
        sessionId: null,
        requestId: '019ab2c6-0000-7f80-9123-456789abc224',
      },
    },
  ],
});

export const replayQuarantined = defineOperation({
  ...base,
  id: 'replayQuarantined',
  method: 'POST',
  path: '/v1/quarantine/replay',
  summary: 'Send what is in quarantine on its way again',
  description:
    'Rejected events go through validation against what is declared now, dead letters as they are; each once, however often ' +
    'this is called. Those that are still not as declared stay, and are told.',
  scope: 'quarantine:write',
  body: Type.Object({ filter }, closed),
  answer: Type.Object(
    {
      replayed: count,
      refused: count,
      refusals: Type.Array(
        Type.Object(
          { id: Type.String(), reason: Type.String(), pointer: Type.String(), message: Type.String() },
          closed,
        ),
      ),
    },
    closed,
  ),
  examples: [
    {
      name: 'one that is still at fault',
      body: { filter: { ids: [id] } },
      answer: {
        ...{ replayed: 0, refused: 1 },
        refusals: [{ id, reason: 'range', pointer: '/level', message: brief.message }],
      },
    },
  ],
});

export const purgeQuarantined = defineOperation({
  ...base,
  id: 'purgeQuarantined',
  method: 'POST',
  path: '/v1/quarantine/purge',
  summary: 'Delete what is in quarantine',
  description: 'For good. What is being replayed stays.',
  scope: 'quarantine:write',
  body: Type.Object({ filter }, closed),
  answer: Type.Object({ rejected: count, deadLetters: count, deadEvents: count }, closed),
  examples: [
    {
      name: 'of one type',
      body: { filter: { type: 'boss_defeated' } },
      answer: { rejected: 1, deadLetters: 0, deadEvents: 0 },
    },
  ],
});
