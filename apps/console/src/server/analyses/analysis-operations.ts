import { closedObject, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { time } from '../calls/fields.ts';
import {
  analysis,
  count,
  memberPath,
  partOf,
  playersBehind,
  splitColumns,
  splitOf,
  typeNameOf,
  typesOf,
  where,
} from './analysis-fields.ts';

const windowSecondsOf = Type.Integer({ minimum: 1, maximum: 366 * 24 * 3600 });
const stepsOf = Type.Array(closedObject({ type: typeNameOf, where }), { minItems: 2, maxItems: 10 });
const periodsOf = Type.Optional(Type.Integer({ minimum: 1, maximum: 90, default: 30 }));

export const analyseVolume = analysis({
  id: 'analyseVolume',
  path: 'volume',
  summary: 'Count events by type and time',
  parameters: {
    per: Type.Enum(['hour', 'day', 'week', 'month']),
    by: Type.Optional(
      Type.Enum(['occurred', 'received'], {
        default: 'occurred',
        description: 'When events happened, or when they arrived',
      }),
    ),
    types: typesOf,
    where,
    split: splitOf,
  },
  row: closedObject({ at: time, type: Type.String(), ...splitColumns, events: count }),
  example: { body: { per: 'day' }, results: [] },
});

export const analysePlayers = analysis({
  id: 'analysePlayers',
  path: 'players',
  summary: 'Count distinct players per day, week or month',
  parameters: { per: Type.Enum(['day', 'week', 'month']), types: typesOf, where, split: splitOf },
  row: closedObject({ at: time, ...splitColumns, players: count }),
  example: { body: { per: 'week' }, results: [] },
});

export const analyseSessionLength = analysis({
  id: 'analyseSessionLength',
  path: 'session-length',
  summary: 'Measure the duration of sessions',
  description: 'The time from the first event of a session to its last, by the day of the first.',
  parameters: {},
  row: closedObject({
    at: time,
    sessions: count,
    meanSeconds: count,
    medianSeconds: count,
    p90Seconds: count,
  }),
  example: { body: {}, results: [] },
});

export const analyseFunnel = analysis({
  id: 'analyseFunnel',
  path: 'funnel',
  summary: 'Count players per step of a funnel',
  description: 'Players must take the steps in order, the last one at most `windowSeconds` after the first.',
  parameters: {
    steps: stepsOf,
    windowSeconds: windowSecondsOf,
    split: splitOf,
  },
  row: closedObject({ step: Type.Integer({ minimum: 1 }), ...splitColumns, players: count }),
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
    periods: periodsOf,
  },
  row: closedObject({ cohort: time, players: count, returned: Type.Array(count) }),
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
  row: closedObject({
    value: orNull(Type.String({ description: 'Null for events without the member' })),
    events: count,
    players: count,
  }),
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
  row: closedObject({
    eventId: Type.String({ format: 'uuid' }),
    type: Type.String(),
    version: Type.Integer(),
    occurred: time,
    received: time,
    sessionId: Type.String(),
    event: Type.Unknown({ description: 'The stored event' }),
  }),
  example: { body: { accountId: 'us-1' }, results: [] },
});

export const listPlayersOfEvents = playersBehind({
  id: 'listPlayersOfEvents',
  path: 'volume',
  summary: 'List the players behind a number of events',
  parameters: { types: typesOf, where, part: partOf },
  example: { types: ['level_up'] },
});

export const listPlayersOfBreakdown = playersBehind({
  id: 'listPlayersOfBreakdown',
  path: 'breakdown',
  summary: 'List the players behind a value of a breakdown',
  parameters: {
    type: typeNameOf,
    member: memberPath,
    where,
    value: orNull(Type.String({ maxLength: 10_000, description: 'Null for events without the member' })),
  },
  example: { type: 'level_up', member: 'level', value: '1' },
});

export const listPlayersOfFunnel = playersBehind({
  id: 'listPlayersOfFunnel',
  path: 'funnel',
  summary: 'List the players behind a step of a funnel',
  parameters: {
    steps: stepsOf,
    windowSeconds: windowSecondsOf,
    step: Type.Integer({ minimum: 1, maximum: 10 }),
    which: Type.Optional(
      Type.Enum(['reached', 'lost'], {
        default: 'reached',
        description: 'Players who took the step, or players who took the step before and not this one',
      }),
    ),
  },
  example: { steps: [{ type: 'session_start' }, { type: 'level_up' }], windowSeconds: 3600, step: 2 },
});

export const listPlayersOfRetention = playersBehind({
  id: 'listPlayersOfRetention',
  path: 'retention',
  summary: 'List the players behind a cell of a retention table',
  parameters: {
    per: Type.Enum(['day', 'week']),
    cohort: Type.String({ format: 'date-time', description: 'The `cohort` of the row' }),
    period: Type.Integer({ minimum: 0, maximum: 90, description: '0 lists all players of the cohort' }),
  },
  example: { per: 'day', cohort: '2020-01-01T00:00:00Z', period: 1 },
});
