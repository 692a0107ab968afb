import { closedObject, grantableScopes, operationsOf, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { editVersion, projectId, recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

const kind = Type.Enum(['public', 'administrative']);
const comment = Type.String({ maxLength: 1_000, description: 'The purpose of the key' });
const scopes = Type.Array(Type.Enum([...grantableScopes]), {
  maxItems: 50,
  description: 'The permissions of an administrative key. A caller can grant only scopes that it has',
});
const origins = orNull(
  Type.Array(Type.String({ maxLength: 300 }), {
    maxItems: 100,
    description: 'The web origins that can use it; null means any. The default is those of the calling key',
  }),
);

export const keySchema = closedObject({
  id: recordId,
  projectId,
  prefix: Type.String({ description: 'The first characters' }),
  ending: Type.String({ description: 'The last four characters. The rest is not stored' }),
  kind,
  comment: Type.String(),
  scopes: Type.Array(Type.String()),
  origins: orNull(Type.Array(Type.String())),
  createdBy: Type.String(),
  created: time,
  lastUsed: orNull(time),
  expires: orNull(time),
  revoked: orNull(time),
  version: editVersion,
});
export const newKeySchema = closedObject({
  text: Type.String({ description: 'Shown only once, and not stored' }),
  key: keySchema,
});

const sample = {
  id: '019ab2c4-5d6e-7f80-9123-456789abcdef',
  projectId: 'p-abcdefghijkm',
  prefix: 'tk_adm_7Hq2x',
  ending: '0000',
  kind: 'administrative',
  comment: 'Nightly reports',
  scopes: ['queries:read'],
  origins: null,
  createdBy: 'key 019ab2c4-0000-7000-8000-000000000001',
  created: '2026-11-21T09:00:00.000Z',
  lastUsed: null,
  expires: null,
  revoked: null,
  version: 'pM1x0rSg3qk2vT9a',
};
const edited = { ...sample, comment: 'Weekly reports', version: 'kk2J0rSg3qkevT9b' };
const successor = {
  ...edited,
  id: '019ab2c5-5d6e-7f80-9123-456789abcdee',
  prefix: 'tk_adm_9Lw4z',
  created: '2026-11-21T09:05:00.000Z',
};
const previous = { ...edited, expires: '2026-11-21T10:05:00.000Z', version: 'aa2J0rSg3qkevT9c' };
const text = (prefix: string) => `${prefix}${'0'.repeat(31)}`;

const params = closedObject({ keyId: Type.String({ maxLength: 100 }) });

export const keyOperations = operationsOf({ tag: 'API keys', keys: managers })({
  createKey: {
    method: 'POST',
    path: '/v1/keys',
    summary: 'Create a key',
    description:
      'A key that a key creates cannot have more scopes, other origins or a later expiry; the call then fails with 2006 or ' +
      '1003. Absent `origins` and `expires` are copied from the calling key. Absent `scopes` are not: the new key then has no ' +
      'scopes, and is rejected by every call that requires one. Revoking the calling key also revokes the new one.',
    scope: 'keys:write',
    body: closedObject({
      kind,
      comment: Type.Optional(comment),
      scopes: Type.Optional(scopes),
      origins: Type.Optional(origins),
      expires: Type.Optional(orNull(time)),
    }),
    answer: newKeySchema,
    examples: [
      {
        name: 'for reports',
        body: { kind: 'administrative', comment: 'Nightly reports', scopes: ['queries:read'] },
        answer: { text: text(sample.prefix), key: sample },
      },
    ],
  },
  listKeys: {
    method: 'GET',
    path: '/v1/keys',
    summary: 'List keys, newest first',
    scope: 'keys:read',
    query: pageQuery({}),
    answer: pageAnswer(keySchema),
    examples: [
      { name: 'the newest', query: { limit: 1 }, answer: { results: [sample], next: 'eyJjcmVhdGVk' } },
    ],
  },
  getKey: {
    method: 'GET',
    path: '/v1/keys/{keyId}',
    summary: 'Get a key',
    scope: 'keys:read',
    params,
    answer: keySchema,
    refusals: ['objectNotFound'],
    examples: [{ name: 'one', params: { keyId: sample.id }, answer: sample }],
  },
  editKey: {
    method: 'PATCH',
    path: '/v1/keys/{keyId}',
    summary: 'Edit a key',
    scope: 'keys:write',
    params,
    body: closedObject({
      version: editVersion,
      comment: Type.Optional(comment),
      scopes: Type.Optional(scopes),
      origins: Type.Optional(origins),
    }),
    answer: keySchema,
    refusals: ['objectNotFound', 'objectChanged', 'objectNotEditable'],
    examples: [
      {
        name: 'another comment',
        params: { keyId: sample.id },
        body: { version: sample.version, comment: 'Weekly reports' },
        answer: edited,
      },
    ],
  },
  rotateKey: {
    method: 'POST',
    path: '/v1/keys/{keyId}/rotate',
    summary: 'Replace a key',
    description:
      'Creates a new key with the same rights. Both keys work until the overlap ends. The new key has the lifetime of the old one, but not ' +
      'longer than that of the calling key. Without an overlap, keys created with the old one are revoked.',
    scope: 'keys:write',
    params,
    body: closedObject({
      overlapSeconds: Type.Integer({ minimum: 0, maximum: 7 * 24 * 3600, description: 'At most 7 days' }),
    }),
    answer: closedObject({ ...newKeySchema.properties, previous: keySchema }),
    refusals: ['objectNotFound', 'objectNotEditable'],
    examples: [
      {
        name: 'with an overlap of one hour',
        params: { keyId: sample.id },
        body: { overlapSeconds: 3600 },
        answer: { text: text(successor.prefix), key: successor, previous },
      },
    ],
  },
  revokeKey: {
    method: 'DELETE',
    path: '/v1/keys/{keyId}',
    summary: 'Revoke a key',
    description:
      'Also revokes all keys that it created, their keys, and the open invitations of all of them. Takes effect on every process ' +
      'within a second. Revoking again changes nothing. A caller with fewer rights or an earlier expiry than the key cannot revoke it.',
    scope: 'keys:write',
    params,
    answer: keySchema,
    refusals: ['objectNotFound', 'objectNotEditable'],
    examples: [
      {
        name: 'one',
        params: { keyId: sample.id },
        answer: { ...previous, revoked: '2026-11-21T09:06:00.000Z', version: 'bb2J0rSg3qkevT9d' },
      },
    ],
  },
});
