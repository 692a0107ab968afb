import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createHttpServer, createLogger, createMetrics, type HttpServer } from '@tickrate/platform';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { addPages } from './add-pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'tickrate-pages-'));
const script = 'console.log("Tickrate")';
const index = '<!doctype html><style nonce="CSP_NONCE"></style><script src="/assets/main-1a.js"></script>';
let server: HttpServer;

beforeAll(async () => {
  const logger = createLogger({ name: 'test', level: 'fatal' });
  server = createHttpServer({
    logger,
    metrics: createMetrics(),
    host: '127.0.0.1',
    port: 0,
    versions: ['v1'],
    routes: (app) => {
      app.get('/v1/keys', (_request, response) => void response.end('{}'));
      addPages(app, { folder, gatewayUrl: 'https://events.example.com/v1', randomBytes });
    },
  });
  await server.start();
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true });
});

function get(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Response> {
  return fetch(server.url() + path, { method, headers: { Connection: 'close', ...headers } });
}

const html = { Accept: 'text/html,*/*;q=0.8' };

// Invariant (Management): Every page has a content policy with a nonce of its own, and no unknown path of
// an API answers with a page
test('says how to build the pages while they are missing, and serves them once they are built', async () => {
  rmSync(join(folder, 'index.html'), { force: true });
  const missing = await get('/', html);
  expect([missing.status, missing.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await missing.text()).toContain('npm run console:build');
  build();
  expect((await get('/', html)).status).toBe(200);
});

test('says that built pages cannot be read, until they can', async () => {
  build();
  rmSync(join(folder, 'index.html'));
  // Not even a superuser reads a link to itself.
  symlinkSync('index.html', join(folder, 'index.html'));
  const unreadable = await get('/', html);
  expect([unreadable.status, unreadable.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await unreadable.text()).toContain('cannot read its built pages');
  rmSync(join(folder, 'index.html'));
  build();
  expect((await get('/', html)).status).toBe(200);
});

describe('built pages', () => {
  beforeAll(build);

  test('are answered at every unknown path that a browser opens, and nowhere else', async () => {
    for (const path of ['/', '/overview', '/players/u-1?from=now', '/index.html']) {
      const answer = await get(path, html);
      expect([path, answer.status, answer.headers.get('cache-control')]).toEqual([path, 200, 'no-store']);
    }
    for (const path of ['/v1/nothing', '/assets/gone-2b.js', '/session/nothing']) {
      expect([path, (await get(path, html)).status]).toEqual([path, 404]);
    }
    expect((await get('/overview', { Accept: 'application/json' })).status).toBe(404);
    expect((await get('/overview', html, 'POST')).status).toBe(404);
    expect((await get('/v1/keys', html, 'POST')).status).toBe(405);
    expect((await get('/sources.sha256', html)).headers.get('content-type')).toContain('text/html');
  });

  test('have a policy with a nonce of their own in each answer', async () => {
    const seen = new Set<string>();
    for (let n = 0; n < 3; n++) {
      const answer = await get('/', html);
      const policy = answer.headers.get('content-security-policy') ?? '';
      const [, nonce = ''] = /'nonce-([^']{24})'/.exec(policy) ?? [];
      expect(policy).toBe(
        `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; ` +
          "connect-src 'self' https://events.example.com; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'",
      );
      expect(await answer.text()).toBe(index.replace('CSP_NONCE', nonce));
      seen.add(nonce);
    }
    expect(seen.size).toBe(3);
  });

  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip', 'gzip'],
    ['zstd', null],
    ['identity', null],
  ])('are sent in a coding of %s: %s', async (accepted, coding) => {
    const answer = await get('/assets/main-1a.js', { 'Accept-Encoding': accepted });
    expect(answer.headers.get('content-encoding')).toBe(coding);
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(answer.headers.get('vary')).toBe('Accept-Encoding');
    expect(await answer.text()).toBe(script);
  });

  test('are those of the latest build', async () => {
    onTestFinished(build);
    writeFileSync(join(folder, 'index.html'), `${index} again`);
    writeFileSync(join(folder, 'assets/new-3c.js'), script);
    expect(await (await get('/', html)).text()).toContain('again');
    expect((await get('/assets/new-3c.js')).status).toBe(200);
    expect((await get('/icon.svg')).headers.get('cache-control')).toBe('no-cache');
  });
});

function build(): void {
  mkdirSync(join(folder, 'assets'), { recursive: true });
  writeFileSync(join(folder, 'assets/main-1a.js'), script);
  writeFileSync(join(folder, 'assets/main-1a.js.br'), brotliCompressSync(script));
  writeFileSync(join(folder, 'assets/main-1a.js.gz'), gzipSync(script));
  writeFileSync(join(folder, 'icon.svg'), '<svg/>');
  writeFileSync(join(folder, 'sources.sha256'), 'x');
  writeFileSync(join(folder, 'index.html'), index);
}
