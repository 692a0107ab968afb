import { describe, expect, test } from 'vitest';
import { createSessionDocument } from '../document/session-document.ts';
import { type AnswerBody, sessionOperations, startAuthWorld } from '../testing/auth-world.ts';

const { world, auth, key } = await startAuthWorld();

const body = { tokens: { deviceTestTokens: [{ deviceId: 'alias' }] } };
const inside = (path: string) => path.replace('/2018-03-24/', '').replaceAll(/\{\w+\}/g, 'x-nothing');

async function fetched(path: string, init: RequestInit = {}) {
  const answer = await fetch(`${auth.url}${path}`, {
    ...init,
    headers: { ...init.headers, Connection: 'close' },
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as AnswerBody };
}

// Invariant (Sign-in): Every call of auth behaves the same below each of its versions
describe('below /v1', () => {
  test('a client signs in, reads its session and signs out with the key of the session', async () => {
    const { authenticatedSession } = (await auth.send({ key, version: 'v1', body })).body;
    const own = { key: authenticatedSession.apiKey, path: 'session' };
    const read = await auth.send({ ...own, version: 'v1', method: 'GET' });
    expect(read.body.id).toBe(authenticatedSession.id);
    const dated = await auth.send({ ...own, method: 'GET' });
    expect(dated.body.accountId).toBe(authenticatedSession.accountId);
    expect((await auth.send({ ...own, version: 'v1', method: 'DELETE' })).body).toBe(true);
    expect((await auth.send({ ...own, method: 'GET' })).body.code).toBe(2004);
  });

  test.each(sessionOperations.map(({ id, method, path }) => [id, method, inside(path)] as const))(
    '%s is refused as below the dated version, and is no other path',
    async (_, method, path) => {
      const [alias, dated] = await Promise.all([
        auth.send({ version: 'v1', method, path }),
        auth.send({ method, path }),
      ]);
      const { requestId, ...data } = alias.body.data;
      expect([alias.status, alias.body.code, { ...data, requestId: dated.body.data.requestId }]).toEqual([
        401,
        2001,
        dated.body.data,
      ]);
    },
  );

  test('an unsupported method returns 405 with the supported ones', async () => {
    const refused = await auth.send({ version: 'v1', method: 'POST' });
    expect([refused.status, refused.body.code, refused.headers['allow']]).toEqual([405, 1007, 'PUT']);
  });

  test('web pages may send requests', async () => {
    const { headers } = await fetched('/v1/session', { headers: { Origin: 'https://kart.example' } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });

  test('requests are counted under separate routes', async () => {
    await auth.send({ key, version: 'v1', body });
    await expect.poll(() => world.log()).toContain('"route":"/v1/authenticate"');
  });
});

test('an unknown version returns 404 with the known ones', async () => {
  for (const version of ['v2', '2019-01-01']) {
    const { status, body } = await fetched(`/${version}/authenticate`, { method: 'PUT' });
    expect([status, body.code, body.data.knownVersions]).toEqual([404, 1006, ['2018-03-24', 'v1']]);
  }
  for (const path of ['/authenticate', '/v1/event/insert', '/v1', '/v1/health/live']) {
    const { status, body } = await fetched(path, { method: 'PUT' });
    expect([path, status, body.code, body.data.knownVersions]).toEqual([path, 404, 1006, undefined]);
  }
});

test('the document contains the alias', () => {
  expect(createSessionDocument(sessionOperations)).toMatchObject({
    'x-tickrate-aliases': [{ path: '/v1', of: '/2018-03-24' }],
    info: { description: expect.stringContaining('`/v1`') },
  });
});
