import { expect, test } from 'vitest';
import { sampleOf } from './sample-of.ts';

test.each([
  [{ type: 'integer' }, 1],
  [{ type: 'integer', minimum: 12 }, 12],
  [{ type: 'integer', maximum: -5 }, -5],
  [{ type: 'integer', minimum: 1, multipleOf: 10 }, 10],
  [{ type: ['number', 'null'], exclusiveMinimum: 3 }, 4],
  [{ type: 'string', maxLength: 2 }, 'te'],
  [{ type: 'string', minLength: 6 }, 'text__'],
  [{ type: 'string', format: 'date' }, '2026-01-31'],
  [{ type: 'string', enum: [null, 'easy', 'hard'] }, 'easy'],
  [{ type: 'string', examples: ['ranger'] }, 'ranger'],
  [{ type: 'array', minItems: 2, items: { type: 'boolean' } }, [true, true]],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, {}],
  [{ properties: { level: { type: 'integer' } }, type: 'object' }, { level: 1 }],
])('a sample fits its schema: %j', (schema, sample) => {
  expect(sampleOf(schema)).toEqual(sample);
});
