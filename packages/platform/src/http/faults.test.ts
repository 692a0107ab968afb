import { waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import {
  connectRaw,
  exchangeRaw,
  type Harness,
  parseAnswers,
  startHarness,
} from '../testing/http-harness.ts';
import { answerJson, answerText } from './answers/answer.ts';
import { readBody } from './body/read-body.ts';
import type { HttpServerOptions } from './server.ts';

const routes: HttpServerOptions['routes'] = (app) => {
  app.put('/echo', async (request, response) => {
    const body = await readBody(request, { limitBytes: 1000, timeoutMs: 150 });
    answerJson(response, { length: body.length });
  });
  app.get('/fast', (_request, response) => answerText(response, 'true'));
};

const head = 'PUT /echo HTTP/1.1\r\nHost: a\r\n';

async function exchange(edge: Harness, bytes: string): Promise<ReturnType<typeof parseAnswers>> {
  return parseAnswers(await exchangeRaw(edge.port, bytes));
}

describe('bytes that are not HTTP', () => {
  test('are answered with a SystemError and a closed connection', async () => {
    await using edge = await startHarness({ routes });
    for (const bytes of [
      'hello there\r\n\r\n',
      'GET /fast HTTP/9.9\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
      'GET /fast HTTP/1.1\r\nHost: a\r\nBroken Header: x\r\n\r\n',
      'GET /fast HTTP/1.1\r\nHost: a\r\nX: a\x00b\r\n\r\n',
      `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n`,
      `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\n`,
      `${head}Content-Length: -1\r\n\r\n`,
    ]) {
      const [answer, ...more] = await exchange(edge, bytes);
      expect(more).toEqual([]);
      expect(answer).toMatchObject({ status: 400, body: { code: 1003, data: { parameterName: 'request' } } });
      expect(answer?.headers.get('x-request-id')).toBe(answer?.body.data['requestId']);
      expect(answer?.headers.get('connection')).toBe('close');
    }
  });

  test('behind good requests are answered after these, in order', async () => {
    await using edge = await startHarness({ routes });
    const answers = await exchange(
      edge,
      `${head}Content-Length: 5\r\n\r\nhelloGET /fast HTTP/1.1\r\nHost: a\r\n\r\n\x00garbage\r\n\r\n`,
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 400]);
  });

  test('in the middle of a body are answered for that request', async () => {
    await using edge = await startHarness({ routes });
    const connection = await connectRaw(edge.port);
    connection.socket.write(`${head}Transfer-Encoding: chunked\r\nX-Request-Id: mine\r\n\r\n3\r\nabc\r\n`);
    connection.socket.write('not a chunk\r\n');
    const [answer] = parseAnswers(await connection.closed());
    expect(answer).toMatchObject({ status: 400, body: { code: 1003 } });
    expect(answer?.headers.get('x-request-id')).toBe('mine');
  });
});

describe('headers', () => {
  test('beyond their limit are refused at once, in any size', async () => {
    await using edge = await startHarness({ routes });
    for (const size of [17_000, 1_000_000]) {
      const [answer] = await exchange(
        edge,
        `GET /fast HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(size)}\r\n\r\n`,
      );
      expect(answer).toMatchObject({ status: 400, body: { code: 1003, data: { parameterName: 'headers' } } });
    }
  });

  test('in their thousands are refused', async () => {
    await using edge = await startHarness({ routes });
    const flood = Array.from({ length: 5000 }, (_, at) => `X-${at}: y\r\n`).join('');
    const [answer] = await exchange(edge, `GET /fast HTTP/1.1\r\nHost: a\r\n${flood}\r\n`);
    expect(answer).toMatchObject({ status: 400, body: { data: { parameterName: 'headers' } } });
  });

  test('that do not arrive are not waited for', async () => {
    await using edge = await startHarness({
      routes,
      limits: { headersTimeoutMs: 100, requestTimeoutMs: 200 },
    });
    for (const bytes of ['', 'GET /fast HTTP/1.1\r\nHost: a\r\nX: slo']) {
      const connection = await connectRaw(edge.port);
      connection.socket.write(bytes);
      expect(parseAnswers(await connection.closed())[0]).toMatchObject({ status: 408, body: { code: 1008 } });
    }
  });

  test('without Host are refused with a body', async () => {
    await using edge = await startHarness({ routes });
    const [answer] = await exchange(edge, 'GET /fast HTTP/1.1\r\nConnection: close\r\n\r\n');
    expect(answer).toMatchObject({ status: 400, body: { code: 1003, data: { parameterName: 'Host' } } });
  });

  test('with an expectation other than 100-continue are refused with a body', async () => {
    await using edge = await startHarness({ routes });
    const [answer] = await exchange(
      edge,
      'GET /fast HTTP/1.1\r\nHost: a\r\nExpect: tea\r\nConnection: close\r\n\r\n',
    );
    expect(answer).toMatchObject({ status: 400, body: { code: 1003, data: { parameterName: 'Expect' } } });
  });

  test('that ask for a tunnel are refused with a body', async () => {
    await using edge = await startHarness({ routes });
    const [answer] = await exchange(edge, 'CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n');
    expect(answer).toMatchObject({ status: 405, body: { code: 1007 } });
  });

  test('that ask for an upgrade are answered as usual requests', async () => {
    await using edge = await startHarness({ routes });
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: a\r\n';
    const connection = await connectRaw(edge.port);
    connection.socket.write(`GET /fast HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`);
    expect(await connection.received('true')).toContain('HTTP/1.1 200');
    connection.socket.destroy();
  });
});

describe('a half-sent body', () => {
  test('is 1008 when the rest does not arrive', async () => {
    await using edge = await startHarness({ routes });
    const [answer] = await exchange(edge, `${head}Content-Length: 50\r\n\r\nhalf`);
    expect(answer).toMatchObject({ status: 408, body: { code: 1008 } });
  });

  test('is 1008 when the client ends the connection on its side', async () => {
    await using edge = await startHarness({ routes });
    const connection = await connectRaw(edge.port);
    connection.socket.end(`${head}Content-Length: 50\r\nX-Request-Id: mine\r\n\r\nhalf`);
    const [answer] = parseAnswers(await connection.closed());
    expect(answer).toMatchObject({ status: 408, body: { code: 1008 } });
    expect(answer?.headers.get('x-request-id')).toBe('mine');
  });

  test('of a client that disconnected ends the request, with a log line', async () => {
    await using edge = await startHarness({ routes });
    const connection = await connectRaw(edge.port);
    connection.socket.write(`${head}Content-Length: 50\r\nX-Request-Id: gone\r\n\r\nhalf`);
    await waitUntil(() => edge.server.url() !== '' && connection.socket.bytesWritten > 0);
    connection.socket.resetAndDestroy();
    await waitUntil(() =>
      edge.lines.some((line) => line['requestId'] === 'gone' && line['status'] === 'aborted'),
    );
    expect(edge.lines.filter((line) => line['msg'] === 'internal fault')).toEqual([]);
  });
});

describe('a client', () => {
  test('that ends its side after a whole request is answered all the same', async () => {
    await using edge = await startHarness({
      routes: (app) =>
        app.get('/later', (_request, response) => void setImmediate(() => answerText(response, 'true'))),
    });
    const connection = await connectRaw(edge.port);
    connection.socket.end('GET /later HTTP/1.1\r\nHost: a\r\n\r\n');
    expect(parseAnswers(await connection.closed())[0]).toMatchObject({ status: 200, body: true });
  });

  test('that sends nothing more is closed', async () => {
    await using edge = await startHarness({ routes, limits: { keepAliveTimeoutMs: 50, idleTimeoutMs: 300 } });
    const used = await connectRaw(edge.port);
    used.socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const silent = await connectRaw(edge.port);
    expect(await used.closed()).toContain('HTTP/1.1');
    expect(await silent.closed()).not.toContain('200');
  });

  test('beyond the largest number of connections in use receives a time to retry', async () => {
    await using edge = await startHarness({
      limits: { maxConnections: 2 },
      routes: (app) => {
        routes(app);
        app.get('/held', (_request, response) => response.writeHead(200).flushHeaders());
      },
    });
    const held = [await connectRaw(edge.port), await connectRaw(edge.port)];
    for (const { socket, received } of held) {
      socket.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n');
      await received('200 OK');
    }
    const surplus = await connectRaw(edge.port);
    surplus.socket.write('GET /fast HTTP/1.1\r\nHost: a\r\n\r\n');
    const [answer, ...more] = parseAnswers(await surplus.closed());
    expect(more).toEqual([]);
    expect(edge.lines.filter((line) => line['status'] === 200)).toEqual([]);
    expect(answer).toMatchObject({ status: 503, body: { code: 6001, data: { retryAfterSeconds: 1 } } });
    for (const { socket } of held) socket.destroy();
    await waitUntil(async () => (await fetch(`${edge.url}/fast`).catch(() => null))?.status === 200);
  });
});
