import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { sendFault } from '../answer/answer.ts';
import { Code, fault } from '../answer/http-fault.ts';
import { EngineError } from '../engine/engine-error.ts';
import { type Packing, packingOf } from '../request/content-coding.ts';
import { type Account, authenticate, failed } from '../request/credentials.ts';
import { readForm } from '../request/request-form.ts';
import { type Exchange, parseRequestParams, queryIdOf } from '../request/request-params.ts';
import { handleQuery, type QueryDeps } from './handle-query.ts';

export interface HttpDeps extends QueryDeps {
  readonly account: Account;
  readonly displayName: string;
  /** Writes one line of the log. */
  readonly write: (line: string) => void;
  readonly nowMs: () => number;
}

const MOST_CONNECTIONS = 4096;
const KEEP_ALIVE_MS = 30_000;
/** An INSERT with its columns and settings can be in the URL. */
const HEADER_BYTES = 1024 * 1024;
const LIMITS = { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: HEADER_BYTES, requestTimeout: 0 };
const UNKNOWN_EXCEPTION = 1002;
const MESSAGE_CHARS = 500;

export function createHttpServer(deps: HttpDeps): Server {
  const refused = new WeakSet<Socket>();
  const server = createServer({ ...LIMITS }, (request, response) => {
    // Where the refused request ends is not certain: nothing behind it is one.
    if (refused.has(request.socket)) return;
    response.on('error', () => undefined);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    const headFault = faultOfHead(request);
    if (headFault !== null) {
      refused.add(request.socket);
      refuse(request, response, { status: 400, reason: headFault });
      return;
    }
    void route(deps, request, response);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuseUnread(socket, error));
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    refused.add(request.socket);
    refuse(request, response, { status: 417, reason: 'The header expect is not supported' });
  });
  limitConnections(server, MOST_CONNECTIONS);
  return server;
}

const hostPattern = /^(?:\[[0-9A-Za-z:.%_~-]+\]|[0-9A-Za-z._~%!$&'()*+;=-]*)(?::\d{0,5})?$/;
const onlyOnce = new Set(['host', 'authorization', 'content-type', 'x-clickhouse-user', 'x-clickhouse-key']);

/**
 * The reason to refuse a request that a proxy in front may have read in another way; null if there is none. The same
 * rules as on the other ports of the product.
 */
function faultOfHead({ headers, rawHeaders, url = '' }: IncomingMessage): string | null {
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const repeated = names.find((name, at) => onlyOnce.has(name) && names.indexOf(name) !== at);
  if (repeated !== undefined) return `The header ${repeated} is given twice`;
  const { host = '' } = headers;
  if (!hostPattern.test(host)) return 'The header host is not a host';
  if (url.includes('#')) return 'The address of the request is not valid';
  if (url.startsWith('/')) return null;
  const [, authority] = /^https?:\/\/([^/?]*)/i.exec(url) ?? [];
  if (authority === undefined) return 'The address of the request is not valid';
  return authority.toLowerCase() === host.toLowerCase()
    ? null
    : 'The header host is not the host of the address';
}

/** Answers what Node cannot read as a request, and closes the connection. */
function refuseUnread(socket: Socket, error: NodeJS.ErrnoException): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, text } = UNREAD.get(error.code ?? '') ?? NOT_A_REQUEST;
  const head = [
    `HTTP/1.1 ${status}`,
    'X-Content-Type-Options: nosniff',
    'Content-Type: text/html; charset=UTF-8',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroySoon());
}

const NOT_A_REQUEST = { status: '400 Bad Request', text: 'The request is not valid HTTP\n' };
const UNREAD = new Map([
  [
    'HPE_HEADER_OVERFLOW',
    { status: '431 Request Header Fields Too Large', text: 'The request has too large headers\n' },
  ],
  [
    'ERR_HTTP_REQUEST_TIMEOUT',
    { status: '408 Request Timeout', text: 'The request did not arrive in time\n' },
  ],
]);

function refuse(
  { socket }: IncomingMessage,
  response: ServerResponse,
  { status, reason }: { status: number; reason: string },
): void {
  response.once('finish', () => socket.destroySoon());
  response.shouldKeepAlive = false;
  plain(response, status, `${reason}\n`);
}

async function route(deps: HttpDeps, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const { method = 'GET' } = request;
  const reads = method === 'GET' || method === 'HEAD';
  if (reads && url.pathname === '/ping') return plain(response, 200, 'Ok.\n');
  if (url.pathname !== '/' || !(reads || method === 'POST'))
    return plain(response, 404, nothingHere(url.pathname));
  if (reads && !url.search) return plain(response, 200, 'Ok.\n');
  await query(deps, { request, response, url });
}

async function query(
  deps: HttpDeps,
  { request, response, url }: Pick<Exchange, 'request' | 'response'> & { readonly url: URL },
): Promise<void> {
  const startedMs = deps.nowMs();
  const queryId = queryIdOf(url.searchParams, request.headers) ?? deps.newId();
  const headers = commonHeaders(deps, queryId);
  let unnamed = false;
  let packing = (): Packing | undefined => undefined;
  try {
    const fromUrl = parseRequestParams(url.searchParams, request.headers);
    unnamed = !authenticate(deps.account, request.headers, fromUrl);
    if (unnamed) throw fault(Code.authenticationFailed, failed('default'));
    refuseWithoutLength(request);
    const form = await readForm(request, url.searchParams);
    const params = form === undefined ? fromUrl : parseRequestParams(form.fields, request.headers);
    packing = () => packingOf(params, request);
    await handleQuery(deps, { request, response, params, queryId, headers, tables: form?.tables ?? [] });
  } catch (error) {
    const known = error instanceof EngineError ? error : undefined;
    if (known === undefined && (response.destroyed || request.destroyed)) return;
    const shown = deps.redact(
      known ?? new EngineError(UNKNOWN_EXCEPTION, 'UNKNOWN_EXCEPTION', describe(error)),
    );
    sendFault(response, shown, { headers, version: deps.engine.version, unnamed, packing: packing() });
    const { code, type, message } = shown;
    const ms = Math.round(deps.nowMs() - startedMs);
    const about = {
      level: 'warn',
      event: 'clickhouse.request.failed',
      queryId,
      method: request.method ?? '',
    };
    const shortened = message.slice(0, MESSAGE_CHARS);
    deps.write(JSON.stringify({ ...about, status: response.statusCode, code, type, message: shortened, ms }));
  }
}

function commonHeaders(deps: HttpDeps, queryId: string): Record<string, string> {
  return {
    'X-ClickHouse-Server-Display-Name': deps.displayName,
    'X-ClickHouse-Query-Id': headerText(queryId),
    'X-ClickHouse-Timezone': deps.engine.timezone,
  };
}

function headerText(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}

function refuseWithoutLength(request: IncomingMessage): void {
  if (request.method !== 'POST') return;
  if (request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined)
    return;
  throw fault(
    Code.lengthRequired,
    'The Transfer-Encoding is not chunked and there is no Content-Length header for POST request',
  );
}

function plain(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=UTF-8',
    'Content-Length': Buffer.byteLength(text),
  });
  response.end(text);
}

function nothingHere(path: string): string {
  return `There is no handle ${path}\n\nSend queries to / (GET with ?query=…, or POST); /ping reports health.\n`;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Limits the connections of a server, and closes the one that is idle for the longest time before it refuses a new one.
 * The limit is for all callers together: the server listens on 127.0.0.1 only, where they share one address.
 */
export function limitConnections(server: Server, most: number): void {
  // One more than `most`, so that a new one arrives before an idle one leaves.
  server.maxConnections = most + 1;
  const open = new Set<Socket>();
  /** The longest idle one comes first. */
  const idle = new Set<Socket>();
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
    const [longest] = idle;
    if (open.size > most) longest?.destroy();
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    response.once('close', () => {
      if (open.has(socket)) idle.add(socket);
    });
  });
}
