import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RandomBytes } from '@tickrate/contract';
import { answerText, negotiateCoding } from '@tickrate/platform';
import type { Express } from 'express';
import { createPageReader, type PageFile } from './read-pages.ts';

export interface PageOptions {
  readonly folder: string;
  /** Where the pages send test events, besides the console itself. Null without one. */
  readonly gatewayUrl: string | null;
  readonly randomBytes: RandomBytes;
}

/** Where the built `index.html` needs the nonce. */
const noncePlaceholder = 'CSP_NONCE';

const isOfApi = /^\/(?:v\d+|session|health|docs|openapi\.json|assets)(?:\/|$)/;

/**
 * Serves the built pages, after every other route. A browser gets the same page at every unknown path: the page has
 * routes of its own. Everything else that is unknown stays 1006.
 */
export function addPages(app: Express, { folder, gatewayUrl, randomBytes }: PageOptions): void {
  const connections = ["'self'", ...(gatewayUrl === null ? [] : [new URL(gatewayUrl).origin])].join(' ');
  const readPages = createPageReader(folder);
  app.use(async (request: IncomingMessage, response: ServerResponse, next: () => void) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const path = (request.url ?? '/').split('?', 1)[0] ?? '/';
    const pages = await readPages();
    const file = typeof pages === 'string' ? undefined : pages.files.get(path);
    if (file !== undefined) return answerFile(response, file);
    if (isOfApi.test(path) || !acceptsHtml(request)) return next();
    if (typeof pages === 'string') return answerUnavailable(response, pages);
    const nonce = Buffer.from(randomBytes(18)).toString('base64');
    answerPage(response, pages.index.replaceAll(noncePlaceholder, nonce), pagePolicy(nonce, connections));
  });
}

function acceptsHtml({ headers }: IncomingMessage): boolean {
  return /\btext\/html\b/.test(headers.accept ?? '');
}

function answerPage(response: ServerResponse, page: string, policy: string): void {
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', policy);
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  answerText(response, page, { contentType: htmlType });
}

const htmlType = 'text/html; charset=utf-8';

function pagePolicy(nonce: string, connections: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connections}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

function answerFile(response: ServerResponse, { contentType, immutable, codings }: PageFile): void {
  const accepted = negotiateCoding(response.req.headers['accept-encoding'], [...codings.keys()]);
  const chosen = accepted === 'zstd' ? 'identity' : accepted;
  const content = codings.get(chosen) ?? Buffer.alloc(0);
  const headers = [
    ['Content-Type', contentType],
    ['Content-Length', String(content.byteLength)],
    ['Cache-Control', immutable ? 'public, max-age=31536000, immutable' : 'no-cache'],
    ['Vary', 'Accept-Encoding'],
    ...(chosen === 'identity' ? [] : [['Content-Encoding', chosen]]),
  ];
  response.writeHead(200, headers.flat());
  response.end(content);
}

const unavailable = {
  missing: `<h1>The pages of the console are not built</h1>
<p>Run <code>npm run console:build</code> in the folder of Tickrate, then reload this page.`,
  unreadable: `<h1>The console cannot read its built pages</h1>
<p>Permit the user that runs the console to read the folder <code>apps/console/dist</code> and every file in it, then
reload this page.`,
};

function answerUnavailable(response: ServerResponse, why: keyof typeof unavailable): void {
  const page = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tickrate</title></head><body>
${unavailable[why]} The management API works without the pages: see <a href="/docs">its documentation</a>.</p>
</body></html>
`;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Retry-After', '5');
  answerText(response, page, { status: 503, contentType: htmlType });
}
