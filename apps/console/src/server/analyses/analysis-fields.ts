import { closedObject, defineOperation, type Operation, orNull } from '@tickrate/contract';
import Type, { type TProperties, type TSchema } from 'typebox';
import { time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';

export const count = Type.Number({ minimum: 0 });
export const memberPath = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}(\\.[A-Za-z_][A-Za-z0-9_]{0,63}){0,7}$',
  description: 'The dotted path of a member',
});
export const typeNameOf = Type.String({ minLength: 1, maxLength: 128 });
export const typesOf = Type.Optional(
  Type.Array(typeNameOf, { maxItems: 100, description: 'The default is all types' }),
);
const condition = closedObject({
  member: memberPath,
  is: Type.Enum(['equal', 'notEqual', 'less', 'lessOrEqual', 'greater', 'greaterOrEqual']),
  value: Type.Union([Type.String({ maxLength: 1_000 }), Type.Number(), Type.Boolean()]),
});
export const conditionList = Type.Array(condition, {
  maxItems: 10,
  description: 'All conditions must be true; an event without the member matches none',
});
export const where = Type.Optional(conditionList);
export const splitOf = Type.Optional(
  closedObject(
    { member: memberPath, mostValues: Type.Optional(Type.Integer({ minimum: 1, maximum: 20, default: 5 })) },
    {
      description: 'One row for each of the most frequent values of a member, and one for the rest',
    },
  ),
);
export const partOf = Type.Optional(
  closedObject(
    {
      member: memberPath,
      values: Type.Array(orNull(Type.String({ maxLength: 10_000 })), {
        minItems: 1,
        maxItems: 20,
        description: 'Null stands for events without the member',
      }),
      isRest: Type.Optional(
        Type.Boolean({ default: false, description: 'Whether to count all values except these' }),
      ),
    },
    { description: 'Only events with one of these values of a member: a part of a split' },
  ),
);
export const splitColumns = {
  split: Type.Optional(
    orNull(
      Type.String({ description: 'With `split`: the value. Null for events without it, and for the rest' }),
    ),
  ),
  isRest: Type.Optional(
    Type.Boolean({ description: 'With `split`: whether the row is for all other values' }),
  ),
};
const range = {
  from: Type.String({ format: 'date-time', description: 'Start of the range, inclusive' }),
  to: Type.String({ format: 'date-time', description: 'End of the range, exclusive' }),
};
const timeZone = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 64,
    default: 'UTC',
    description: 'The IANA name of the zone in which hours, days, weeks and months start',
  }),
);
const cost = closedObject({
  ms: Type.Number({ minimum: 0, description: 'Time at the database' }),
  rows: Type.Number({
    minimum: 0,
    description:
      "The project's rows in the tables of the query: no more of them were read. Counted once a minute",
  }),
});
const sql = Type.Optional(
  Type.Boolean({ default: false, description: 'Whether the answer contains the SQL of the analysis' }),
);

const day = '2020-01-01T00:00:00Z';
const sampleCost = { ms: 12, rows: 0 };
const week = { from: day, to: '2020-01-08T00:00:00Z' };

const base = {
  method: 'POST',
  tag: 'Analyses',
  keys: managers,
  scope: 'queries:read',
  anyText: true,
} as const;

export interface AnalysisParts<N extends string, P extends TProperties, R extends TSchema> {
  readonly id: string;
  readonly path: N;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: P;
  readonly row: R;
  readonly example: { readonly body: object; readonly results: readonly unknown[] };
}

/** An analysis over time, which can be compared with the period before. */
export function analysis<const N extends string, const P extends TProperties, const R extends TSchema>(
  parts: AnalysisParts<N, P, R>,
) {
  const { id, path, summary, description, parameters, row, example } = parts;
  return defineOperation({
    ...base,
    id,
    summary,
    ...(description === undefined ? {} : { description }),
    path: `/v1/analyses/${path}`,
    body: closedObject({
      ...range,
      timeZone,
      ...parameters,
      compare: Type.Optional(
        Type.Boolean({
          default: false,
          description: 'Whether the answer also contains the results of the period of equal length before',
        }),
      ),
      sql,
    }),
    answer: closedObject({
      results: Type.Array(row),
      cost,
      before: Type.Optional(
        closedObject({ from: time, to: time, results: Type.Array(row) }, { description: 'With `compare`' }),
      ),
      sql: Type.Optional(
        Type.String({ description: 'With `sql`: runs at `/v1/query` and returns the same rows' }),
      ),
    }),
    examples: [
      {
        name: 'a week',
        body: { ...week, ...example.body },
        answer: { results: example.results, cost: sampleCost },
      },
    ],
  } as const satisfies Operation);
}

/** The players behind a figure of an analysis, in pages. */
export function playersBehind<const N extends string, const P extends TProperties>(parts: {
  readonly id: string;
  readonly path: N;
  readonly summary: string;
  readonly parameters: P;
  readonly example: object;
}) {
  const { id, path, summary, parameters, example } = parts;
  return defineOperation({
    ...base,
    id,
    summary,
    description: 'Lists players by account id, in pages. Also requires the scope `personal:read`.',
    path: `/v1/analyses/${path}/players`,
    body: closedObject({
      ...range,
      timeZone,
      ...parameters,
      ...pageQuery({}).properties,
    }),
    answer: pageAnswer(closedObject({ accountId: Type.String(), events: count })),
    examples: [{ name: 'a week', body: { ...week, ...example }, answer: { results: [], next: null } }],
  } as const satisfies Operation);
}
