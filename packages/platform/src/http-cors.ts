import type { IncomingMessage, ServerResponse } from 'node:http';

const allowedMethods = 'GET, HEAD, PUT, POST, DELETE';
const allowedHeaders = [
  'X-API-Key',
  'api_key',
  'Authorization',
  'Accept',
  'Content-Type',
  'Content-Encoding',
  'Idempotency-Key',
  'X-Client-Time',
  'X-Request-Id',
  'X-Tickrate-SDK',
].join(', ');
const exposedHeaders = 'X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation';
const preflightAgeSeconds = '7200';

/** The paths that a public or session key may call, by their beginnings. */
export type BrowserPaths = readonly string[];

/**
 * Lets any web page call these paths: no cookie is read there, the key is the only credential, and a key's own list
 * of origins is checked where the key is known.
 */
export function allowBrowser(request: IncomingMessage, response: ServerResponse, paths: BrowserPaths): void {
  if (request.headers.origin === undefined || !isBrowserPath(request.url ?? '', paths)) return;
  response.setHeader('Access-Control-Allow-Origin', '*');
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
}

/** True when the request was a preflight that may be granted; its headers are set then. */
export function grantPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  paths: BrowserPaths,
): boolean {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (origin === undefined || method === undefined || !isBrowserPath(request.url ?? '', paths)) return false;
  response.setHeader('Access-Control-Allow-Methods', allowedMethods);
  response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
  response.setHeader('Access-Control-Max-Age', preflightAgeSeconds);
  if (request.headers['access-control-request-private-network'] === 'true') {
    response.setHeader('Access-Control-Allow-Private-Network', 'true');
  }
  return true;
}

function isBrowserPath(url: string, paths: BrowserPaths): boolean {
  return paths.some((path) => url.startsWith(path));
}
