import { defineOperation, type Operation } from '@tickrate/contract';
import Type, { type TObject } from 'typebox';
import { closed, editVersion, recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

const name = Type.String({ minLength: 1, maxLength: 200 });

export const savedQueryContent = Type.Object(
  {
    sql: Type.String({ minLength: 1, maxLength: 65_536 }),
    parameters: Type.Optional(
      Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 10_000 }), {
        description: 'The default values of its parameters',
      }),
    ),
  },
  closed,
);

const tile = Type.Object(
  {
    title: Type.String({ maxLength: 200 }),
    chart: Type.Enum(['table', 'line', 'bar', 'number', 'funnel', 'retention']),
    columns: Type.Integer({ minimum: 1, maximum: 12, description: 'Of twelve' }),
    savedQueryId: Type.Optional(recordId),
    analysis: Type.Optional(
      Type.Object(
        { name: Type.String({ maxLength: 40 }), parameters: Type.Object({}, { additionalProperties: true }) },
        { ...closed, description: 'One of `/v1/analyses` with its request body' },
      ),
    ),
  },
  closed,
);

export const dashboardContent = Type.Object({ tiles: Type.Array(tile, { maxItems: 100 }) }, closed);

interface Kept {
  readonly noun: 'SavedQuery' | 'Dashboard';
  readonly plural: string;
  readonly words: string;
  readonly path: string;
  readonly content: TObject;
  readonly example: {
    readonly name: string;
    readonly content: object;
    readonly id: string;
    /** Before and after an edit. */
    readonly versions: readonly [string, string];
  };
}

const base = { tag: 'Queries', keys: managers } as const;
const params = Type.Object({ id: Type.String({ maxLength: 100 }) }, closed);
const bodyBytes = 512 * 1024;

/** The calls of every kind of saved record. */
export function savedOperations(kept: Kept) {
  const record = Type.Object(
    {
      id: recordId,
      name,
      content: kept.content,
      createdBy: Type.String(),
      created: time,
      version: editVersion,
    },
    closed,
  );
  const sample = {
    id: kept.example.id,
    name: kept.example.name,
    content: kept.example.content,
    version: kept.example.versions[0],
    createdBy: 'key 019ab2c4-0000-7000-8000-000000000001',
    created: '2026-11-21T09:00:00.000Z',
  };
  return { ...making(kept, record, sample), ...changing(kept, record, sample) };
}

function making<R extends TObject>(
  { noun, plural, words, path, content, example }: Kept,
  record: R,
  sample: object,
) {
  return {
    create: defineOperation({
      ...base,
      id: `create${noun}`,
      method: 'POST',
      path,
      scope: 'queries:write',
      bodyBytes,
      summary: `Save a ${words}`,
      body: Type.Object({ name, content }, closed),
      answer: record,
      examples: [
        { name: 'a new record', body: { name: example.name, content: example.content }, answer: sample },
      ],
    } as const satisfies Operation),
    list: defineOperation({
      ...base,
      id: `list${plural}`,
      method: 'GET',
      path,
      scope: 'queries:read',
      summary: 'List saved records by name',
      query: pageQuery({}),
      answer: pageAnswer(record),
      examples: [{ name: 'all', answer: { results: [sample], next: null } }],
    } as const satisfies Operation),
  };
}

function changing<R extends TObject>(
  { noun, words, path, content, example }: Kept,
  record: R,
  sample: object,
) {
  const edited = { ...sample, name: `${example.name} 2`, version: example.versions[1] };
  const one = { ...base, path: `${path}/{id}`, scope: 'queries:write', params } as const;
  return {
    edit: defineOperation({
      ...one,
      id: `edit${noun}`,
      method: 'PATCH',
      bodyBytes,
      summary: `Edit a ${words}`,
      body: Type.Object(
        { version: editVersion, name: Type.Optional(name), content: Type.Optional(content) },
        closed,
      ),
      answer: record,
      refusals: ['objectNotFound', 'objectChanged'],
      examples: [
        {
          name: 'another name',
          params: { id: example.id },
          body: { version: example.versions[0], name: edited.name },
          answer: edited,
        },
      ],
    } as const satisfies Operation),
    remove: defineOperation({
      ...one,
      id: `delete${noun}`,
      method: 'DELETE',
      summary: `Delete a ${words}`,
      answer: record,
      refusals: ['objectNotFound'],
      examples: [{ name: 'one', params: { id: example.id }, answer: edited }],
    } as const satisfies Operation),
  };
}
