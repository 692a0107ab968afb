import { closedObject, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { editVersion, recordId, time } from '../calls/fields.ts';

const banSchema = closedObject({
  reason: Type.String(),
  since: time,
  expires: orNull(Type.String({ format: 'date-time', description: 'Null: for good' })),
});

export const playerId = Type.String({
  pattern: '^[\\x21-\\x7e]{1,200}$',
  description: 'The id of an account',
});

export const playerSchema = closedObject({
  id: playerId,
  state: Type.Enum(['active', 'banned', 'archived'], {
    description: 'archived: merged into another account, so nobody can sign in to it',
  }),
  ban: orNull(banSchema),
  emailAddress: orNull(Type.String()),
  emailVerified: Type.Boolean(),
  displayName: orNull(Type.String()),
  avatarUrl: orNull(Type.String()),
  locale: orNull(Type.String()),
  created: time,
  lastSeen: orNull(
    Type.String({
      format: 'date-time',
      description: 'The last sign-in; null if its session was already deleted',
    }),
  ),
  hasPassword: Type.Boolean(),
  hasSecondFactor: Type.Boolean(),
  providers: Type.Array(Type.String(), { description: 'The linked platforms' }),
  version: editVersion,
});

export const playerSessionSchema = closedObject({
  id: Type.String(),
  state: Type.Enum(['live', 'expired', 'ended']),
  role: Type.String(),
  amr: Type.Array(Type.String(), { description: 'The verified credentials: a platform, `pwd`, `otp`' }),
  started: time,
  proven: Type.Unsafe<string>({ ...time, description: 'When credentials were last verified' }),
  expires: time,
  ended: orNull(time),
  endReason: orNull(Type.String()),
  clientAddress: Type.String(),
});

export const playerIdentitySchema = closedObject({
  id: recordId,
  provider: Type.String(),
  tenant: Type.String({ description: 'The issuer, with OpenID Connect' }),
  subject: Type.String({ description: 'The id of the player at the platform' }),
  displayName: orNull(Type.String()),
  linked: time,
});

const player = {
  id: 'u-bcdefghijkmnpqrstuvw',
  state: 'active',
  ban: null,
  emailAddress: 'max@example.com',
  emailVerified: true,
  displayName: 'Max',
  avatarUrl: null,
  locale: 'en',
  created: '2026-11-20T18:30:00.000Z',
  lastSeen: '2026-11-21T08:55:00.000Z',
  hasPassword: false,
  hasSecondFactor: true,
  providers: ['steam'],
  version: 'pL1dOhx3YTxZVhSJ',
} as const;
const ban = { reason: 'aimbot', since: '2026-11-21T09:12:00.000Z', expires: '2099-12-24T00:00:00.000Z' };
const session = {
  id: 'us-bcdefghijkmnpqrstuvw',
  state: 'live',
  role: 'builtin:user',
  amr: ['steam'],
  started: '2026-11-21T08:55:00.000Z',
  proven: '2026-11-21T08:55:00.000Z',
  expires: '2026-11-21T09:55:00.000Z',
  ended: null,
  endReason: null,
  clientAddress: '203.0.113.7',
} as const;

/** The player of the examples. The examples change it in order. */
export const playerExamples = {
  player,
  banned: { ...player, state: 'banned', ban, version: 'pL2dOhx3YTxZVhSK' },
  withoutSecondFactor: { ...player, hasSecondFactor: false },
  session,
  endedSession: { ...session, state: 'ended', ended: '2026-11-21T09:13:00.000Z', endReason: 'administrator' },
  identity: {
    id: '019ab2c6-5d6e-7f80-9123-456789abc888',
    provider: 'steam',
    tenant: '',
    subject: '76561197960287930',
    displayName: 'Max',
    linked: '2026-11-20T18:30:00.000Z',
  },
} as const;
