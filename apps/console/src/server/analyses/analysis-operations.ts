import { defineOperation, type Operation } from '@tickrate/contract';
import Type, { type TProperties, type TSchema } from 'typebox';
import { closed, orNull, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';

const count = Type.Number({ minimum: 0 });
const memberPath = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}(\\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,7}$',
  description: 'A member, by its dotted path',
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
    description: 'All of them hold; an event without the member meets none',
  }),
);
const range = {
  from: Type.String({ format: 'date-time', description: 'Events that happened from here on' }),
  to: Type.String({ format: 'date-time', description: 'and before this' }),
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
    ...{ id, summary, method: 'POST', tag: 'Analyses', keys: managers, scope: 'queries:read' },
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
    types: Type.Optional(Type.Array(typeNameOf, { maxItems: 100, description: 'All when left out' })),
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
  summary: 'Measure how long sessions last',
  description: "From a session's first event to its last, by the day on which it began.",
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
  summary: 'Count how far players get',
  description: 'Steps are taken in order, the last one at most `windowSeconds` after the first.',
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
  summary: 'Count who comes back',
  description:
    'Players by when they sent their first event ever, and how many of them sent any in each later period.',
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
      value: orNull(Type.String({ description: 'Null for events without it' })),
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
  summary: 'Show what one player did, newest first',
  description: 'Needs `personal:read` as well.',
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
      event: Type.Unknown({ description: 'As it is stored' }),
    },
    closed,
  ),
  example: { body: { accountId: 'us-1' }, results: [] },
});
