import { closedObject, defineOperation, orNull } from '@tickrate/contract';
import Type from 'typebox';
import { count, time } from '../calls/fields.ts';
import { managers } from '../calls/managed.ts';
import { insertsSchema, queueSchema, warehouseSchema } from './pipeline-operations.ts';

export const pipelineSampleSchema = closedObject({
  at: time,
  queue: orNull(queueSchema),
  inserts: insertsSchema('The minute before'),
  warehouse: orNull(warehouseSchema),
});

export const getPipelineHistory = defineOperation({
  id: 'getPipelineHistory',
  method: 'GET',
  path: '/v1/pipeline/history',
  tag: 'Pipeline',
  summary: 'Read the last hours of the pipeline',
  description:
    'Inserts with events of the project by `bucketSeconds`, without empty buckets. Only the owner of the installation sees ' +
    '`installation`: a sample of each minute.',
  keys: managers,
  scope: 'pipeline:read',
  query: closedObject({ hours: Type.Optional(Type.Integer({ minimum: 1, maximum: 24, default: 1 })) }),
  answer: closedObject({
    bucketSeconds: count,
    inserts: Type.Array(
      closedObject({ at: time, events: count, inserts: count, meanSeconds: Type.Number({ minimum: 0 }) }),
    ),
    installation: orNull(Type.Array(pipelineSampleSchema)),
  }),
  examples: [{ name: 'an hour', answer: { bucketSeconds: 60, inserts: [], installation: null } }],
});
