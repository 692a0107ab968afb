import { closedObject, operationsOf, orNull, shownTextFormat } from '@tickrate/contract';
import Type from 'typebox';
import { editVersion } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';
import {
  playerExamples as examples,
  playerId,
  playerIdentitySchema,
  playerSchema,
  playerSessionSchema,
} from './player-schemas.ts';

const params = closedObject({ accountId: playerId });
const one = { accountId: examples.player.id };
const text = Type.String({ minLength: 1, maxLength: 500 });

export const playerOperations = operationsOf({
  tag: 'Players',
  keys: managers,
  refusals: ['objectNotFound'],
})({
  listPlayers: {
    method: 'GET',
    path: '/v1/players',
    summary: 'List players, newest first, or find one',
    description:
      'Filter by `emailAddress`, or by the platform identity: `provider` and `subject`. Use one filter at a time.',
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
  },
  getPlayer: {
    method: 'GET',
    path: '/v1/players/{accountId}',
    summary: 'Get a player',
    scope: 'players:read',
    params,
    answer: playerSchema,
    examples: [{ name: 'one', params: one, answer: examples.player }],
  },
  listPlayerIdentities: {
    method: 'GET',
    path: '/v1/players/{accountId}/identities',
    summary: 'List the platform identities of a player',
    scope: 'players:read',
    params,
    query: pageQuery({}),
    answer: pageAnswer(playerIdentitySchema),
    examples: [{ name: 'all', params: one, answer: { results: [examples.identity], next: null } }],
  },
  listPlayerSessions: {
    method: 'GET',
    path: '/v1/players/{accountId}/sessions',
    summary: 'List the sessions of a player, newest first',
    description: 'Includes ended sessions until they are deleted.',
    scope: 'players:read',
    params,
    query: pageQuery({}),
    answer: pageAnswer(playerSessionSchema),
    examples: [{ name: 'all', params: one, answer: { results: [examples.session], next: null } }],
  },
  endPlayerSession: {
    method: 'DELETE',
    path: '/v1/players/{accountId}/sessions/{sessionId}',
    summary: 'End a session of a player',
    description: 'Its key is rejected everywhere within a second. An ended session does not change.',
    scope: 'players:write',
    params: closedObject({ accountId: playerId, sessionId: Type.String({ maxLength: 100 }) }),
    answer: playerSessionSchema,
    examples: [
      { name: 'one', params: { ...one, sessionId: examples.session.id }, answer: examples.endedSession },
    ],
  },
  endPlayerSessions: {
    method: 'DELETE',
    path: '/v1/players/{accountId}/sessions',
    summary: 'End all sessions of a player',
    description:
      'Their keys are rejected everywhere within a second. The device tokens of the player are unlinked: such a device must sign in ' +
      'again. If a player has no other way in, they stay linked, because the account would be lost. To keep such a player out, ban them.',
    scope: 'players:write',
    params,
    answer: closedObject({
      ended: Type.Integer({ description: 'The number of ended sessions' }),
      unlinkedDevices: Type.Integer({
        description: 'The number of device tokens that no longer open the account',
      }),
    }),
    examples: [{ name: 'all', params: one, answer: { ended: 0, unlinkedDevices: 0 } }],
  },
  banPlayer: {
    method: 'PUT',
    path: '/v1/players/{accountId}/ban',
    summary: 'Ban a player',
    description:
      'Ends all sessions everywhere within a second. Sign-in with valid credentials fails with 4006, the reason and the end of the ban. Replaces an existing ban.',
    scope: 'players:write',
    params,
    body: closedObject({
      version: editVersion,
      reason: Type.Unsafe<string>({ ...text, format: shownTextFormat, description: 'Shown to the player' }),
      expires: Type.Optional(orNull(Type.String({ format: 'date-time', description: 'Null: for good' }))),
    }),
    answer: playerSchema,
    refusals: ['objectNotFound', 'objectChanged'],
    examples: [
      {
        name: 'until a date',
        params: one,
        body: {
          version: examples.player.version,
          reason: examples.banned.ban.reason,
          expires: '2099-12-24T00:00:00Z',
        },
        answer: examples.banned,
      },
    ],
  },
  unbanPlayer: {
    method: 'DELETE',
    path: '/v1/players/{accountId}/ban',
    summary: 'Lift the ban of a player',
    scope: 'players:write',
    params,
    answer: playerSchema,
    examples: [{ name: 'one', params: one, answer: examples.player }],
  },
  resetPlayerSecondFactor: {
    method: 'DELETE',
    path: '/v1/players/{accountId}/second-factor',
    summary: 'Reset the second factor of a player',
    description:
      'For a player who lost it and proved their identity. Also deletes recovery codes and trusted devices, and sends the player a security mail. If the project requires a second factor, the player sets up a new one at the next sign-in.',
    scope: 'players:write',
    params,
    answer: playerSchema,
    examples: [{ name: 'one', params: one, answer: examples.withoutSecondFactor }],
  },
});
