import { defineOperation } from '@tickrate/contract';
import Type from 'typebox';
import { closed, editVersion, orNull } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';
import {
  playerExamples as examples,
  playerId,
  playerIdentitySchema,
  playerSchema,
  playerSessionSchema,
} from './player-schemas.ts';

const base = { tag: 'Players', keys: managers, refusals: ['objectNotFound'] } as const;
const params = Type.Object({ accountId: playerId }, closed);
const one = { accountId: examples.player.id };
const text = Type.String({ minLength: 1, maxLength: 500 });

export const listPlayers = defineOperation({
  ...base,
  id: 'listPlayers',
  method: 'GET',
  path: '/v1/players',
  summary: 'List players, newest first, or find one',
  description:
    'By `emailAddress`, or by what a platform calls the player: `provider` and `subject`. One filter at a time.',
  scope: 'players:read',
  query: pageQuery({
    emailAddress: Type.Optional(Type.String({ minLength: 3, maxLength: 254 })),
    provider: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: '`steam`' })),
    subject: Type.Optional(text),
    state: Type.Optional(Type.Enum(['banned'])),
  }),
  answer: pageAnswer(playerSchema),
  refusals: [],
  examples: [
    { name: 'all', answer: { results: [examples.player], next: null } },
    {
      name: 'by address',
      query: { emailAddress: 'max@example.com' },
      answer: { results: [examples.player], next: null },
    },
    {
      name: 'by platform',
      query: { provider: 'steam', subject: '76561197960287930' },
      answer: { results: [examples.player], next: null },
    },
  ],
});

export const getPlayer = defineOperation({
  ...base,
  id: 'getPlayer',
  method: 'GET',
  path: '/v1/players/{accountId}',
  summary: 'Get a player',
  scope: 'players:read',
  params,
  answer: playerSchema,
  examples: [{ name: 'one', params: one, answer: examples.player }],
});

export const listPlayerIdentities = defineOperation({
  ...base,
  id: 'listPlayerIdentities',
  method: 'GET',
  path: '/v1/players/{accountId}/identities',
  summary: 'List the identities of a player at platforms',
  scope: 'players:read',
  params,
  query: pageQuery({}),
  answer: pageAnswer(playerIdentitySchema),
  examples: [{ name: 'all', params: one, answer: { results: [examples.identity], next: null } }],
});

export const listPlayerSessions = defineOperation({
  ...base,
  id: 'listPlayerSessions',
  method: 'GET',
  path: '/v1/players/{accountId}/sessions',
  summary: 'List the sessions of a player, newest first',
  description: 'Also those that have ended, for as long as they are kept.',
  scope: 'players:read',
  params,
  query: pageQuery({}),
  answer: pageAnswer(playerSessionSchema),
  examples: [{ name: 'all', params: one, answer: { results: [examples.session], next: null } }],
});

export const endPlayerSession = defineOperation({
  ...base,
  id: 'endPlayerSession',
  method: 'DELETE',
  path: '/v1/players/{accountId}/sessions/{sessionId}',
  summary: 'End a session of a player',
  description: 'Its key is refused everywhere within a second. One that has ended stays as it is.',
  scope: 'players:write',
  params: Type.Object({ accountId: playerId, sessionId: Type.String({ maxLength: 100 }) }, closed),
  answer: playerSessionSchema,
  examples: [
    { name: 'one', params: { ...one, sessionId: examples.session.id }, answer: examples.endedSession },
  ],
});

export const endPlayerSessions = defineOperation({
  ...base,
  id: 'endPlayerSessions',
  method: 'DELETE',
  path: '/v1/players/{accountId}/sessions',
  summary: 'End all sessions of a player',
  description: 'Their keys are refused everywhere within a second.',
  scope: 'players:write',
  params,
  answer: Type.Object({ ended: Type.Integer({ description: 'How many there were' }) }, closed),
  examples: [{ name: 'all', params: one, answer: { ended: 0 } }],
});

export const banPlayer = defineOperation({
  ...base,
  id: 'banPlayer',
  method: 'PUT',
  path: '/v1/players/{accountId}/ban',
  summary: 'Ban a player',
  description:
    'Ends all sessions, everywhere within a second; signing in is refused (4006) with the reason and the end of the ban, to who has proven to be the player. Replaces a ban that there is.',
  scope: 'players:write',
  params,
  body: Type.Object(
    {
      version: editVersion,
      reason: Type.Unsafe<string>({ ...text, description: 'Told to the player' }),
      expires: Type.Optional(orNull(Type.String({ format: 'date-time', description: 'Null: for good' }))),
    },
    closed,
  ),
  answer: playerSchema,
  refusals: ['objectNotFound', 'objectChanged'],
  examples: [
    {
      name: 'until a day',
      params: one,
      body: {
        version: examples.player.version,
        reason: examples.banned.ban.reason,
        expires: '2099-12-24T00:00:00Z',
      },
      answer: examples.banned,
    },
  ],
});

export const unbanPlayer = defineOperation({
  ...base,
  id: 'unbanPlayer',
  method: 'DELETE',
  path: '/v1/players/{accountId}/ban',
  summary: 'Lift the ban of a player',
  scope: 'players:write',
  params,
  answer: playerSchema,
  examples: [{ name: 'one', params: one, answer: examples.player }],
});

export const resetPlayerSecondFactor = defineOperation({
  ...base,
  id: 'resetPlayerSecondFactor',
  method: 'DELETE',
  path: '/v1/players/{accountId}/second-factor',
  summary: 'Take the second factor of a player away',
  description:
    'For one who has lost it and proven who they are: recovery codes and trusted devices end with it, and the player is told by mail. Where the project requires one, the player is asked for a new one at the next sign-in.',
  scope: 'players:write',
  params,
  answer: playerSchema,
  examples: [{ name: 'one', params: one, answer: examples.withoutSecondFactor }],
});
