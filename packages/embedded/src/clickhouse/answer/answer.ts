import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Writable } from 'node:stream';
import type { EngineError } from '../engine/engine-error.ts';
import { type Packing, packingOf } from '../request/content-coding.ts';
import type { Exchange } from '../request/request-params.ts';
import type { Statement } from '../sql/statement.ts';
import { statusOf } from './http-fault.ts';

export type Summary = Readonly<Record<string, string>>;

const HOLD_BYTES = 64 * 1024;
const HOLD_MS = 50;
const STALL_MS = 30_000;
/** Commands with a result, which can be empty. */
const WITH_RESULT = new Set(['KILL', 'CHECK', 'EXPLAIN']);

/**
 * One response: held back → streaming → ended. For a moment, and while little has come, it is held back, so that a
 * fault still gets its own status and a small result its full summary.
 */
export type Answer = ReturnType<typeof openAnswer>;

/**
 * The answer to a request. It has headers of a result only if it has one. `progress` returns the values of
 * `X-ClickHouse-Progress` up to now.
 */
export function openAnswer(
  { params, request, response, headers }: Exchange,
  statement: Statement,
  about: { readonly version: string; progress(): readonly string[]; newId(): string },
) {
  const { bufferBytes } = params;
  const packing = packingOf(params, request);
  const exceptionTag = about.newId().replaceAll('-', '').slice(0, 16);
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let body: Writable | undefined;
  let timer: NodeJS.Timeout | undefined;
  const open = async (summary: Summary): Promise<Writable> => {
    if (body !== undefined) return body;
    clearTimeout(timer);
    const progress = about.progress();
    response.writeHead(200, {
      ...headers,
      ...(packing === undefined ? {} : { 'Content-Encoding': packing.coding }),
      ...(heldBytes > 0 || hasResult(statement)
        ? resultHeaders(statement, params.defaultFormat)
        : { 'Content-Type': 'text/plain; charset=UTF-8' }),
      'X-ClickHouse-Exception-Tag': exceptionTag,
      ...(progress.length === 0 ? {} : { 'X-ClickHouse-Progress': [...progress] }),
      'X-ClickHouse-Summary': JSON.stringify(summary),
    });
    packing?.packer.pipe(response);
    body = packing?.packer ?? response;
    if (heldBytes > 0) await send(response, body, Buffer.concat(held));
    held.length = 0;
    return body;
  };
  // The next write detects a client that has left.
  const openLate = (): void => void open({}).catch(() => undefined);
  return {
    /** Resolves when the client can receive more. Throws if it has left or receives nothing for too long. */
    async write(chunk: Uint8Array): Promise<void> {
      if (body !== undefined) return send(response, body, chunk);
      held.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes >= (bufferBytes ?? HOLD_BYTES)) await open({});
      else if (bufferBytes === undefined) timer ??= setTimeout(openLate, HOLD_MS);
    },
    /** Sends the held data, with a final summary. */
    async open(summary: Summary): Promise<void> {
      await open(summary);
    },
    async end(summary: Summary): Promise<void> {
      const to = await open(summary);
      to.end();
      if (!response.writableFinished) await settled(response, 'finish', response);
    },
    /** Sends nothing if nothing was sent before: then the caller answers with the error. */
    async fail(error: EngineError): Promise<void> {
      clearTimeout(timer);
      if (body === undefined) return;
      await send(response, body, Buffer.from(exceptionBlock(error, about.version, exceptionTag)));
      await flushed(body);
      // Without the end of the chunked body, every client sees that the result is incomplete.
      response.socket?.destroySoon();
    },
  };
}

/** Of other statements, only something written makes a result. */
function hasResult(statement: Statement): boolean {
  return statement.kind === 'read' || (statement.kind === 'command' && WITH_RESULT.has(statement.keyword));
}

function resultHeaders(statement: Statement, defaultFormat: string) {
  const named = statement.kind === 'read' || statement.kind === 'command' ? statement.format : undefined;
  const format = named ?? defaultFormat;
  return { 'Content-Type': contentType(format), 'X-ClickHouse-Format': format };
}

/** The Content-Type that ClickHouse gives the results of a format, for the formats that browsers and curl users read. */
const CONTENT_TYPES: readonly (readonly [format: RegExp, type: string])[] = [
  [/^JSON\w*EachRow|^(?:JSONLines|NDJSON)$/, 'application/x-ndjson; charset=UTF-8'],
  [/^JSON/, 'application/json; charset=UTF-8'],
  [/^(?:TabSeparated|TSV)/, 'text/tab-separated-values; charset=UTF-8'],
  [/^CSV\w*WithNames/, 'text/csv; charset=UTF-8; header=present'],
  [/^CSV/, 'text/csv; charset=UTF-8; header=absent'],
  [/^XML$/, 'application/xml; charset=UTF-8'],
  [/^(?:Pretty|Vertical|Values|SQLInsert|Markdown|Raw|Null|Hash)/, 'text/plain; charset=UTF-8'],
];

function contentType(format: string): string {
  return CONTENT_TYPES.find(([pattern]) => pattern.test(format))?.[1] ?? 'application/octet-stream';
}

function faultText(error: EngineError, version: string): string {
  return `Code: ${error.code}. DB::Exception: ${error.message}. (${error.type}) (version ${version} (official build))`;
}

function exceptionBlock(error: EngineError, version: string, exceptionTag: string): string {
  const text = `${faultText(error, version)}\n`;
  const size = Buffer.byteLength(text);
  return `\r\n__exception__\r\n${exceptionTag}\r\n${text}${size} ${exceptionTag}\r\n__exception__\r\n`;
}

export interface FaultOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  /** The request names no user. A browser then asks for one. */
  readonly unnamed: boolean;
  /** As the answer would have been packed. */
  readonly packing: Packing | undefined;
}

/** Answers with an error before any part of the result was sent. */
export function sendFault(response: ServerResponse, error: EngineError, options: FaultOptions): void {
  if (response.headersSent || response.destroyed) return;
  const text = Buffer.from(`${faultText(error, options.version)}\n`);
  const { packing } = options;
  response.writeHead(options.unnamed ? 401 : statusOf(error.code), {
    ...options.headers,
    'Content-Type': 'text/plain; charset=UTF-8',
    ...(packing === undefined ? { 'Content-Length': text.length } : { 'Content-Encoding': packing.coding }),
    'X-ClickHouse-Exception-Code': String(error.code),
    ...(options.unnamed ? { 'WWW-Authenticate': 'Basic realm="ClickHouse server HTTP API"' } : {}),
  });
  packing?.packer.pipe(response);
  (packing?.packer ?? response).end(text);
}

async function send(response: ServerResponse, to: Writable, chunk: Uint8Array): Promise<void> {
  if (response.destroyed) throw new Error('the client is gone');
  if (!to.write(chunk)) await settled(to, 'drain', response);
}

/** Resolves when all written data has left the packer. */
async function flushed(body: Writable): Promise<void> {
  if ('flush' in body && typeof body.flush === 'function') {
    const flush: (done: () => void) => void = body.flush.bind(body);
    await new Promise<void>((resolve) => flush(resolve));
  }
  await new Promise((resolve) => setImmediate(resolve));
}

async function settled(stream: Writable, event: string, response: ServerResponse): Promise<void> {
  const stop = new AbortController();
  const { signal } = stop;
  const stalled = setTimeout(() => response.destroy(), STALL_MS);
  try {
    await Promise.race([once(stream, event, { signal }), once(response, 'close', { signal })]);
  } finally {
    clearTimeout(stalled);
    stop.abort();
  }
  if (response.destroyed && !response.writableFinished) throw new Error('the client is gone');
}
