import { closedObject, operationsOf } from '@tickrate/contract';
import Type from 'typebox';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery, searchFilter } from '../calls/pages.ts';
import {
  changeSchema,
  declaredSchema,
  eventTypeBriefSchema,
  eventTypeFields,
  eventTypeSchema,
  versionBriefSchema,
} from './event-type-schemas.ts';

const { declaration, number, status } = eventTypeFields;
const typeParams = closedObject({ name: Type.String({ maxLength: 200 }) });
const versionParams = closedObject({ name: Type.String({ maxLength: 200 }), version: number });

const first = {
  type: 'object',
  required: ['level'],
  properties: { level: { type: 'integer', minimum: 1 } },
};
const second = {
  ...first,
  properties: { ...first.properties, character: { type: 'string', maxLength: 40 } },
};
const created = '2026-11-21T09:00:00.000Z';
const added = {
  pointer: '/character',
  kind: 'compatible',
  change: 'added',
  message: 'a new optional member',
  before: null,
  after: null,
} as const;
const name = 'boss_defeated';

export const eventTypeOperations = operationsOf({ tag: 'Event types', keys: managers })({
  declareEventType: {
    method: 'POST',
    path: '/v1/event-types/{name}/versions',
    summary: 'Declare a version of an event type',
    description:
      'Returns the difference to the previous version. With `dryRun`, nothing is written. With `compatibleOnly`, a change ' +
      'that could reject events of the previous version fails with 3002. A declaration outside the profile fails with 1003 and every ' +
      'fault in `queryFailureErrors`. It takes effect on every gateway within a second.',
    scope: 'eventTypes:write',
    params: typeParams,
    body: closedObject({
      declaration,
      description: Type.Optional(Type.Union([Type.String({ maxLength: 10_000 }), Type.Null()])),
      dryRun: Type.Optional(Type.Boolean()),
      compatibleOnly: Type.Optional(Type.Boolean()),
    }),
    bodyBytes: 512 * 1024,
    anyText: true,
    answer: declaredSchema,
    refusals: ['objectNotEditable', 'objectNotFound'],
    examples: [
      {
        name: 'the first version',
        params: { name },
        body: { declaration: first, description: 'A boss is down' },
        answer: { name, version: 1, unchanged: false, dryRun: false, changes: [] },
      },
      {
        name: 'a dry run',
        params: { name },
        body: { declaration: second, dryRun: true },
        answer: { name, version: 2, unchanged: false, dryRun: true, changes: [added] },
      },
      {
        name: 'a compatible version',
        params: { name },
        body: { declaration: second, compatibleOnly: true },
        answer: { name, version: 2, unchanged: false, dryRun: false, changes: [added] },
      },
    ],
  },
  listEventTypes: {
    method: 'GET',
    path: '/v1/event-types',
    summary: 'List event types, by name',
    scope: 'eventTypes:read',
    query: pageQuery(searchFilter),
    answer: pageAnswer(eventTypeBriefSchema),
    examples: [
      {
        name: 'all',
        answer: {
          results: [
            {
              name,
              description: 'A boss is down',
              created,
              viewFault: null,
              versions: [
                { version: 1, status: 'available', created },
                { version: 2, status: 'available', created },
              ],
            },
          ],
          next: null,
        },
      },
    ],
  },
  getEventType: {
    method: 'GET',
    path: '/v1/event-types/{name}',
    summary: 'Get an event type with its declarations',
    scope: 'eventTypes:read',
    params: typeParams,
    answer: eventTypeSchema,
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'one',
        params: { name },
        answer: {
          name,
          description: 'A boss is down',
          created,
          viewFault: null,
          versions: [
            { version: 1, status: 'available', created, fingerprint: 'a'.repeat(64), declaration: first },
            { version: 2, status: 'available', created, fingerprint: 'b'.repeat(64), declaration: second },
          ],
        },
      },
    ],
  },
  compareVersions: {
    method: 'GET',
    path: '/v1/event-types/{name}/difference',
    summary: 'Compare two versions',
    scope: 'eventTypes:read',
    params: typeParams,
    query: closedObject({ from: number, to: number }),
    answer: closedObject({ compatible: Type.Boolean(), changes: Type.Array(changeSchema) }),
    refusals: ['objectNotFound'],
    examples: [
      {
        name: 'forwards',
        params: { name },
        query: { from: 1, to: 2 },
        answer: { compatible: true, changes: [added] },
      },
    ],
  },
  setVersionStatus: {
    method: 'PATCH',
    path: '/v1/event-types/{name}/versions/{version}',
    summary: 'Deprecate, retire or restore a version',
    description:
      'Events of a deprecated version are still accepted, with a Deprecation header. Events of a retired one fail with 8004. `from` is the ' +
      'status that you read. If the status has changed since, the call fails with 3004.',
    scope: 'eventTypes:write',
    params: versionParams,
    body: closedObject({ from: status, status }),
    answer: versionBriefSchema,
    refusals: ['objectNotFound', 'objectChanged'],
    examples: [
      {
        name: 'deprecate',
        params: { name, version: 1 },
        body: { from: 'available', status: 'deprecated' },
        answer: { version: 1, status: 'deprecated', created },
      },
      {
        name: 'retire',
        params: { name, version: 1 },
        body: { from: 'deprecated', status: 'retired' },
        answer: { version: 1, status: 'retired', created },
      },
    ],
  },
});
