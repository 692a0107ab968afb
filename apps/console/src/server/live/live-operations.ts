import { closedObject, defineOperation } from '@tickrate/contract';
import Type from 'typebox';
import { managers } from '../calls/managed.ts';

const text = Type.String({ minLength: 1, maxLength: 200 });

export const streamLive = defineOperation({
  id: 'streamLive',
  method: 'GET',
  path: '/v1/live',
  tag: 'Queries',
  summary: 'Stream stored events as they arrive',
  description:
    'Server-sent events. An `events` frame, at most four a second, contains up to 100 `events`, how many matching ones it left out ' +
    '(`skipped`), how many were not read (`unread`), `lagSeconds` and `failing`. A `heartbeat` follows 15 seconds without a frame. ' +
    'An `end` frame says why the stream ends. Send `Last-Event-ID` to continue. Rights are checked again every second. ' +
    'Without `personal:read`, personal data is hidden, and filters on it fail with 2006.',
  keys: managers,
  scope: 'queries:read',
  query: closedObject({
    types: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2_000,
        description: 'Names of event types, separated by commas',
      }),
    ),
    accountId: Type.Optional(text),
    sessionId: Type.Optional(text),
    where: Type.Optional(
      Type.String({
        minLength: 2,
        maxLength: 4_000,
        description:
          'A JSON array of conditions, as in the analyses: `[{"member":"level","is":"greater","value":5}]`',
      }),
    ),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 86_400,
        description: 'Ends the stream this long after its first frame',
      }),
    ),
  }),
  headers: Type.Object({
    'Last-Event-ID': Type.Optional(
      Type.String({
        pattern: '^[0-9a-f-]{36}\\.\\d{1,15}\\.\\d{1,15}$',
        description: 'The `id` of the last frame',
      }),
    ),
  }),
  answer: Type.String({ description: 'Server-sent events' }),
  answerTypes: ['text/event-stream'],
  examples: [
    {
      name: 'for a second',
      query: { types: 'never_sent', seconds: 1 },
      answer:
        'id: 019ab2c4-5d6e-7f80-9123-456789abcdef.0.0\nevent: events\n' +
        'data: {"events":[],"skipped":0,"unread":0,"lagSeconds":0,"failing":false}\n\n' +
        'event: end\ndata: {"reason":"closed"}\n\n',
    },
  ],
});
