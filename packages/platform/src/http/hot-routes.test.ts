import { systemError } from '@tickrate/contract';
import { describe, expect, test } from 'vitest';
import { exchangeRaw, parseAnswers, startHarness } from '../testing/http-harness.ts';
import { answerText } from './answers/answer.ts';
import type { HotRoute } from './hot-routes.ts';

const handler: HotRoute['handler'] = async (request, response) => {
  if (request.url?.includes('refuse')) throw systemError('rateLimited', { retryAfterSeconds: 1 });
  if (request.url?.includes('fail')) throw new Error('a fault');
  answerText(response, '"hot"');
};
const hotRoutes: readonly HotRoute[] = [
  { path: '/v1/event/insert', methods: ['PUT', 'POST'], handler },
  { path: '/v1/event/insertMany', methods: ['PUT'], handler },
];

async function answerTo(head: string) {
  await using edge = await startHarness({ hotRoutes, routes: () => undefined, versions: ['v1'] });
  const text = await exchangeRaw(edge.port, `${head} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  const [answer] = parseAnswers(text);
  return { ...answer, route: edge.lines.find(({ msg }) => msg === 'request')?.['route'] };
}

// Invariant (HTTP): A route that is served without Express behaves like one of Express
describe('a hot route', () => {
  test.each([
    'PUT /v1/event/insert',
    'POST /v1/event/insert?a=b',
    'PUT /v1/event/insertMany',
    'PUT http://a/v1/event/insert',
  ])('serves %s', async (head) => expect(await answerTo(head)).toMatchObject({ status: 200, body: 'hot' }));

  test.each(['PUT /v1/event/insert/', 'PUT /V1/event/Insert', 'POST /v1/event/insert/?a=b'])(
    'serves %s under the same name',
    async (head) =>
      expect(await answerTo(head)).toMatchObject({ status: 200, body: 'hot', route: '/v1/event/insert' }),
  );

  test('is logged and counted under its path', async () =>
    expect((await answerTo('PUT /v1/event/insert?eventType=x')).route).toBe('/v1/event/insert'));

  test.each(['GET /v1/event/insert', 'DELETE /v1/event/insert?x=1'])('refuses %s with 1007', async (head) => {
    const { status, body, headers } = await answerTo(head);
    expect([status, body?.code, headers?.get('allow')]).toEqual([405, 1007, 'POST, PUT']);
  });

  test.each(['PUT /v1/event/insertX', 'PUT /v1/event/inser', 'PUT /v1/event/insert/x'])(
    'does not serve %s',
    async (head) => expect(await answerTo(head)).toMatchObject({ status: 404, body: { code: 1006 } }),
  );

  test('answers with the fault that its handler throws', async () => {
    expect(await answerTo('PUT /v1/event/insert?refuse')).toMatchObject({
      status: 429,
      body: { code: 6002 },
    });
    expect(await answerTo('PUT /v1/event/insert?fail')).toMatchObject({ status: 500 });
  });

  test('lists its methods for OPTIONS', async () =>
    expect((await answerTo('OPTIONS /v1/event/insert')).headers?.get('allow')).toBe('POST, PUT'));
});
