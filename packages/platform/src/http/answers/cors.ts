import type { IncomingMessage, ServerResponse } from 'node:http';

const allowedMethods = 'GET, HEAD, PUT, POST, PATCH, DELETE';
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
  'traceparent',
].join(', ');
const exposedHeaders = 'Date, X-Request-Id, Retry-After, RateLimit, RateLimit-Policy, Deprecation';
const preflightAgeSeconds = '7200';

/** What web pages of other origins may call. */
export interface BrowserRules {
  /** By their beginnings. */
  readonly paths: readonly string[];
  /** Null for any: where the key is the only credential, and a key's own list of origins is checked. */
  readonly origins: readonly string[] | null;
}

/** Why a text is not a web origin, or null when it is: a check for configuration. */
export function checkWebOrigin(text: string): string | null {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:$/.test(url.protocol) && url.origin === text;
  return isOrigin ? null : 'is not a web origin such as https://studio.example';
}

/** Other origins are never granted cookies, so that no page acts for somebody who merely visits it. */
export function allowBrowser(request: IncomingMessage, response: ServerResponse, rules: BrowserRules): void {
  const { origin } = request.headers;
  if (!isBrowserPath(request.url ?? '', rules)) return;
  const isAnyAlike = rules.origins === null && !hasKeyInUrl(request);
  if (!isAnyAlike) response.setHeader('Vary', 'Origin');
  if (origin === undefined || !isAllowed(origin, rules)) return;
  response.setHeader('Access-Control-Allow-Origin', isAnyAlike ? '*' : origin);
  if (rules.origins === null && !isAnyAlike) response.setHeader('Access-Control-Allow-Credentials', 'true');
  response.setHeader('Access-Control-Expose-Headers', exposedHeaders);
}

/** True when the request was a preflight that may be granted; its headers are set then. */
export function grantPreflight(
  request: IncomingMessage,
  response: ServerResponse,
  rules: BrowserRules,
): boolean {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (origin === undefined || method === undefined) return false;
  if (!isBrowserPath(request.url ?? '', rules) || !isAllowed(origin, rules)) return false;
  response.setHeader('Access-Control-Allow-Methods', allowedMethods);
  response.setHeader('Access-Control-Allow-Headers', allowedHeaders);
  response.setHeader('Access-Control-Max-Age', preflightAgeSeconds);
  if (request.headers['access-control-request-private-network'] === 'true') {
    response.setHeader('Access-Control-Allow-Private-Network', 'true');
  }
  return true;
}

/**
 * A beacon has its key there. Browsers send it as if there were cookies, and send none that is more than text unless its
 * preflight grants them to this very origin.
 */
function hasKeyInUrl({ url = '' }: IncomingMessage): boolean {
  return /[?&]apiKey=/.test(url);
}

function isAllowed(origin: string, { origins }: BrowserRules): boolean {
  return origins === null || origins.includes(origin);
}

/** Whether any page may use the answers of a path, also without a preflight. */
export function isForAnyOrigin(url: string, rules: BrowserRules): boolean {
  return rules.origins === null && isBrowserPath(url, rules);
}

function isBrowserPath(url: string, { paths }: BrowserRules): boolean {
  return paths.some((path) => url.startsWith(path));
}
