import { closedObject, defineOperation, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

export const auditEntrySchema = closedObject({
  id: recordId,
  at: time,
  kind: Type.Enum(['management', 'signIn'], { description: 'signIn: recorded by auth' }),
  act: Type.String({
    description: 'The operation, such as `revokeKey`, or the action of an account, such as `signIn`',
  }),
  actor: orNull(
    Type.String({
      description: 'The id of an account, or `key …`; null if the account is unknown',
    }),
  ),
  sessionId: orNull(Type.String({ description: 'Of sign-in' })),
  requestId: Type.String(),
  clientAddress: Type.String(),
  details: Type.Object({}, { additionalProperties: true }),
  names: Type.Record(Type.String(), Type.String(), {
    description:
      'The display name, or else the address, of players in `actor` and `details.accountId`. Only for callers with the scope `players:read`.',
  }),
  outcome: orNull(
    Type.String({
      description:
        '`done`, the reason of the error, or null if the outcome is not known: it was not recorded, or the answer was 6001 with `outcomeUnknown`',
    }),
  ),
});

export const listActs = defineOperation({
  id: 'listActs',
  method: 'GET',
  path: '/v1/audit',
  tag: 'Audit',
  summary: 'List actions, newest first',
  description:
    'Contains every call that changes something, also failed ones. With the scope `players:read`, it also contains sign-ins, failed sign-ins and changes that accounts made to themselves. It contains no secrets.',
  keys: managers,
  scope: 'audit:read',
  query: pageQuery({
    kind: Type.Optional(Type.Enum(['management', 'signIn'])),
    act: Type.Optional(Type.String({ maxLength: 100, description: 'Only actions with this name' })),
    accountId: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only actions by this account or on it' }),
    ),
  }),
  answer: pageAnswer(auditEntrySchema),
  examples: [
    {
      name: 'the last revoked key',
      query: { act: 'revokeKey', limit: 1 },
      answer: {
        results: [
          {
            id: '019ab2c6-5d6e-7f80-9123-456789abc222',
            at: '2026-11-21T09:06:00.000Z',
            kind: 'management',
            act: 'revokeKey',
            actor: 'key 019ab2c4-0000-7000-8000-000000000001',
            sessionId: null,
            requestId: '019ab2c6-0000-7f80-9123-456789abc223',
            clientAddress: '127.0.0.1',
            details: {
              id: '019ab2c4-5d6e-7f80-9123-456789abcdef',
              keyId: '019ab2c4-5d6e-7f80-9123-456789abcdef',
            },
            names: {},
            outcome: 'done',
          },
        ],
        next: null,
      },
    },
    {
      name: 'failed sign-ins of one account',
      query: { act: 'signInRefused', accountId: 'u-nobody' },
      answer: { results: [], next: null },
    },
  ],
});
