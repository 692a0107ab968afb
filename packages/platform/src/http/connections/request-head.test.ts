import { describe, expect, test } from 'vitest';
import {
  exchangeRaw,
  type Harness,
  parseAnswers,
  type RawAnswer,
  startHarness,
} from '../../testing/http-harness.ts';
import { answerJson, answerText } from '../answers/answer.ts';
import { readBody } from '../body/read-body.ts';
import type { HttpServerOptions } from '../server.ts';

const routes: HttpServerOptions['routes'] = (app) => {
  app.put('/echo', async (request, response) => {
    const body = await readBody(request, { limitBytes: 1000, timeoutMs: 150 });
    answerJson(response, body.length);
  });
  app.get('/fast', (_request, response) => answerText(response, 'true'));
};

const put = 'PUT /echo HTTP/1.1\r\nHost: a\r\n';
const chunked = `${put}Transfer-Encoding: chunked\r\n\r\n`;
const smuggled = 'GET /fast HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

async function send(edge: Harness, bytes: string): Promise<RawAnswer[]> {
  return parseAnswers(await exchangeRaw(edge.port, Buffer.from(bytes, 'latin1')));
}

/** What a proxy in front may read as another number of requests, or as a request to another host. */
const ambiguous: Record<string, string> = {
  'two hosts': 'GET /fast HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n',
  'the same host twice': 'GET /fast HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n',
  'two hosts in one header': 'GET /fast HTTP/1.1\r\nHost: a, b\r\n\r\n',
  'two hosts in HTTP/1.0': 'GET /fast HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n',
  'a host that is none': 'GET /fast HTTP/1.1\r\nHost: user@a/path\r\n\r\n',
  'no host': 'GET /fast HTTP/1.1\r\n\r\n',
  'a target of another host': 'GET http://b/fast HTTP/1.1\r\nHost: a\r\n\r\n',
  'a target of another scheme': 'GET ftp://a/fast HTTP/1.1\r\nHost: a\r\n\r\n',
  'a target with a fragment': 'GET /fast#/../admin HTTP/1.1\r\nHost: a\r\n\r\n',
  'two credentials':
    'GET /fast HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
  'two types': `${put}Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 0\r\n\r\n`,
  'two lengths': `${put}Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello`,
  'a list of lengths': `${put}Content-Length: 5, 5\r\n\r\nhello`,
  'a length with a sign': `${put}Content-Length: +5\r\n\r\nhello`,
  'a length in hexadecimal': `${put}Content-Length: 0x5\r\n\r\nhello`,
  'a length and chunks': `${put}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'chunks and a length': `${put}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n`,
  'chunks of chunks': `${put}Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n`,
  'chunks and then something': `${put}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
  'chunks in HTTP/1.0': 'PUT /echo HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  'a space before the colon': `${put}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n`,
  'a control character': `${put}Transfer-Encoding: \x0bchunked\r\n\r\n0\r\n\r\n`,
  'a folded header': 'GET /fast HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n',
  'a folded first header': 'GET /fast HTTP/1.1\r\n X: b\r\nHost: a\r\n\r\n',
  'lines without CR': 'GET /fast HTTP/1.1\nHost: a\n\n',
  'one line without CR': 'GET /fast HTTP/1.1\r\nHost: a\nX: b\r\n\r\n',
  'a last line without CR': 'GET /fast HTTP/1.1\r\nHost: a\r\n\n',
  'a line without LF': 'GET /fast HTTP/1.1\r\nHost: a\rX: b\r\n\r\n',
  'no version': 'GET /fast\r\n\r\n',
  'a chunk in hexadecimal notation': `${chunked}0x5\r\nhello\r\n0\r\n\r\n`,
  'a chunk of a negative size': `${chunked}-5\r\nhello\r\n0\r\n\r\n`,
  'a chunk without CR': `${chunked}5\nhello\n0\n\n`,
  'a chunk that ends without CR': `${chunked}5\r\nhello\n0\r\n\r\n`,
  'a chunk extension without CR': `${chunked}5;a=b\nhello\r\n0\r\n\r\n`,
  'a chunk size with a space': `${chunked}5 \r\nhello\r\n0\r\n\r\n`,
  'a chunk size beyond 64 bits': `${chunked}fffffffffffffffff\r\nhello\r\n0\r\n\r\n`,
  'a chunk longer than it says': `${chunked}5\r\nhelloo\r\n0\r\n\r\n`,
};

// Invariant (HTTP): An ambiguous request is rejected, and nothing after it on the connection is served
describe('a request that can be read in two ways', () => {
  test.each(Object.entries(ambiguous))(
    'is refused, and nothing behind it is served: %s',
    async (_, bytes) => {
      await using edge = await startHarness({ routes });
      const answers = await send(edge, `${bytes}${smuggled}`);
      expect(answers.map(({ status }) => status)).toEqual([400]);
      expect(answers[0]).toMatchObject({ body: { code: 1003, data: { requestId: expect.any(String) } } });
      expect(answers[0]?.headers.get('connection')).toBe('close');
    },
  );

  test.each(['gzip, chunked', 'identity', 'xchunked', 'identity\r\nTransfer-Encoding: chunked'])(
    'is refused for a coding of the transfer other than chunks, on routes that read no body too: %s',
    async (coding) => {
      await using edge = await startHarness({ routes });
      const refused = async (method: string) => {
        const head = `${method} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ${coding}\r\n\r\n`;
        const answers = await send(edge, `${head}0\r\n\r\n${smuggled}`);
        expect(answers.map(({ status, body }) => [status, body.code])).toEqual([[415, 1005]]);
      };
      await Promise.all(['PUT /echo', 'GET /fast'].map(refused));
    },
  );
});

describe('a request that can be read in one way', () => {
  test.each(['a', 'a.example:8080', '127.0.0.1', '[::1]:8080', '[fe80::1%25eth0]', 'under_score', ''])(
    'is served for the host %s',
    async (host) => {
      await using edge = await startHarness({ routes });
      const [answer] = await send(edge, `GET /fast HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer?.status).toBe(200);
    },
  );

  test('is served in the form for proxies, for the host in Host', async () => {
    await using edge = await startHarness({ routes });
    for (const target of ['http://a:80/fast', 'HTTP://A:80/fast?x=1', 'https://a:80/fast']) {
      const [answer] = await send(edge, `GET ${target} HTTP/1.1\r\nHost: a:80\r\nConnection: close\r\n\r\n`);
      expect([target, answer?.status]).toEqual([target, 200]);
    }
  });

  test('is served without Host when it is of HTTP/1.0', async () => {
    await using edge = await startHarness({ routes });
    expect((await send(edge, 'GET /fast HTTP/1.0\r\n\r\n'))[0]?.status).toBe(200);
  });

  test('ignores the trailers after its chunks', async () => {
    await using edge = await startHarness({
      routes: (app) => {
        app.put('/echo', async (request, response) => {
          await readBody(request, { limitBytes: 1000 });
          answerJson(response, [request.headers.host, request.headers['x-api-key'] ?? null]);
        });
      },
    });
    const answers = await send(edge, `${chunked}0\r\nHost: b\r\nX-API-Key: z\r\n\r\n${smuggled}`);
    expect(answers.map(({ status, body }) => [status, body])).toMatchObject([
      [200, ['a', null]],
      [404, { code: 1006 }],
    ]);
  });
});
