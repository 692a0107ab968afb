import { createOpenApiDocument, defineOperation, systemError } from '@tickrate/contract';
import Type from 'typebox';
import { describe, expect, test } from 'vitest';
import { startHarness } from '../../testing/http-harness.ts';
import { addDocumentRoutes } from './document.ts';
import { addOperations, operationRoute } from './operations.ts';

const rename = defineOperation({
  id: 'renameThing',
  method: 'PATCH',
  path: '/v1/things/{thingId}',
  tag: 'Things',
  summary: 'Rename <a thing>',
  keys: ['administrative'],
  scope: 'things:write',
  params: Type.Object({ thingId: Type.String({ format: 'uuid' }) }, { additionalProperties: false }),
  query: Type.Object(
    { times: Type.Optional(Type.Integer({ minimum: 1, default: 1 })), loud: Type.Optional(Type.Boolean()) },
    { additionalProperties: false },
  ),
  body: Type.Object(
    { name: Type.String({ minLength: 1 }), at: Type.Optional(Type.String({ format: 'date-time' })) },
    { additionalProperties: false },
  ),
  answer: Type.Object({ said: Type.String() }),
  examples: [
    {
      name: 'a name',
      params: { thingId: '019ab000-0000-7000-8000-000000000001' },
      body: { name: 'Bo' },
      answer: { said: 'Bo' },
    },
  ],
});

const path = '/v1/things/019ab000-0000-7000-8000-000000000001';
const json = { 'content-type': 'application/json' };

async function start() {
  const done: string[] = [];
  const harness = await startHarness({
    routes: (app) => {
      addOperations<string>(app, {
        routes: [
          operationRoute<string, typeof rename>(rename, async ({ query, body, caller }) => {
            const name = query.loud ? body.name.toUpperCase() : body.name;
            return { said: `${caller}: ${name.repeat(query.times ?? 0)}` };
          }),
        ],
        admit: async ({ request }) => {
          if (request.headers['x-api-key'] === undefined) throw systemError('apiKeyMissing');
          return 'someone';
        },
        perform: async ({ operation }, work) => {
          const answer = await work();
          done.push(operation.id);
          return answer;
        },
      });
      addDocumentRoutes(app, () =>
        createOpenApiDocument({
          title: 'Things',
          version: 'v1',
          description: 'Of `things`.',
          tags: [{ name: 'Things', description: 'All of them' }],
          schemas: {},
          operations: [rename],
        }),
      );
    },
  });
  const send = async (
    target: string,
    body: unknown,
    headers: Record<string, string> = { 'X-API-Key': 'k' },
  ) => {
    const answer = await fetch(harness.url + target, {
      method: 'PATCH',
      headers: { ...json, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    // biome-ignore lint/suspicious/noExplicitAny: what a client decodes is what these tests are about
    return { status: answer.status, body: (await answer.json()) as any };
  };
  return { ...harness, [Symbol.asyncDispose]: harness[Symbol.asyncDispose], send, done };
}

describe('operations', () => {
  test('a call is admitted, checked, done and answered', async () => {
    await using server = await start();
    const answer = await server.send(`${path}?times=2&loud=true`, { name: 'bo' });
    expect(answer).toEqual({ status: 200, body: { said: 'someone: BOBO' } });
    expect((await server.send(path, { name: 'bo' })).body).toEqual({ said: 'someone: bo' });
    expect(server.done).toEqual(['renameThing', 'renameThing']);
  });

  test('the caller is checked before anything is read', async () => {
    await using server = await start();
    expect((await server.send(path, '{', {})).body.code).toBe(2001);
  });

  test.each([
    ['a body that is not JSON', path, '{', 1001, undefined],
    ['a member that is named twice', path, '{"name":"a","name":"b"}', 1001, undefined],
    ['a body of another type', path, [], 1002, undefined],
    ['a missing member', path, {}, 1003, 'name'],
    ['an unknown member', path, { name: 'a', nmae: 'b' }, 1003, 'nmae'],
    ['a member out of its bounds', path, { name: '' }, 1003, 'name'],
    ['a time that is none', path, { name: 'a', at: '2026-02-30T00:00:00Z' }, 1003, 'at'],
    ['an unknown parameter', `${path}?tmies=2`, { name: 'a' }, 1003, 'tmies'],
    ['a parameter that is given twice', `${path}?times=2&times=3`, { name: 'a' }, 1003, 'times'],
    ['a parameter of another type', `${path}?times=two`, { name: 'a' }, 1003, 'times'],
    ['a part of the path that is no id', '/v1/things/7', { name: 'a' }, 1003, 'thingId'],
    ['a text that PostgreSQL cannot keep', path, { name: 'a\0b' }, 1003, 'name'],
    ['a member that is a trap', path, '{"name":"a","__proto__":{}}', 1003, '__proto__'],
  ])('%s is refused, and nothing is done', async (_what, target, body, code, parameterName) => {
    await using server = await start();
    const answer = await server.send(target, body);
    expect([answer.body.code, answer.body.data.parameterName]).toEqual([code, parameterName]);
    expect(server.done).toEqual([]);
  });

  test('the document and its page are served to everybody', async () => {
    await using server = await start();
    const document = JSON.parse(await (await fetch(`${server.url}/openapi.json`)).text());
    expect(document.paths['/v1/things/{thingId}'].patch.operationId).toBe('renameThing');
    const page = await fetch(`${server.url}/docs`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const html = await page.text();
    expect(html).toContain('Rename &lt;a thing&gt;');
    expect(html).toContain('curl -X PATCH');
    expect(html).not.toMatch(/<script|https?:\/\//);
  });
});

describe('operations that are read leniently', () => {
  const counts: number[] = [];
  const open = { ...rename, body: Type.Object(rename.body.properties) };
  const startLenient = (operation = open) =>
    startHarness({
      routes: (app) =>
        addOperations<null>(app, {
          routes: [
            operationRoute<null, typeof open>(operation, async ({ params, body, unknownMembers }) => ({
              said: `${params.thingId} ${JSON.stringify(body)} ${unknownMembers}`,
            })),
          ],
          admit: async () => null,
          versions: ['v1', 'v2'],
          lenient: { onUnknownMembers: (count) => counts.push(count), anyTextMembers: ['name'] },
        }),
    });
  const send = async (url: string, body: string) => {
    const answer = await fetch(url, { method: 'PATCH', headers: json, body });
    return (await answer.json()) as object;
  };

  test('treat null and "" as absent, leave out and count unknown members, and ignore the query', async () => {
    await using server = await startLenient();
    const body = JSON.stringify({ name: 'a\0', at: null, more: 1, other: 2 });
    expect(await send(`${server.url}/v1/things/x?y=z`, body)).toEqual({
      said: 'x {"name":"a\\u0000"} /more,/other',
    });
    expect(counts).toEqual([2]);
    expect(await send(`${server.url}/v1/things/x`, '{"name":""}')).toMatchObject({ code: 1003 });
    expect(await send(`${server.url}/v1/things/x`, '[]')).toMatchObject({ code: 1002 });
  });

  test('reject an unknown member of a closed schema by name', async () => {
    await using server = await startLenient(rename);
    const answer = await send(`${server.url}/v1/things/x`, '{"name":"b","color":null}');
    expect(answer).toMatchObject({ code: 1003, data: { parameterName: 'color' } });
  });

  test('are served under every version', async () => {
    await using server = await startLenient();
    expect(await send(`${server.url}/v2/things/x`, '{"name":"b"}')).toEqual({ said: 'x {"name":"b"} ' });
  });
});
