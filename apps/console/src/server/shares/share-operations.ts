import { closedObject, operationsOf } from '@tickrate/contract';
import Type from 'typebox';
import { recordId, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { pageAnswer, pageQuery } from '../calls/pages.ts';
import { dashboardContent } from '../saved/saved-operations.ts';

const shareSchema = closedObject({
  id: recordId,
  dashboardId: recordId,
  dashboardName: Type.String(),
  createdBy: Type.String(),
  created: time,
  expires: time,
});

const token = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'The token behind the `#` of the link',
});
const sample = {
  id: '019ab2c4-5d6e-7f80-9123-456789abcc01',
  dashboardId: '019ab2c4-5d6e-7f80-9123-456789abcb02',
  dashboardName: 'Levels',
  createdBy: 'key 019ab2c4-0000-7000-8000-000000000001',
  created: '2026-11-21T09:00:00.000Z',
  expires: '2026-12-21T09:00:00.000Z',
};

const shownToken = 'token-of-a-link';

export const shareOperations = operationsOf({ tag: 'Queries', keys: managers })({
  createShare: {
    method: 'POST',
    path: '/v1/dashboards/{id}/shares',
    summary: 'Create a link with which anyone can read a dashboard',
    description:
      'The token is returned only once; the page is `/shared#<token>` at the console. A link shows no personal data, whoever creates it. ' +
      'It ends when it expires, when it is revoked, with the dashboard, and with the key that created it. A key that is bound to origins ' +
      'cannot create a link, and no link is valid longer than the key that creates it.',
    scope: 'queries:write',
    params: closedObject({ id: Type.String({ maxLength: 100 }) }),
    body: closedObject({
      days: Type.Integer({ minimum: 1, maximum: 366, description: 'How long it is valid' }),
    }),
    answer: closedObject({ share: shareSchema, token: Type.String() }),
    refusals: ['objectNotFound', 'notPermitted'],
    examples: [
      {
        name: 'for 30 days',
        params: { id: sample.dashboardId },
        body: { days: 30 },
        answer: { share: sample, token: 'd0kq3Xv1mTz8RbYwL5nGhC7sJfPeUa2oViQx9BtEy4K' },
      },
    ],
  },
  listShares: {
    method: 'GET',
    path: '/v1/shares',
    summary: 'List the links to dashboards, newest first',
    scope: 'queries:read',
    query: pageQuery({}),
    answer: pageAnswer(shareSchema),
    examples: [{ name: 'all', answer: { results: [sample], next: null } }],
  },
  revokeShare: {
    method: 'DELETE',
    path: '/v1/shares/{id}',
    summary: 'Revoke a link to a dashboard',
    scope: 'queries:write',
    params: closedObject({ id: Type.String({ maxLength: 100 }) }),
    answer: shareSchema,
    refusals: ['objectNotFound'],
    examples: [{ name: 'one', params: { id: sample.id }, answer: sample }],
  },
});

export const sharedOperations = operationsOf({ tag: 'Queries', keys: [] })({
  readShared: {
    method: 'POST',
    path: '/v1/shared',
    summary: 'Read a shared dashboard with the token of its link',
    description:
      'Without the SQL of its tiles, and without the parameters of analyses that a link does not show.',
    body: closedObject({ token }),
    answer: closedObject({ name: Type.String(), content: dashboardContent, expires: time }),
    refusals: ['tokenInvalid', 'rateLimited'],
    examples: [
      {
        name: 'a dashboard',
        body: { token: shownToken },
        answer: {
          name: 'Levels',
          content: {
            tiles: [{ title: 'One', chart: 'number', query: { sql: '-- A link does not show statements.' } }],
          },
          expires: '2026-12-21T09:00:00.000Z',
        },
      },
    ],
  },
  readSharedTile: {
    method: 'POST',
    path: '/v1/shared/tiles/{tile}',
    summary: 'Read the data of a tile of a shared dashboard',
    description:
      'Answers like the analysis of the tile, or like `/v1/query` with the format JSON. Without `range` and `variables`, those of the ' +
      'dashboard apply. Links share a budget of queries apart from that of the project, and a rate.',
    params: closedObject({
      tile: Type.Integer({ minimum: 0, maximum: 99, description: 'Its place in `tiles`' }),
    }),
    body: closedObject({
      token,
      range: Type.Optional(
        closedObject({
          from: Type.String({ format: 'date-time' }),
          to: Type.String({ format: 'date-time' }),
        }),
      ),
      variables: Type.Optional(
        Type.Record(
          Type.String({ pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$' }),
          Type.String({ maxLength: 1_000 }),
          {
            additionalProperties: false,
            description: 'Values of the variables of the dashboard',
          },
        ),
      ),
    }),
    answer: Type.Unknown({ description: 'The answer of the analysis or of the query' }),
    refusals: ['tokenInvalid', 'rateLimited', 'objectNotFound', 'apiKeyScopeMissing'],
    examples: [
      {
        name: 'the first tile',
        params: { tile: 0 },
        body: { token: shownToken },
        answer: { meta: [{ name: 'n', type: 'UInt8' }], data: [{ n: 1 }], rows: 1, cost: { ms: 3, rows: 0 } },
      },
    ],
  },
});
