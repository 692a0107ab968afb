import { defineOperation } from '@tickrate/contract';
import type { Act, Registry } from '@tickrate/registry';
import Type from 'typebox';
import { closed, orNull, recordId, time, timeOf } from './fields.ts';
import { type ManagedRoute, managed, managers } from './managed.ts';
import { pageAnswer, pageQuery, readPage } from './pages.ts';

const act = Type.Object(
  {
    id: recordId,
    at: time,
    act: Type.String({ description: 'The operation: `revokeKey`' }),
    actor: Type.String({ description: 'The id of an account, or `key …`' }),
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

const listActs = defineOperation({
  id: 'listActs',
  method: 'GET',
  path: '/v1/audit',
  tag: 'Audit',
  summary: 'See what was done, newest first',
  description: 'Every call that changes something is here, refused ones too. No secret is.',
  keys: managers,
  scope: 'audit:read',
  query: pageQuery({
    act: Type.Optional(Type.String({ maxLength: 100, description: 'Only acts of this operation' })),
  }),
  answer: pageAnswer(act),
  examples: [
    {
      name: 'the last key that was revoked',
      query: { act: 'revokeKey', limit: 1 },
      answer: {
        results: [
          {
            id: '019ab2c6-5d6e-7f80-9123-456789abc222',
            at: '2026-11-21T09:06:00.000Z',
            act: 'revokeKey',
            actor: 'key 019ab2c4-0000-7000-8000-000000000001',
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
  ],
});

const place = Type.Object({ atMs: Type.Integer(), id: recordId }, closed);

export function createAuditRoutes(registry: Pick<Registry, 'actPage'>): ManagedRoute[] {
  return [
    managed(listActs, ({ caller: { projectId }, query }) =>
      readPage(query, {
        place,
        read: (after, limit) => registry.actPage({ projectId, act: query.act, after, limit }),
        placeOf: ({ atMs, id }) => ({ atMs, id }),
        show: showAct,
      }),
    ),
  ];
}

function showAct({ id, atMs, act: name, actor, requestId, clientAddress, details, outcome }: Act) {
  return {
    id,
    at: timeOf(atMs),
    act: name,
    actor,
    requestId,
    clientAddress,
    details: { ...details },
    outcome,
  };
}
