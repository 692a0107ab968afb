import { defineOperation } from '@tickrate/contract';
import Type from 'typebox';
import { closed, orNull, recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

export const auditEntrySchema = Type.Object(
  {
    id: recordId,
    at: time,
    kind: Type.Enum(['management', 'signIn'], { description: 'signIn: what auth wrote down' }),
    act: Type.String({ description: 'The operation, `revokeKey`; or what an account did, `signIn`' }),
    actor: orNull(
      Type.String({
        description: 'The id of an account, or `key …`; null: nobody knows whose account it was',
      }),
    ),
    sessionId: orNull(Type.String({ description: 'Of sign-in' })),
    requestId: Type.String(),
    clientAddress: Type.String(),
    details: Type.Object({}, { additionalProperties: true }),
    outcome: orNull(
      Type.String({
        description: '`done`, the reason of the refusal, or null: the process ended before it knew',
      }),
    ),
  },
  closed,
);

export const listActs = defineOperation({
  id: 'listActs',
  method: 'GET',
  path: '/v1/audit',
  tag: 'Audit',
  summary: 'See what was done, newest first',
  description:
    'Every call that changes something is here, refused ones too; and sign-ins, refused sign-ins and what accounts changed in themselves, which takes the scope `players:read` too. No secret is.',
  keys: managers,
  scope: 'audit:read',
  query: pageQuery({
    kind: Type.Optional(Type.Enum(['management', 'signIn'])),
    act: Type.Optional(Type.String({ maxLength: 100, description: 'Only acts of this name' })),
    accountId: Type.Optional(
      Type.String({ maxLength: 200, description: 'Only what this account did, or what was done to it' }),
    ),
  }),
  answer: pageAnswer(auditEntrySchema),
  examples: [
    {
      name: 'the last key that was revoked',
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
            outcome: 'done',
          },
        ],
        next: null,
      },
    },
    {
      name: 'refused sign-ins of one account',
      query: { act: 'signInRefused', accountId: 'u-nobody' },
      answer: { results: [], next: null },
    },
  ],
});
