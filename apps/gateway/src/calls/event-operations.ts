import {
  createOpenApiDocument,
  discoveryOperation,
  type JsonObject,
  limits,
  type Operation,
  operationsOf,
  partialAnswerSchema,
  type Reason,
  rejectionSchema,
  reportedFaultSchema,
  temporalRange,
} from '@tickrate/contract';
import Type from 'typebox';

const senders = ['public', 'session', 'administrative'] as const;
const eventType = Type.String({
  minLength: 1,
  maxLength: limits.eventTypeCharacters,
  description: 'The name of a declared type',
});
const eventTypeVersion = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: limits.eventTypeVersion,
    description: 'The default is the newest available version',
  }),
);
const apiKey = Type.Optional(
  Type.String({
    pattern: '^tk_(?:pub|ses|adm)_[0-9A-Za-z]{36}$',
    description: 'The API key, only with POST, for `navigator.sendBeacon`, which cannot set headers',
  }),
);
const dateTime = Type.String({ format: 'date-time' });
const milliseconds = Type.String({ pattern: '^[0-9]{1,14}$', description: 'Milliseconds since 1970' });
const event = Type.Object(
  {},
  { additionalProperties: true, description: 'The members that its type declares' },
);
const accepted = Type.Literal(true, {
  description: 'All events are accepted and durably stored in the queue',
});

const beacon = {
  apiKey,
  idempotencyKey: Type.Optional(
    Type.String({
      pattern: `^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`,
      description: 'Like the header Idempotency-Key, for `navigator.sendBeacon`',
    }),
  ),
  clientTime: Type.Optional(
    Type.Union([dateTime, milliseconds], {
      description: 'Like the header X-Client-Time, for `navigator.sendBeacon`',
    }),
  ),
};

const headers = Type.Object({
  'Idempotency-Key': Type.Optional(
    Type.String({
      pattern: `^[\\x21-\\x7e]{1,${limits.idempotencyKeyCharacters}}$`,
      description:
        'Makes a retry safe for 32 days: it returns the first answer and stores nothing. Another body returns 8010. Use 128 ' +
        'random bits: players who share a public key count as one sender, so a key that others can guess or choose too can ' +
        'suppress their events',
    }),
  ),
  'X-Client-Time': Type.Optional(
    Type.Union([dateTime, milliseconds], {
      description:
        'The clock of the sender, as RFC 3339 or milliseconds since 1970. Event times are corrected with it',
    }),
  ),
  'X-Tickrate-SDK': Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9._-]{1,32}/[A-Za-z0-9._+-]{1,32}$',
      description: 'Name and version of the SDK, such as `unity/1.2.0`',
    }),
  ),
});

const refusals: readonly Reason[] = [
  'eventTypeNotFound',
  'eventTypeVersionNotFound',
  'eventTypeVersionRetired',
  'eventDoesNotMatchType',
  'eventTooLarge',
  'eventQuotaExceeded',
  'idempotencyKeyReused',
];
const level = { level: 12, score: 4200 };
const sent = { eventType: 'level_up' };

const element = Type.Object({
  eventType,
  eventTypeVersion,
  eventId: Type.Optional(Type.String({ format: 'uuid', description: 'Makes a retry of this event safe' })),
  occurredAt: Type.Optional(
    Type.Union([dateTime, milliseconds, Type.Integer({ minimum: 0, maximum: temporalRange.latestMs })], {
      description: 'Time of the event, as RFC 3339 or milliseconds since 1970',
    }),
  ),
  event,
});

export const eventCalls = operationsOf({ tag: 'Events', keys: senders, headers })({
  insertEvent: {
    method: 'PUT',
    path: '/v1/event/insert',
    summary: 'Insert one event',
    query: Type.Object({ eventType, eventTypeVersion, ...beacon }),
    body: event,
    bodyTypes: ['application/json', 'text/plain'],
    bodyBytes: limits.singleEventBodyBytes,
    answer: accepted,
    refusals,
    examples: [
      { name: 'a level', query: sent, body: level, answer: true },
      {
        name: 'with an idempotency key',
        query: { ...sent, eventTypeVersion: 1 },
        headers: { 'Idempotency-Key': '8f2c5a90d3b14e67a1c40be95d7f3628' },
        body: level,
        answer: true,
      },
    ],
  },
  batchInsertEvents: {
    method: 'PUT',
    path: '/v1/event/batchInsert',
    summary: 'Insert events of one type',
    description:
      'All or nothing: one invalid event rejects the batch with 8005, which lists every invalid event. With `partial=true` the ' +
      'valid events are accepted, and the answer lists the others.',
    query: Type.Object({ eventType, eventTypeVersion, ...beacon, partial: Type.Optional(Type.Boolean()) }),
    body: Type.Array(event, { maxItems: limits.batchEvents }),
    bodyTypes: ['application/json', 'text/plain'],
    bodyBytes: limits.eventBodyBytes,
    answer: Type.Union([accepted, partialAnswerSchema]),
    refusals: [...refusals, 'batchTooLarge'],
    examples: [
      { name: 'all or nothing', query: sent, body: [level, { level: 13 }], answer: true },
      {
        name: 'only the valid events',
        query: { ...sent, partial: true },
        body: [level, { score: 1 }],
        answer: {
          accepted: 1,
          rejected: [
            {
              index: 1,
              errors: [
                {
                  domain: 'event',
                  location: '/1/level',
                  locationType: 'body',
                  message: 'is required',
                  reason: 'missing',
                },
              ],
            },
          ],
        },
      },
    ],
  },
  multiInsertEvents: {
    method: 'PUT',
    path: '/v1/event/multiInsert',
    summary: 'Insert events of any types',
    description:
      'Send a JSON array or one JSON value per line. Plain text is read as lines if it begins with an object. Valid events are accepted. Use `atomic=true` for all or nothing.',
    query: Type.Object({ ...beacon, atomic: Type.Optional(Type.Boolean()) }),
    body: Type.Array(element, { maxItems: limits.batchEvents }),
    bodyTypes: ['application/json', 'application/x-ndjson', 'text/plain'],
    bodyBytes: limits.eventBodyBytes,
    answer: partialAnswerSchema,
    refusals: [...refusals, 'batchTooLarge', 'streamPartlyAccepted'],
    examples: [
      {
        name: 'with an event id',
        body: [{ eventType: 'level_up', eventId: '019ab2c4-5d6e-7f80-9123-456789abcdef', event: level }],
        answer: { accepted: 1, rejected: [] },
      },
      {
        name: 'all or nothing',
        query: { atomic: true },
        body: [{ ...sent, event: level }],
        answer: { accepted: 1, rejected: [] },
      },
    ],
  },
});

const calls: readonly Operation[] = Object.values(eventCalls);

/** The calls of the event API. Each accepts PUT and POST. */
export const eventOperations: readonly Operation[] = [
  ...calls,
  ...calls.map(
    (call): Operation => ({
      ...call,
      id: `${call.id}ByPost`,
      method: 'POST',
      summary: `${call.summary}, with POST`,
    }),
  ),
];

const description = `Send events of declared types. They are validated and stored exactly once.

An answer of 200 means that the events are valid and durably stored in the queue. Queries return them within two seconds. If
a call fails with code 6001, retry the same request after \`data.retryAfterSeconds\`. Send the key in \`X-API-Key\`, as a
bearer token, or in the header \`api_key\`. Bodies can be compressed with gzip, deflate, br or zstd.`;

/** The OpenAPI document of the event API. */
export function createEventDocument(): JsonObject {
  return createOpenApiDocument({
    title: 'Tickrate event API',
    version: 'v1',
    description,
    tags: [
      { name: 'Events', description: 'Insert events of one type or of several, alone or in batches.' },
      { name: 'Discovery', description: 'What a client needs besides its key.' },
    ],
    schemas: { PartialAnswer: partialAnswerSchema, Rejection: rejectionSchema, Fault: reportedFaultSchema },
    operations: [...eventOperations, discoveryOperation],
  });
}
