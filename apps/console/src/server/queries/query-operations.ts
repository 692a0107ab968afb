import { closedObject, operationsOf } from '@tickrate/contract';
import { type QueryFormat, queryFormats } from '@tickrate/warehouse';
import Type from 'typebox';
import { managers } from '../calls/managed.ts';

const formats = Object.keys(queryFormats) as QueryFormat[];
const scalar = Type.Union([Type.String({ maxLength: 10_000 }), Type.Number(), Type.Boolean(), Type.Null()]);

const column = closedObject({
  name: Type.String(),
  type: Type.String({ description: 'In ClickHouse' }),
  comment: Type.String(),
});

export const queryOperations = operationsOf({ tag: 'Queries', keys: managers, scope: 'queries:read' })({
  runQuery: {
    method: 'POST',
    path: '/v1/query',
    summary: 'Query the project with SQL',
    description:
      "Runs one SELECT in ClickHouse's SQL over the project's typed views, one per event type, and `events` with all types. " +
      'A forbidden or invalid query fails with 1003 and `queryFailureErrors`. The answer is streamed; a failure cuts it ' +
      'off. Disconnecting ends the query. Without `personal:read`, personal data is hidden.',
    body: closedObject({
      sql: Type.String({ minLength: 1, maxLength: 65_536 }),
      parameters: Type.Optional(
        Type.Record(
          Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
          Type.Union([scalar, Type.Array(scalar, { maxItems: 1_000 })]),
          { additionalProperties: false, description: 'The values of `{name:Type}` in the SQL' },
        ),
      ),
      format: Type.Optional(Type.Enum(formats, { default: 'JSON' })),
    }),
    bodyBytes: 1024 * 1024,
    anyText: true,
    answer: Type.Unknown({
      description:
        'The rows in the requested `format`; with JSON, an object with `meta`, `data` and `cost`: `ms` at the database, and `rows`, the rows of the project in the tables of the query',
    }),
    answerTypes: formats.map((format) => queryFormats[format].contentType.split(';', 1)[0] ?? ''),
    examples: [
      {
        name: 'with a parameter',
        body: { sql: 'SELECT number * {by:UInt8} AS n FROM numbers(2)', parameters: { by: 3 } },
        answer: {
          meta: [{ name: 'n', type: 'UInt64' }],
          data: [{ n: '0' }, { n: '3' }],
          rows: 2,
          cost: { ms: 4, rows: 0 },
        },
      },
    ],
  },
  getQuerySchema: {
    method: 'GET',
    path: '/v1/query/schema',
    summary: 'List what a query can name',
    description:
      'The tables of the project with their columns, and the functions that queries may call. Aggregate functions also take ' +
      'the suffixes of ClickHouse, such as `If`. Without `personal:read`, columns with personal data are missing.',
    answer: closedObject({
      tables: Type.Array(
        closedObject({ name: Type.String(), comment: Type.String(), columns: Type.Array(column) }),
      ),
      functions: Type.Array(
        closedObject({
          name: Type.String(),
          isAggregate: Type.Boolean(),
          syntax: Type.String({ description: 'Empty if it is not known' }),
        }),
      ),
    }),
    examples: [
      {
        name: 'a type',
        answer: {
          tables: [
            {
              name: 'level_up',
              comment: 'A character reached a new level',
              columns: [{ name: 'level', type: 'Nullable(Int64)', comment: 'The level that was reached' }],
            },
          ],
          functions: [{ name: 'count', isAggregate: true, syntax: 'count([expr])' }],
        },
      },
    ],
  },
});
