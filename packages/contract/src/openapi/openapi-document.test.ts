import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { errorCatalogue } from '../error-catalogue.ts';
import { createOpenApiDocument } from './openapi-document.ts';
import { defineOperation } from './operation.ts';

const thing = Type.Object({ id: Type.String() });
const listThings = defineOperation({
  id: 'listThings',
  method: 'GET',
  path: '/v1/things',
  tag: 'Things',
  summary: 'List things',
  keys: ['administrative'],
  scope: 'things:read',
  query: Type.Object({ limit: Type.Optional(Type.Integer()) }),
  answer: Type.Object({ results: Type.Array(thing) }),
  refusals: ['objectNotFound'],
  examples: [{ name: 'all', query: { limit: 2 }, answer: { results: [{ id: 'a' }] } }],
});
const putThing = defineOperation({
  id: 'putThing',
  method: 'PUT',
  path: '/v1/things',
  tag: 'Things',
  summary: 'Put a thing',
  keys: [],
  body: thing,
  answer: thing,
  examples: [{ name: 'one', body: { id: 'a' }, answer: { id: 'a' } }],
});

const document = createOpenApiDocument({
  title: 'Things',
  version: 'v1',
  description: '',
  tags: [{ name: 'Things', description: 'All' }],
  schemas: { Thing: thing },
  operations: [listThings, putThing],
  // biome-ignore lint/suspicious/noExplicitAny: checked below
}) as any;

describe('the OpenAPI document', () => {
  test('defines a schema once and refers to it everywhere', () => {
    const { get, put } = document.paths['/v1/things'];
    expect(document.components.schemas.Thing.properties).toEqual({ id: { type: 'string' } });
    expect(get.responses['200'].content['application/json'].schema.properties.results.items).toEqual({
      $ref: '#/components/schemas/Thing',
    });
    expect(put.requestBody.content['application/json'].schema.$ref).toBe('#/components/schemas/Thing');
  });

  test('contains the examples of bodies, parameters and answers', () => {
    const { get, put } = document.paths['/v1/things'];
    expect(get.parameters[0]).toMatchObject({ name: 'limit', in: 'query', examples: { all: { value: 2 } } });
    expect(put.requestBody.content['application/json'].examples.one.value).toEqual({ id: 'a' });
  });

  test('lists the errors of a call by status', () => {
    const { get, put } = document.paths['/v1/things'];
    expect(get.responses['404']['x-tickrate-reasons']).toEqual(['objectNotFound']);
    expect(get.responses['403']['x-tickrate-reasons']).toContain('apiKeyScopeMissing');
    expect(Object.keys(put.responses)).not.toContain('401');
    expect(put.responses['413'].description).toContain(errorCatalogue.bodyTooLarge.message);
  });

  test('requires no key for a call without one', () => {
    expect(document.paths['/v1/things'].put.security).toEqual([]);
    expect(document.paths['/v1/things'].get.security).toBeUndefined();
  });
});
