import { closedObject, operationsOf, orNull } from '@tickrate/contract';
import { codeLanguages } from '@tickrate/events';
import Type from 'typebox';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';
import {
  declarationFileSchema,
  declaredSchema,
  eventTypeFields,
  faultSchema,
  sampleEventSchema,
} from './event-type-schemas.ts';

const { number } = eventTypeFields;
const typeParams = closedObject({ name: Type.String({ maxLength: 200 }) });
const version = Type.Optional(
  Type.Integer({ ...number, description: 'The default is the newest available version' }),
);
const name = 'boss_defeated';
const declaration = {
  type: 'object',
  required: ['level'],
  properties: {
    level: { type: 'integer', minimum: 1 },
    character: { type: 'string', maxLength: 40 },
  },
};

const refused = closedObject({
  name: Type.String(),
  errors: Type.Array(faultSchema),
  changes: declaredSchema.properties.changes,
});

export const eventToolOperations = operationsOf({ tag: 'Event types', keys: managers })({
  validateEvent: {
    method: 'POST',
    path: '/v1/event-types/{name}/validate',
    summary: 'Validate an event without sending it',
    description:
      'The body is the event. It is checked with the same code as on the gateways, and not stored.',
    scope: 'eventTypes:read',
    params: typeParams,
    query: closedObject({ version }),
    body: Type.Object({}, { additionalProperties: true }),
    bodyBytes: 1024 * 1024,
    anyText: true,
    answer: closedObject({
      valid: Type.Boolean(),
      version: number,
      errors: Type.Array(faultSchema, { maxItems: 100 }),
    }),
    refusals: ['objectNotFound', 'eventTooLarge'],
    examples: [
      {
        name: 'as declared',
        params: { name },
        body: { level: 3, character: 'ranger' },
        answer: { valid: true, version: 2, errors: [] },
      },
      {
        name: 'with an invalid member',
        params: { name },
        query: { version: 2 },
        body: { level: 0 },
        answer: {
          valid: false,
          version: 2,
          errors: [
            {
              domain: 'event',
              location: '/level',
              locationType: 'body',
              message: 'must be at least 1',
              reason: 'range',
            },
          ],
        },
      },
    ],
  },
  profileEventType: {
    method: 'GET',
    path: '/v1/event-types/{name}/members',
    summary: 'Show how the members of a type are filled',
    description:
      'Reads the newest 500 events. Lists each declared member with the share of events that have a value, and its most ' +
      'frequent values. Personal members have no values for callers without the scope `personal:read`.',
    scope: 'eventTypes:read',
    params: typeParams,
    answer: closedObject({
      sampledEvents: Type.Integer({ minimum: 0 }),
      members: Type.Array(
        closedObject({
          member: Type.String({ description: 'The dotted path' }),
          type: Type.String({ description: 'In ClickHouse' }),
          description: orNull(Type.String()),
          personal: Type.Boolean(),
          filled: Type.Number({ minimum: 0, maximum: 1 }),
          values: Type.Array(closedObject({ value: Type.String(), events: Type.Integer({ minimum: 1 }) })),
        }),
      ),
    }),
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'a type',
        params: { name },
        answer: {
          sampledEvents: 2,
          members: [
            {
              member: 'level',
              type: 'Int64',
              description: null,
              personal: false,
              filled: 1,
              values: [{ value: '3', events: 2 }],
            },
            {
              member: 'character',
              type: 'String',
              description: null,
              personal: false,
              filled: 0.5,
              values: [{ value: 'ranger', events: 1 }],
            },
          ],
        },
      },
    ],
  },
  sampleEvents: {
    method: 'GET',
    path: '/v1/event-types/{name}/samples',
    summary: 'List the newest events of a type',
    description:
      'Returns stored events. Personal members and the account are null for callers without the ' +
      'scope `personal:read`.',
    scope: 'eventTypes:read',
    params: typeParams,
    query: closedObject({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, default: 10 })) }),
    answer: closedObject({ results: Type.Array(sampleEventSchema), next: Type.Null() }),
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'the newest',
        params: { name },
        query: { limit: 1 },
        answer: {
          results: [
            {
              eventId: '019ab2c4-5d6e-7f80-9123-456789abc111',
              version: 2,
              received: '2026-11-21T09:00:01.000Z',
              occurred: '2026-11-21T09:00:00.000Z',
              accountId: null,
              sessionId: null,
              event: { level: 3, character: 'ranger' },
            },
          ],
          next: null,
        },
      },
    ],
  },
  writeTypeCode: {
    method: 'GET',
    path: '/v1/event-types/{name}/code',
    summary: 'Generate code types from a declaration',
    scope: 'eventTypes:read',
    params: typeParams,
    query: closedObject({ language: Type.Enum([...codeLanguages]), version }),
    answer: closedObject({ language: Type.String(), fileName: Type.String(), code: Type.String() }),
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'TypeScript',
        params: { name },
        query: { language: 'typescript' },
        answer: {
          language: 'typescript',
          fileName: 'BossDefeated.ts',
          code: '/** Event type boss_defeated, version 2. */\nexport interface BossDefeated {\n  readonly level: number;\n  readonly character?: string;\n}\n\nexport function bossDefeated(event: BossDefeated) {\n  return { eventType: "boss_defeated", eventTypeVersion: 2, event };\n}\n',
        },
      },
    ],
  },
  exportDeclarations: {
    method: 'GET',
    path: '/v1/declarations',
    summary: 'Export the newest declarations as files of a folder',
    scope: 'eventTypes:read',
    query: pageQuery({}),
    answer: pageAnswer(declarationFileSchema),
    examples: [
      {
        name: 'all',
        answer: { results: [{ name, description: 'A boss is down', declaration }], next: null },
      },
    ],
  },
  importDeclarations: {
    method: 'POST',
    path: '/v1/declarations',
    summary: 'Import a folder of declarations',
    description:
      'Declares each file separately, in order. `declared` is null for a rejected file; `refused` is null for a declared one. ' +
      'An unchanged declaration changes nothing. Try it with `dryRun` first.',
    scope: 'eventTypes:write',
    body: closedObject({
      declarations: Type.Array(declarationFileSchema, { minItems: 1, maxItems: 100 }),
      dryRun: Type.Optional(Type.Boolean()),
      compatibleOnly: Type.Optional(Type.Boolean()),
    }),
    bodyBytes: 8 * 1024 * 1024,
    anyText: true,
    answer: closedObject({
      results: Type.Array(closedObject({ declared: orNull(declaredSchema), refused: orNull(refused) })),
    }),
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'an unchanged declaration',
        body: { declarations: [{ name, declaration }] },
        answer: {
          results: [
            {
              declared: { name, version: 2, unchanged: true, dryRun: false, changes: [] },
              refused: null,
            },
          ],
        },
      },
    ],
  },
});
