import { describe, expect, test } from 'vitest';
import {
  connectRaw,
  exchangeRaw,
  parseAnswers,
  type RawAnswer,
  startHarness,
} from '../../testing/http-harness.ts';
import { addDocumentRoutes } from '../operations/document.ts';
import type { HttpServerOptions } from '../server.ts';
import { answerJson, answerText } from './answer.ts';

const options: Pick<HttpServerOptions, 'routes' | 'browserPaths'> = {
  browserPaths: ['/v1/'],
  routes: (app) => {
    app.get('/fast', (_request, response) => answerText(response, 'true'));
    app.get('/v1/open', (_request, response) => answerJson(response, { secret: 'x'.repeat(2000) }));
    app.get('/v1/broken', () => {
      throw new Error('broken');
    });
    app.get('/v1/streamed', (_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '4' });
      response.end('true');
    });
    app.get('/v1/plain', (_request, response) => {
      response.setHeader('Content-Length', '4');
      response.end('true');
    });
    addDocumentRoutes(app, () => ({ openapi: '3.1.0', info: { title: 'x', version: '1' }, paths: {} }));
  },
};

const origin = 'Origin: https://game.example\r\n';
const requests: Record<string, string> = {
  'a success': 'GET /fast HTTP/1.1\r\nHost: a\r\n',
  'a compressed one': 'GET /v1/open HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n',
  'one that is streamed': 'GET /v1/streamed HTTP/1.1\r\nHost: a\r\n',
  'one of Node itself': 'GET /v1/plain HTTP/1.1\r\nHost: a\r\n',
  'a preflight': `OPTIONS /v1/open HTTP/1.1\r\nHost: a\r\n${origin}Access-Control-Request-Method: GET\r\n`,
  'an internal fault': 'GET /v1/broken HTTP/1.1\r\nHost: a\r\n',
  'no route': 'GET /nothing HTTP/1.1\r\nHost: a\r\n',
  'another method': 'PATCH /fast HTTP/1.1\r\nHost: a\r\n',
  'no host': 'GET /fast HTTP/1.1\r\n',
  'no HTTP': 'hello\r\n',
  'a tunnel': 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n',
  'an expectation': 'GET /fast HTTP/1.1\r\nHost: a\r\nExpect: tea\r\n',
  'a document': 'GET /openapi.json HTTP/1.1\r\nHost: a\r\n',
};

function headOf(text: string): RawAnswer['headers'] {
  const [, ...lines] = (text.split('\r\n\r\n')[0] ?? '').split('\r\n');
  return new Map(
    lines.map((line) => [line.split(':')[0]?.toLowerCase() ?? '', line.replace(/^[^:]*: /, '')]),
  );
}

// Invariant (HTTP): Every answer, however early, carries the security headers for browsers
describe('every answer', () => {
  test.each(Object.entries(requests))(
    'has headers that keep browsers from interpreting it: %s',
    async (_, head) => {
      await using edge = await startHarness(options);
      const headers = headOf(await exchangeRaw(edge.port, `${head}Connection: close\r\n\r\n`));
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-request-id')).toEqual(expect.any(String));
    },
  );

  test('that replaces a request has them too', async () => {
    await using edge = await startHarness({ ...options, limits: { headersTimeoutMs: 100 } });
    const connection = await connectRaw(edge.port);
    const [answer] = parseAnswers(await connection.closed());
    expect([answer?.status, answer?.headers.get('x-content-type-options')]).toEqual([408, 'nosniff']);
  });

  test('may be read by pages of other origins only where these may call', async () => {
    await using edge = await startHarness(options);
    const policyOf = async (path: string) =>
      (await fetch(`${edge.url}${path}`)).headers.get('cross-origin-resource-policy');
    expect(await policyOf('/v1/open')).toBe('cross-origin');
    expect(await policyOf('/v1/nothing')).toBe('cross-origin');
    expect(await policyOf('/fast')).toBe('same-origin');
    expect(await policyOf('/docs')).toBe('same-origin');
  });

  test('that is a page has its own policy and cannot be framed', async () => {
    await using edge = await startHarness(options);
    const { headers } = await fetch(`${edge.url}/docs`);
    const policy = headers.get('content-security-policy');
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("style-src 'unsafe-inline'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});
