import Type, { type Static } from 'typebox';
import { closedObject } from '../json/schema-shapes.ts';
import { limits } from '../limits.ts';
import { defineOperation } from './operation.ts';

const dayMs = 24 * 3600 * 1000;
const address = Type.Union([Type.String(), Type.Null()]);

const discoverySchema = closedObject({
  protocol: Type.Literal(1, { description: 'Version of the protocol of the client SDKs' }),
  events: address,
  sessions: address,
  limits: closedObject({
    bodyBytes: Type.Integer(),
    eventBytes: Type.Integer(),
    keyDays: Type.Integer({ description: 'How long a repeated Idempotency-Key is recognised' }),
    pastDays: Type.Integer({ description: 'Older event times are limited' }),
    endedSessionDays: Type.Integer({ description: 'How long an ended session may send events' }),
  }),
  capabilities: Type.Array(Type.String()),
});
export type Discovery = Static<typeof discoverySchema>;

const capabilities = ['ndjson', 'gzip', 'beacon', 'bodyConflict', 'endedSessions', 'notices'];

/** What a client needs besides its key. */
export function describeInstallation(settings: {
  readonly eventsUrl: string | null;
  readonly sessionsUrl: string | null;
  readonly keyLifetimeMs: number;
}): Discovery {
  return {
    protocol: 1,
    events: settings.eventsUrl,
    sessions: settings.sessionsUrl,
    limits: {
      bodyBytes: limits.eventBodyBytes,
      eventBytes: limits.eventBytes,
      keyDays: Math.floor(settings.keyLifetimeMs / dayMs),
      pastDays: limits.occurredPastMs / dayMs,
      endedSessionDays: limits.lateEventsMs / dayMs,
    },
    capabilities,
  };
}

/** Gateway and auth serve it alike. */
export const discoveryOperation = defineOperation({
  id: 'discover',
  method: 'GET',
  path: '/.well-known/tickrate',
  tag: 'Discovery',
  summary: 'Find the addresses, limits and capabilities of this installation',
  keys: [],
  answer: discoverySchema,
  examples: [
    {
      name: 'an installation',
      answer: describeInstallation({
        eventsUrl: 'https://events.example.com',
        sessionsUrl: 'https://auth.example.com',
        keyLifetimeMs: 32 * dayMs,
      }),
    },
  ],
});
