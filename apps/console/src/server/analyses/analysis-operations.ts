import { defineOperation, type Operation } from '@tickrate/contract';
import Type, { type TProperties, type TSchema } from 'typebox';
import { closed, orNull, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';

const count = Type.Number({ minimum: 0 });
const memberPath = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}(\\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,7}$',
  description: 'The dotted path of a member',
});
const typeNameOf = Type.String({ minLength: 1, maxLength: 128 });
const condition = Type.Object(
  {
    member: memberPath,
    is: Type.Enum(['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual']),
    value: Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean()]),
  },
  closed,
);
const where = Type.Optional(
  Type.Array(condition, {
    maxItems: 10,
    description: 'All conditions must be true; an event without the member matches none',
  }),
);
const range = {
  from: Type.String({ format: 'date-time', description: 'Start of the range, inclusive' }),
  to: Type.String({ format: 'date-time', description: 'End of the range, exclusive' }),
};

const day = '2020-01-01T00:00:00Z';
const week = { from: day, to: '2020-01-08T00:00:00Z' };

function analysis<const N extends string, const P extends TProperties, const R extends TSchema>(parts: {
  readonly id: string;
  readonly path: N;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: P;
  readonly row: R;
  readonly example: { readonly body: object; readonly results: readonly unknown[] };
}) {
  const { id, path, summary, description, parameters, row, example } = parts;
  return defineOperation({
    id,
    summary,
    method: 'POST',
    tag: 'Analyses',
    keys: managers,
    scope: 'queries:read',
    ...(description === undefined ? {} : { description }),
    path: `/v1/analyses/${path}`,
    body: Type.Object({ ...range, ...parameters }, closed),
    anyText: true,
    answer: Type.Object({ results: Type.Array(row) }, closed),
    refusals: ['apiKeyScopeMissing'],
    examples: [{ name: 'a week', body: { ...week, ...example.body }, answer: { results: example.results } }],
  } as const satisfies Operation);
}

export const analyseVolume = analysis({
  id: 'analyseVolume',
  path: 'volume',
  summary: 'Count events by type and time',
  parameters: {
    per: Type.Enum(['hour', 'day', 'week', 'month']),
    types: Type.Optional(Type.Array(typeNameOf, { maxItems: 100, description: 'The default is all types' })),
  },
  row: Type.Object({ at: time, type: Type.String(), events: count }, closed),
  example: { body: { per: 'day' }, results: [] },
});

export const analysePlayers = analysis({
  id: 'analysePlayers',
  path: 'players',
  summary: 'Count distinct players per day, week or month',
  parameters: { per: Type.Enum(['day', 'week', 'month']) },
  row: Type.Object({ at: time, players: count }, closed),
  example: { body: { per: 'week' }, results: [] },
});

export const analyseSessionLength = analysis({
  id: 'analyseSessionLength',
  path: 'session-length',
  summary: 'Measure the duration of sessions',
  description: 'The time from the first event of a session to its last, by the day of the first.',
  parameters: {},
  row: Type.Object(
    { at: time, sessions: count, meanSeconds: count, medianSeconds: count, p90Seconds: count },
    closed,
  ),
  example: { body: {}, results: [] },
});

export const analyseFunnel = analysis({
  id: 'analyseFunnel',
  path: 'funnel',
  summary: 'Count players per step of a funnel',
  description: 'Players must take the steps in order, the last one at most `windowSeconds` after the first.',
  parameters: {
    steps: Type.Array(Type.Object({ type: typeNameOf, where }, closed), { minItems: 2, maxItems: 10 }),
    windowSeconds: Type.Integer({ minimum: 1, maximum: 366 * 24 * 3600 }),
  },
  row: Type.Object({ step: Type.Integer({ minimum: 1 }), players: count }, closed),
  example: {
    body: { steps: [{ type: 'session_start' }, { type: 'level_up' }], windowSeconds: 3600 },
    results: [
      { step: 1, players: 0 },
      { step: 2, players: 0 },
    ],
  },
});

export const analyseRetention = analysis({
  id: 'analyseRetention',
  path: 'retention',
  summary: 'Measure retention',
  description:
    'Groups players by the period of their first event, and counts how many of them sent an event in each later period.',
  parameters: {
    per: Type.Enum(['day', 'week']),
    periods: Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 30 })),
  },
  row: Type.Object({ cohort: time, players: count, returned: Type.Array(count) }, closed),
  example: { body: { per: 'day', periods: 7 }, results: [] },
});

export const analyseBreakdown = analysis({
  id: 'analyseBreakdown',
  path: 'breakdown',
  summary: 'Count the values of a member',
  parameters: {
    type: typeNameOf,
    member: memberPath,
    where,
    mostValues: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 20 })),
  },
  row: Type.Object(
    {
      value: orNull(Type.String({ description: 'Null for events without the member' })),
      events: count,
      players: count,
    },
    closed,
  ),
  example: { body: { type: 'level_up', member: 'level' }, results: [] },
});

export const analysePlayer = analysis({
  id: 'analysePlayer',
  path: 'player',
  summary: 'List the events of one player, newest first',
  description: 'Also requires the scope `personal:read`.',
  parameters: {
    accountId: Type.String({ minLength: 1, maxLength: 200 }),
    mostEvents: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
  },
  row: Type.Object(
    {
      eventId: Type.String({ format: 'uuid' }),
      type: Type.String(),
      version: Type.Integer(),
      occurred: time,
      received: time,
      sessionId: Type.String(),
      event: Type.Unknown({ description: 'The stored event' }),
    },
    closed,
  ),
  example: { body: { accountId: 'us-1' }, results: [] },
});
