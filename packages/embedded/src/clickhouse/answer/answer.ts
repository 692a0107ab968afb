import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import type { EngineError } from '../engine/engine-error.ts';
import type { Packing } from '../request/content-coding.ts';
import { statusOf } from './http-fault.ts';

export type Summary = Readonly<Record<string, string>>;

export interface AnswerOptions {
  readonly headers: Readonly<Record<string, string>>;
  /** Of an answer that has a result. */
  readonly resultHeaders: Readonly<Record<string, string>>;
  /** Undefined where only something written makes a result. */
  readonly hasResult: true | undefined;
  readonly version: string;
  readonly holdBytes: number;
  /** How long data is held back. Undefined: until there is enough. */
  readonly holdMs: number | undefined;
  readonly exceptionTag: string;
  /** Values of `X-ClickHouse-Progress` up to now. */
  readonly progress: () => readonly string[];
  /** Packs the body on its way out. */
  readonly packer: Transform | undefined;
}

const STALL_MS = 30_000;

function faultText(error: EngineError, version: string): string {
  return `Code: ${error.code}. DB::Exception: ${error.message}. (${error.type}) (version ${version} (official build))`;
}

/**
 * One response: held back → streaming → ended. For a moment, and while little has come, it is held back, so that a
 * fault still gets its own status and a small result its full summary.
 */
export type Answer = ReturnType<typeof createAnswer>;

export function createAnswer(response: ServerResponse, options: AnswerOptions) {
  const held: Uint8Array[] = [];
  let heldBytes = 0;
  let body: Writable | undefined;
  let timer: NodeJS.Timeout | undefined;
  const open = async (summary: Summary): Promise<Writable> => {
    if (body !== undefined) return body;
    clearTimeout(timer);
    body = begin(
      response,
      { ...options, hasResult: options.hasResult ?? (heldBytes > 0 || undefined) },
      summary,
    );
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
      if (heldBytes >= options.holdBytes) await open({});
      else if (options.holdMs !== undefined) timer ??= setTimeout(openLate, options.holdMs);
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
      await send(response, body, Buffer.from(exceptionBlock(error, options)));
      await flushed(body);
      // Without the end of the chunked body, every client sees that the result is incomplete.
      response.socket?.destroySoon();
    },
  };
}

function begin(
  response: ServerResponse,
  { headers, resultHeaders, hasResult, progress, exceptionTag, packer }: AnswerOptions,
  summary: Summary,
): Writable {
  response.writeHead(200, {
    ...headers,
    ...(hasResult === undefined ? { 'Content-Type': 'text/plain; charset=UTF-8' } : resultHeaders),
    'X-ClickHouse-Exception-Tag': exceptionTag,
    ...(progress().length === 0 ? {} : { 'X-ClickHouse-Progress': [...progress()] }),
    'X-ClickHouse-Summary': JSON.stringify(summary),
  });
  packer?.pipe(response);
  return packer ?? response;
}

function exceptionBlock(error: EngineError, { version, exceptionTag }: AnswerOptions): string {
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
