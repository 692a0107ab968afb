import { once } from 'node:events';
import { createServer } from 'node:net';
import { systemError } from '@tickrate/contract';
import { findFreePort, waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { connectRaw, exchangeRaw, parseAnswers, startHarness } from '../testing/http-harness.ts';
import { answerJson, answerText } from './answers/answer.ts';
import { readBody } from './body/read-body.ts';
import { contextOf } from './context.ts';
import { createHttpServer, type HttpServerOptions } from './server.ts';

const routes: HttpServerOptions['routes'] = (app) => {
  app.put('/v1/echo', async (request, response) => {
    const body = await readBody(request, { limitBytes: 1000, timeoutMs: 300 });
    answerJson(response, { length: body.length });
  });
  app.get('/v1/items/:id', (request, response) => {
    contextOf(request).keyPrefix = 'tk_pub_abcde';
    answerJson(response, { id: request.params.id, address: contextOf(request).clientAddress });
  });
  app.get('/v1/large', (_request, response) => answerJson(response, { text: 'x'.repeat(5000) }));
  app.get('/v1/broken', () => {
    throw new Error('a secret detail of the house');
  });
  app.get('/v1/busy', () => {
    throw systemError('temporarilyUnavailable', { retryAfterSeconds: 7 });
  });
  app.get('/v1/locked', () => {
    throw systemError('apiKeyMissing');
  });
  app.get('/v1/half', (_request, response) => {
    response.write('half');
    throw new Error('too late');
  });
};
const options = { routes, versions: ['v1'], browserPaths: ['/v1/'] };

describe('an answer of the server', () => {
  test('has the request id of the client if that is valid', async () => {
    await using edge = await startHarness(options);
    const answer = await fetch(`${edge.url}/v1/items/3`, { headers: { 'X-Request-Id': 'build-42.a_b' } });
    expect(answer.headers.get('x-request-id')).toBe('build-42.a_b');
    await waitUntil(() => edge.lines.some((line) => line['requestId'] === 'build-42.a_b'));
  });

  test('has a new request id if the client sent none or an invalid one', async () => {
    await using edge = await startHarness(options);
    for (const sent of ['', 'a b', 'x'.repeat(65), 'é']) {
      const text = await exchangeRaw(
        edge.port,
        `GET /v1/items/3 HTTP/1.1\r\nHost: a\r\nConnection: close\r\nX-Request-Id: ${sent}\r\n\r\n`,
      );
      expect(parseAnswers(text)[0]?.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('is one log line and one observation by the declared route, never by the path', async () => {
    await using edge = await startHarness(options);
    await fetch(`${edge.url}/v1/items/17?apiKey=tk_pub_secretsecret`);
    const line = await waitUntil(() => edge.lines.find((each) => each['msg'] === 'request'));
    expect(line).toMatchObject({
      method: 'GET',
      route: '/v1/items/:id',
      status: 200,
      key: 'tk_pub_abcde',
      bytes: 33,
    });
    expect(JSON.stringify(edge.lines)).not.toContain('secretsecret');
    expect(edge.lines.filter((each) => each['msg'] === 'request')).toHaveLength(1);
    expect(await edge.metrics.text()).toContain(
      'tickrate_http_request_duration_seconds_count{route="/v1/items/:id",method="GET",status="200"} 1',
    );
  });

  test('over 1 KiB is compressed with the coding that the client prefers, with a Vary header', async () => {
    await using edge = await startHarness(options);
    for (const [accepted, coding] of [
      ['gzip', 'gzip'],
      ['gzip;q=0.2, br', 'br'],
      ['deflate, zstd', 'zstd'],
      ['gzip;q=0', null],
      ['*', 'gzip'],
    ] as const) {
      const answer = await fetch(`${edge.url}/v1/large`, { headers: { 'Accept-Encoding': accepted } });
      expect(answer.headers.get('content-encoding')).toBe(coding);
      expect(answer.headers.get('vary')).toBe('Accept-Encoding');
      expect(await answer.json()).toEqual({ text: 'x'.repeat(5000) });
    }
  });

  test('that is small is compressed for clients that accept nothing else', async () => {
    await using edge = await startHarness(options);
    for (const [accepted, coding] of [
      ['identity;q=0, gzip', 'gzip'],
      ['br, *;q=0', 'br'],
      ['gzip, identity;q=0.1', null],
      ['identity;q=0', null],
    ] as const) {
      const answer = await fetch(`${edge.url}/v1/items/17`, { headers: { 'Accept-Encoding': accepted } });
      expect([accepted, answer.headers.get('content-encoding')]).toEqual([accepted, coding]);
      expect(await answer.json()).toMatchObject({ id: '17' });
    }
  });

  test('to HEAD is the headers of GET and no body', async () => {
    await using edge = await startHarness(options);
    const text = await exchangeRaw(
      edge.port,
      'HEAD /v1/large HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    expect(text).toContain('Content-Length: 5011');
    expect(text.endsWith('\r\n\r\n')).toBe(true);
  });
});

describe('a fault', () => {
  test('of the house is a SystemError with its code, its data and the request id', async () => {
    await using edge = await startHarness(options);
    const answer = await fetch(`${edge.url}/v1/busy`);
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('7');
    const requestId = answer.headers.get('x-request-id');
    expect(await answer.json()).toEqual({
      code: 6001,
      message: expect.any(String),
      fields: null,
      data: { retryAfterSeconds: 7, requestId, reason: 'temporarilyUnavailable' },
    });
  });

  test('is in the format of RFC 9457 for a client that requests it', async () => {
    await using edge = await startHarness(options);
    const answer = await fetch(`${edge.url}/v1/locked`, { headers: { Accept: 'application/problem+json' } });
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(await answer.json()).toMatchObject({ status: 401, code: 2001, data: { reason: 'apiKeyMissing' } });
  });

  test.each([
    ['application/json, Application/Problem+JSON', 'application/problem+json; charset=utf-8'],
    ['application/json;q=0.5, application/problem+json;q=0.8', 'application/problem+json; charset=utf-8'],
    ['application/json, application/problem+json;q=0.5', 'application/json; charset=utf-8'],
    ['*/*, application/problem+json;q=0', 'application/json; charset=utf-8'],
    ['application/*', 'application/json; charset=utf-8'],
  ])('is sent for Accept %j as %s', async (accept, contentType) => {
    await using edge = await startHarness(options);
    const answer = await fetch(`${edge.url}/v1/locked`, { headers: { Accept: accept } });
    expect(answer.headers.get('content-type')).toBe(contentType);
  });

  test('that is unexpected is 7001 without details, and is logged once with the request id', async () => {
    await using edge = await startHarness(options);
    const answer = await fetch(`${edge.url}/v1/broken`);
    const text = await answer.text();
    expect(answer.status).toBe(500);
    expect(text).not.toContain('secret detail');
    expect(JSON.parse(text)).toMatchObject({ code: 7001, data: { reason: 'internalException' } });
    const logged = edge.lines.filter((line) => line['msg'] === 'internal fault');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatchObject({ requestId: answer.headers.get('x-request-id'), route: '/v1/broken' });
  });

  test('that is unexpected is shown in development', async () => {
    await using edge = await startHarness({ ...options, development: true });
    const body = await (await fetch(`${edge.url}/v1/broken`)).json();
    expect(body).toMatchObject({
      data: { internalExceptionMessage: expect.stringContaining('secret detail') },
    });
  });

  test('after the answer has begun ends the connection', async () => {
    await using edge = await startHarness(options);
    await expect(fetch(`${edge.url}/v1/half`).then((answer) => answer.text())).rejects.toThrow();
    await waitUntil(() => edge.lines.some((line) => line['status'] === 'aborted'));
  });
});

describe('pipelined requests', () => {
  test('are served one after another, also those before bytes that are no request', async () => {
    let served = 0;
    let most = 0;
    await using edge = await startHarness({
      routes: (app) =>
        app.get('/v1/turn', async (_request, response) => {
          most = Math.max(most, ++served);
          await new Promise((resolve) => setImmediate(resolve));
          served--;
          answerJson(response, true);
        }),
    });
    const one = 'GET /v1/turn HTTP/1.1\r\nHost: a\r\n\r\n';
    const text = await exchangeRaw(edge.port, `${one.repeat(100)}garbage\r\n\r\n`);
    const answers = parseAnswers(text).map(({ status }) => status);
    expect(answers).toEqual([...Array<number>(100).fill(200), 400]);
    expect(most).toBe(1);
  });
});

describe('what no route takes', () => {
  test('is 1006', async () => {
    await using edge = await startHarness(options);
    for (const path of ['/', '/v1/nothing', '/v1', '/%E0%A4%A', '/v1/items/%ff', '//', '/favicon.ico']) {
      const answer = await fetch(`${edge.url}${path}`);
      expect(answer.status).toBe(404);
      expect(await answer.json()).toMatchObject({ code: 1006, data: { reason: 'routeNotFound' } });
    }
  });

  test('of an unknown version names the known ones', async () => {
    await using edge = await startHarness(options);
    for (const path of ['/v2/echo', '/2020-01-01/authenticate']) {
      expect(await (await fetch(`${edge.url}${path}`)).json()).toMatchObject({
        data: { knownVersions: ['v1'] },
      });
    }
    const body: unknown = await (await fetch(`${edge.url}/v1/nothing`)).json();
    expect(body).not.toHaveProperty('data.knownVersions');
  });

  test('of a known path is 1007 and names the methods', async () => {
    await using edge = await startHarness(options);
    const answer = await fetch(`${edge.url}/v1/items/3`, { method: 'DELETE' });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, HEAD');
    expect(await answer.json()).toMatchObject({ code: 1007 });
  });

  test('receives the methods of a path for OPTIONS', async () => {
    await using edge = await startHarness(options);
    const answer = await fetch(`${edge.url}/v1/echo`, { method: 'OPTIONS' });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('allow')).toBe('PUT');
  });
});

describe('a browser', () => {
  const preflight = { Origin: 'https://game.example', 'Access-Control-Request-Method': 'PUT' };

  test('is granted its preflight where keys of players may call', async () => {
    await using edge = await startHarness({ ...options, browserPaths: ['/v1/echo'] });
    const granted = await fetch(`${edge.url}/v1/echo?eventType=a`, { method: 'OPTIONS', headers: preflight });
    expect(granted.status).toBe(200);
    expect(granted.headers.get('access-control-allow-origin')).toBe('*');
    expect(granted.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(granted.headers.get('access-control-allow-headers')).toMatch(
      /X-API-Key.*Content-Encoding.*Idempotency-Key/,
    );
    expect(Number(granted.headers.get('access-control-max-age'))).toBeGreaterThan(0);
    const refused = await fetch(`${edge.url}/v1/items/3`, { method: 'OPTIONS', headers: preflight });
    expect(refused.headers.has('access-control-allow-origin')).toBe(false);
  });

  test('of an origin that is not listed is granted nothing, where origins are listed', async () => {
    await using edge = await startHarness({ ...options, browserOrigins: ['https://studio.example'] });
    const granted = async (origin: string) => {
      const ask = { headers: { Origin: origin } };
      const asked = { ...ask.headers, 'Access-Control-Request-Method': 'PATCH' };
      const answers = [
        await fetch(`${edge.url}/v1/items/3`, ask),
        await fetch(`${edge.url}/v1/items/3`, { method: 'OPTIONS', headers: asked }),
      ];
      for (const { headers } of answers) expect(headers.get('vary')).toBe('Origin');
      return answers.map(({ headers }) => headers.get('access-control-allow-origin'));
    };
    expect(await granted('https://studio.example')).toEqual(Array(2).fill('https://studio.example'));
    for (const origin of ['https://game.example', 'https://studio.example.game.example', 'null']) {
      expect(await granted(origin)).toEqual([null, null]);
    }
  });

  test('may send a beacon of JSON, for which browsers want its own origin and credentials granted', async () => {
    await using edge = await startHarness(options);
    const asked = { Origin: 'https://game.example', 'Access-Control-Request-Method': 'POST' };
    const grantsOf = async (path: string, init: RequestInit) => {
      const { headers } = await fetch(`${edge.url}${path}`, init);
      return [headers.get('access-control-allow-origin'), headers.get('access-control-allow-credentials')];
    };
    const { Origin } = asked;
    for (const init of [
      { method: 'OPTIONS', headers: asked },
      { method: 'POST', headers: { Origin } },
    ]) {
      expect(await grantsOf('/v1/echo?apiKey=tk_pub_x', init)).toEqual([Origin, 'true']);
      expect(await grantsOf('/v1/echo?eventType=a&apiKey=tk_pub_x', init)).toEqual([Origin, 'true']);
      expect(await grantsOf('/v1/echo?eventType=apiKey', init)).toEqual(['*', null]);
    }
    await using narrow = await startHarness({ ...options, browserOrigins: ['https://studio.example'] });
    const refused = await fetch(`${narrow.url}/v1/echo?apiKey=x`, { method: 'OPTIONS', headers: asked });
    expect(refused.headers.has('access-control-allow-credentials')).toBe(false);
  });

  test('may read answers and faults alike', async () => {
    await using edge = await startHarness(options);
    for (const path of ['/v1/items/3', '/v1/busy', '/v1/nothing']) {
      const answer = await fetch(`${edge.url}${path}`, { headers: { Origin: 'https://game.example' } });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After');
    }
  });
});

describe('the server', () => {
  test('believes X-Forwarded-For only of trusted proxies', async () => {
    const headers = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.4' };
    await using open = await startHarness(options);
    expect(await (await fetch(`${open.url}/v1/items/3`, { headers })).json()).toMatchObject({
      address: '127.0.0.1',
    });
    await using proxied = await startHarness({
      ...options,
      trustedProxies: ['127.0.0.0/8', '198.51.100.0/24'],
    });
    expect(await (await fetch(`${proxied.url}/v1/items/3`, { headers })).json()).toMatchObject({
      address: '203.0.113.9',
    });
  });

  test('reports in one fault that its port is used', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const address = taken.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const telemetry = { logger: createLogger({ name: 'test', level: 'silent' }), metrics: createMetrics() };
    const server = createHttpServer({ ...telemetry, routes, host: '127.0.0.1', port: address.port });
    await expect(server.start()).rejects.toThrow(
      `127.0.0.1:${address.port}: the port is in use by another process`,
    );
    taken.close();
  });

  test('shares its port with servers that share it too, and with no other', async () => {
    const logger = createLogger({ name: 'test', level: 'silent' });
    const port = await findFreePort();
    const make = (sharePort: boolean) =>
      createHttpServer({ logger, metrics: createMetrics(), routes, host: '127.0.0.1', port, sharePort });
    const sharing = [make(true), make(true)];
    for (const server of sharing) await server.start();
    await expect(make(false).start()).rejects.toThrow('the port is in use by another process');
    await Promise.all(sharing.map((server) => server.stop()));
  });

  test('drains: finishes open requests, closes idle connections, stops listening', async () => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    await using edge = await startHarness({
      routes: (app) => {
        app.get('/slow', async (_request, response) => {
          begun.resolve();
          await gate.promise;
          answerText(response, 'true');
        });
        app.get('/fast', (_request, response) => answerText(response, 'true'));
      },
    });
    const idle = await connectRaw(edge.port);
    idle.socket.write('GET /fast HTTP/1.1\r\nHost: a\r\n\r\n');
    await idle.received('true');
    const busy = await connectRaw(edge.port);
    busy.socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n');
    const silent = await connectRaw(edge.port);
    await begun.promise;
    const drained = edge.server.drain();
    await idle.closed();
    await silent.closed();
    await expect(fetch(`${edge.url}/fast`)).rejects.toThrow();
    gate.resolve();
    const answer = parseAnswers(await busy.closed())[0];
    expect(answer?.status).toBe(200);
    expect(answer?.headers.get('connection')).toBe('close');
    await drained;
  });

  test('stops at once, with any requests in flight', async () => {
    await using edge = await startHarness({
      routes: (app) => app.get('/never', () => new Promise(() => null)),
    });
    const stuck = await connectRaw(edge.port);
    stuck.socket.write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
    const drained = edge.server.drain();
    await edge.server.stop();
    await drained;
    expect(await stuck.closed()).toBe('');
  });
});
