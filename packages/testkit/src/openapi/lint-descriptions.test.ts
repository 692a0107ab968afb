import { expect, test } from 'vitest';
import { lintDescriptions } from './lint-descriptions.ts';

const refused = {
  content: {
    'application/json': { schema: { $ref: '#/components/schemas/SystemError' } },
    'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
  },
};
const thing = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
const vague = { type: 'object', properties: { id: { type: 'string' } } };

function problemsOf(operation: object): string[] {
  return lintDescriptions({ paths: { '/v1/things': { put: { responses: {}, ...operation } } } });
}
const answered = (content: object) => ({ responses: { 200: { content }, 400: refused } });
const asked = (schema: object, type = 'application/json') => ({
  requestBody: { required: true, content: { [type]: { schema } } },
});
const parameter = (place: string, schema: object) => ({ parameters: [{ name: 'n', in: place, schema }] });

test.each([
  ['whole answers', answered({ 'application/json': { schema: thing } })],
  ['lines of text', answered({ 'application/x-ndjson': { schema: { type: 'string' } } })],
  ['an answer of what was sent', { ...asked({ ...vague, anyOf: [{ required: ['id'] }] }) }],
  ['a number with bounds', parameter('query', { type: 'integer', minimum: 1, maximum: 9 })],
  ['a text of one of two shapes', parameter('header', { anyOf: [{ format: 'date' }, { pattern: 'a' }] })],
])('accepts %s', (_, operation) => {
  expect(problemsOf(operation)).toEqual([]);
});

test.each([
  ['a refusal without problem+json', { responses: { 400: { content: { 'application/json': {} } } } }],
  ['an answer with nothing that must be there', answered({ 'application/json': { schema: vague } })],
  ['a list of such', answered({ 'application/json': { schema: { type: 'array', items: vague } } })],
  ['lines as an object', answered({ 'application/x-ndjson': { schema: thing } })],
  ['a body with nothing that must be there', asked(vague)],
  ['plain text as an object', asked(thing, 'text/plain')],
  ['a header of any text', parameter('header', { type: 'string', maxLength: 9 })],
  ['a query of any text', parameter('query', { type: 'string' })],
  ['a number without an end', parameter('query', { type: 'integer', minimum: 1 })],
])('reports %s', (_, operation) => {
  const [problem] = problemsOf({ ...operation });
  expect(problem).toContain('PUT /v1/things');
});
