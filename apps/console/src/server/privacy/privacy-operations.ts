import { closedObject, operationsOf, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';
import { playerExamples } from '../players/player-schemas.ts';

const accountId = Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' });
const one = { accountId: playerExamples.player.id };
const certificate = Type.Object(
  {},
  { additionalProperties: true, description: 'States what was erased, where and when, with a checksum' },
);

/** What erasures of accounts and deletions of projects have in common. */
export const erasureMembers = {
  id: Type.String({ format: 'uuid' }),
  requestedBy: Type.String(),
  requested: time,
  state: Type.String({ description: '`done` when the erasure is complete' }),
  fault: orNull(Type.String({ description: 'Why the last attempt failed; it is retried' })),
  certificate: orNull(certificate),
};

export const erasureSchema = closedObject({
  ...erasureMembers,
  accountHash: Type.String({ description: 'SHA-256 of the id of the account' }),
  mode: Type.Enum(['remove', 'mask']),
});

const sample = {
  id: '019ab2c6-5d6e-7f80-9123-456789abc555',
  accountHash: '6ba3cca5b0e1e7b5b6b3e3c6c2d8d7c8f1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b6',
  mode: 'remove',
  requestedBy: 'key 019ab2c4-0000-7000-8000-000000000001',
  requested: '2026-11-21T09:10:00.000Z',
  state: 'requested',
  fault: null,
  certificate: null,
} as const;

export const privacyOperations = operationsOf({ tag: 'Privacy', keys: managers })({
  exportPlayer: {
    method: 'POST',
    path: '/v1/players/{accountId}/export',
    summary: 'Export all data of one account',
    description:
      'Streams lines of JSON: `{"account": …}` and lines with its `identities`, `sessions`, `devices`, `roles`, `mails` and ' +
      '`audit` if the account exists, `{"event": …}` for stored events, `{"quarantined": …}` for rejected ones, and at the end ' +
      '`{"complete": true}`. Without that last line, the export is incomplete. Also requires the scope `personal:read`.',
    scope: 'players:write',
    params: closedObject({ accountId }),
    answer: Type.String({ description: 'Lines of JSON' }),
    answerTypes: ['application/x-ndjson'],
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'an erased account',
        params: { accountId: 'u-erased' },
        answer: '{"complete":true}\n',
      },
    ],
  },
  erasePlayer: {
    method: 'POST',
    path: '/v1/players/{accountId}/erasure',
    summary: 'Erase an account and its events everywhere',
    description:
      'Permanently erases the account, its stored and rejected events and its dead letters. With `mask`, its events are kept for counting, ' +
      'without personal data. The workers do it and retry after failures. A certificate proves the erasure.',
    scope: 'players:write',
    params: closedObject({ accountId }),
    body: closedObject({ mode: Type.Enum(['remove', 'mask']) }),
    answer: erasureSchema,
    refusals: ['objectNotFound'],
    examples: [{ name: 'remove', params: one, body: { mode: 'remove' }, answer: sample }],
  },
  listErasures: {
    method: 'GET',
    path: '/v1/erasures',
    summary: 'List erasures, newest first',
    scope: 'players:read',
    query: pageQuery({ accountId: Type.Optional(accountId) }),
    answer: pageAnswer(erasureSchema),
    examples: [
      {
        name: 'erasures of one account',
        query: one,
        answer: { results: [sample], next: null },
      },
    ],
  },
  getErasure: {
    method: 'GET',
    path: '/v1/erasures/{id}',
    summary: 'Read the progress of an erasure and its certificate',
    scope: 'players:read',
    params: closedObject({ id: Type.String({ format: 'uuid' }) }),
    answer: erasureSchema,
    refusals: ['objectNotFound'],
    examples: [{ name: 'one', params: { id: sample.id }, answer: sample }],
  },
  verifyCertificate: {
    method: 'POST',
    path: '/v1/erasures/verify',
    summary: 'Check a certificate of erasure',
    description: 'Returns `intact`, `changed` since it was made, or `unknown` to this installation.',
    scope: 'players:read',
    body: closedObject({ certificate }),
    answer: closedObject({ result: Type.Enum(['intact', 'changed', 'unknown']) }),
    examples: [
      {
        name: 'a certificate of another installation',
        body: { certificate: { id: '019ab2c6-0000-7f80-9123-456789abc556' } },
        answer: { result: 'unknown' },
      },
    ],
  },
});
