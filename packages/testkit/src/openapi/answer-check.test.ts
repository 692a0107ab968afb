import { describe, expect, test } from 'vitest';
import { createAnswerCheck } from './answer-check.ts';
import { playExamples } from './play-examples.ts';

const refusal = (reasons: string[]) => ({ 'x-tickrate-reasons': reasons });
const document = {
  openapi: '3.1.1',
  'x-tickrate-aliases': [{ path: '/old', of: '/v1' }],
  paths: {
    '/v1/things/{id}': {
      get: {
        responses: {
          200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
          404: refusal(['objectNotFound']),
        },
      },
    },
    '/v1/things/all': {
      get: { responses: { 200: { content: { 'application/json': { schema: { type: 'array' } } } } } },
    },
  },
  components: {
    schemas: {
      Thing: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      SystemError: { type: 'object', required: ['code', 'data'] },
    },
  },
};
const check = createAnswerCheck(document);
const answer = {
  method: 'GET',
  path: '/v1/things/7?a=b',
  status: 200,
  contentType: 'application/json; charset=utf-8',
  body: { id: '7' } as unknown,
};
const refused = (reason: string) => ({ code: 1, data: { reason } });

describe('the check of answers', () => {
  test('accepts the answers that the document describes', () => {
    check(answer);
    check({ ...answer, path: '/v1/things/all', body: [] });
    check({ ...answer, path: '/old/things/7' });
    check({ ...answer, status: 404, body: refused('objectNotFound') });
    check({ ...answer, path: '/v2/none', status: 404, body: refused('routeNotFound') });
    check({ ...answer, method: 'PUT', status: 405, body: refused('methodNotAllowed') });
    check({ ...answer, path: '/health/live', body: 'anything' });
  });

  test.each([
    ['a member is missing', { body: {} }],
    ['a member is missing below an alias', { path: '/old/things/7', body: {} }],
    ['the type is another', { contentType: 'text/html' }],
    ['the status is not described', { status: 500, body: refused('internalException') }],
    ['the reason is not described', { status: 404, body: refused('routeNotFound') }],
    ['a refusal is not a SystemError', { status: 404, body: { data: { reason: 'objectNotFound' } } }],
    ['an unknown path answers', { path: '/v2/none' }],
    ['an unknown method answers', { method: 'PUT' }],
    ['the more exact path says otherwise', { path: '/v1/things/all' }],
  ])('fails when %s', (_what, change) => {
    expect(() => check({ ...answer, ...change })).toThrow();
  });
});

const made = {
  id: 'makeThing',
  method: 'POST',
  path: '/v1/things',
  examples: [
    {
      name: 'one',
      body: { name: 'Bo' },
      answer: { id: '019ab2c4-5d6e-7f80-9123-456789abcdef', name: 'Bo' },
    },
  ],
};
const got = {
  id: 'getThing',
  method: 'GET',
  path: '/v1/things/{id}',
  examples: [
    {
      name: 'it',
      params: { id: '019ab2c4-5d6e-7f80-9123-456789abcdef' },
      query: { of: 'p-sample' },
      answer: { id: '019ab2c4-5d6e-7f80-9123-456789abcdef', name: 'Bo' },
    },
  ],
};

describe('the story of examples', () => {
  const id = '00000000-0000-7000-8000-000000000007';

  test('sends values from earlier answers', async () => {
    const sent: string[] = [];
    const send = async ({ method, path }: { method: string; path: string }) => {
      sent.push(`${method} ${path}`);
      return { status: 200, body: { id, name: 'Bo' } };
    };
    expect(await playExamples([made, got], { send, known: { 'p-sample': 'p-mine' } })).toBe(2);
    expect(sent).toEqual(['POST /v1/things', `GET /v1/things/${id}?of=p-mine`]);
  });

  test.each([
    ['a value is another', { id, name: 'Jo' }],
    ['a member is missing', { id }],
    ['there is one more member', { id, name: 'Bo', age: 3 }],
    ['an id is not one', { id: 7, name: 'Bo' }],
  ])('fails when %s', async (_what, body) => {
    const play = playExamples([made], { send: async () => ({ status: 200, body }), known: {} });
    await expect(play).rejects.toThrow('makeThing, one');
  });

  test('fails when an id changes on the way', async () => {
    let calls = 0;
    const send = async () => {
      calls += 1;
      return { status: 200, body: { id: id.replace(/7$/, String(calls)), name: 'Bo' } };
    };
    await expect(playExamples([made, got], { send, known: {} })).rejects.toThrow('getThing, it');
  });
});
