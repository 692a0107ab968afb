import { closedObject, defineOperation, type Operation } from '@tickrate/contract';
import Type, { type Static, type TObject } from 'typebox';
import { editVersion, recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery, searchFilter } from '../calls/pages.ts';

const name = Type.String({ minLength: 1, maxLength: 200 });

export const savedQueryContent = closedObject({
  sql: Type.String({ minLength: 1, maxLength: 65_536 }),
  parameters: Type.Optional(
    Type.Record(Type.String({ maxLength: 64 }), Type.String({ maxLength: 10_000 }), {
      description: 'The default values of its parameters',
    }),
  ),
});
export type SavedQueryContent = Static<typeof savedQueryContent>;

const tile = closedObject({
  title: Type.String({ maxLength: 200 }),
  chart: Type.Enum(['table', 'line', 'bar', 'number', 'funnel', 'retention']),
  columns: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 12,
      description: 'The width of a tile without `position`, of twelve',
    }),
  ),
  position: Type.Optional(
    closedObject(
      {
        x: Type.Integer({ minimum: 0, maximum: 11 }),
        y: Type.Integer({ minimum: 0, maximum: 10_000 }),
        width: Type.Integer({ minimum: 1, maximum: 12 }),
        height: Type.Integer({ minimum: 1, maximum: 50 }),
      },
      { description: 'On a grid of twelve columns' },
    ),
  ),
  savedQueryId: Type.Optional(recordId),
  query: Type.Optional(savedQueryContent),
  analysis: Type.Optional(
    closedObject(
      { name: Type.String({ maxLength: 40 }), parameters: Type.Object({}, { additionalProperties: true }) },
      {
        description:
          'One of `/v1/analyses` with its request body. Without `from` and `to`, the range of the dashboard applies. A condition ' +
          'with the value `{{name}}` uses the variable, and is left out while that is empty',
      },
    ),
  ),
});

const dashboardRange = Type.Union([
  closedObject({ lastSeconds: Type.Integer({ minimum: 60, maximum: 366 * 86_400 }) }),
  closedObject({ from: Type.String({ format: 'date-time' }), to: Type.String({ format: 'date-time' }) }),
]);

const variableName = Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' });

export const dashboardContent = closedObject({
  tiles: Type.Array(tile, { maxItems: 100 }),
  description: Type.Optional(Type.String({ maxLength: 2_000 })),
  range: Type.Optional(dashboardRange),
  timeZone: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
  refreshSeconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 86_400 })),
  variables: Type.Optional(
    Type.Array(
      closedObject({
        name: variableName,
        label: Type.Optional(Type.String({ maxLength: 200 })),
        /** Its values are suggested. */
        member: Type.Optional(Type.String({ maxLength: 600 })),
        value: Type.String({ maxLength: 1_000, description: 'The default; empty means no filter' }),
      }),
      { maxItems: 20 },
    ),
  ),
});
export type DashboardContent = Static<typeof dashboardContent>;

interface Kept<P extends string, C extends TObject> {
  readonly noun: 'SavedQuery' | 'Dashboard';
  readonly plural: string;
  readonly words: string;
  readonly path: P;
  readonly content: C;
  readonly example: {
    readonly name: string;
    readonly content: object;
    readonly id: string;
    /** Before and after an edit. */
    readonly versions: readonly [string, string];
  };
}

const base = { tag: 'Queries', keys: managers } as const;
const params = closedObject({ id: Type.String({ maxLength: 100 }) });
const bodyBytes = 512 * 1024;

export type SavedOperations = ReturnType<typeof savedOperations<string, TObject>>;

function savedOperations<const P extends string, C extends TObject>(kept: Kept<P, C>) {
  const record = closedObject({
    id: recordId,
    name,
    content: kept.content,
    createdBy: Type.String(),
    created: time,
    version: editVersion,
  });
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

function making<const P extends string, C extends TObject, R extends TObject>(
  { noun, plural, words, path, content, example }: Kept<P, C>,
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
      body: closedObject({ name, content }),
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
      query: pageQuery(searchFilter),
      answer: pageAnswer(record),
      examples: [{ name: 'all', answer: { results: [sample], next: null } }],
    } as const satisfies Operation),
  };
}

function changing<const P extends string, C extends TObject, R extends TObject>(
  { noun, words, path, content, example }: Kept<P, C>,
  record: R,
  sample: object,
) {
  const edited = { ...sample, name: `${example.name} 2`, version: example.versions[1] };
  const one = { ...base, path: `${path}/{id}` as const, scope: 'queries:write', params } as const;
  return {
    get: defineOperation({
      ...one,
      id: `get${noun}`,
      method: 'GET',
      scope: 'queries:read',
      summary: `Get a ${words}`,
      answer: record,
      refusals: ['objectNotFound'],
      examples: [{ name: 'one', params: { id: example.id }, answer: sample }],
    } as const satisfies Operation),
    edit: defineOperation({
      ...one,
      id: `edit${noun}`,
      method: 'PATCH',
      bodyBytes,
      summary: `Edit a ${words}`,
      body: closedObject({
        version: editVersion,
        name: Type.Optional(name),
        content: Type.Optional(content),
      }),
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

export const savedQueries = savedOperations({
  noun: 'SavedQuery',
  plural: 'SavedQueries',
  words: 'query',
  path: '/v1/saved-queries',
  content: savedQueryContent,
  example: {
    id: '019ab2c4-5d6e-7f80-9123-456789abca01',
    name: 'Levels',
    versions: ['sQ1dOhx3YTxZVhSJ', 'sQ2kK0nWT0dRrUmA'],
    content: { sql: 'SELECT level, count() AS n FROM level_up GROUP BY level' },
  },
});
export const dashboards = savedOperations({
  noun: 'Dashboard',
  plural: 'Dashboards',
  words: 'dashboard',
  path: '/v1/dashboards',
  content: dashboardContent,
  example: {
    id: '019ab2c4-5d6e-7f80-9123-456789abcb01',
    name: 'Overview',
    versions: ['dB1dOhx3YTxZVhSJ', 'dB2kK0nWT0dRrUmA'],
    content: {
      tiles: [
        {
          title: 'Players',
          chart: 'line',
          position: { x: 0, y: 0, width: 6, height: 4 },
          analysis: { name: 'players', parameters: { per: 'day' } },
        },
      ],
    },
  },
});
