import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Duplex, Writable } from 'node:stream';
import type { EngineError } from '../engine/engine-error.ts';
import { statusOf } from './http-fault.ts';

/**
 * One response: held back → streaming → ended. While little has come it is held back, so that a fault still
 * gets its own status and a small result its full summary.
 */
export interface Answer {
  /** Resolves when the client can take more; throws when it is gone or takes nothing for too long. */
  write(chunk: Uint8Array): Promise<void>;
  end(summary: Summary): Promise<void>;
  fail(error: EngineError): Promise<void>;
}

export type Summary = Readonly<Record<string, string>>;

export interface AnswerOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly version: string;
  readonly holdBytes: number;
  readonly exceptionTag: string;
  readonly coding?: { readonly name: string; readonly stream: Duplex | undefined } | undefined;
}

const STALL_MS = 30_000;

export function faultText(error: EngineError, version: string): string {
  return `Code: ${error.code}. DB::Exception: ${error.message}. (${error.type}) (version ${version} (official build))`;
}

export function createAnswer(response: ServerResponse, options: AnswerOptions): Answer {
  let held: Uint8Array[] = [];
  let heldBytes = 0;
  let body: Writable | undefined;
  const open = (summary: Summary): Writable => {
    if (body !== undefined) return body;
    const { coding } = options;
    response.writeHead(200, {
      ...options.headers,
      ...(coding === undefined ? {} : { 'Content-Encoding': coding.name }),
      'X-ClickHouse-Exception-Tag': options.exceptionTag,
      'X-ClickHouse-Summary': JSON.stringify(summary),
    });
    coding?.stream?.pipe(response);
    body = coding?.stream ?? response;
    return body;
  };
  const send = async (chunk: Uint8Array, to: Writable): Promise<void> => {
    if (response.destroyed) throw new Error('the client is gone');
    if (to.write(chunk)) return;
    await settled(to, 'drain', response);
  };
  const flush = async (to: Writable): Promise<void> => {
    const all = Buffer.concat(held);
    held = [];
    if (all.length > 0) await send(all, to);
  };
  return {
    async write(chunk) {
      if (body !== undefined) return send(chunk, body);
      held.push(chunk);
      heldBytes += chunk.length;
      if (heldBytes >= options.holdBytes) await flush(open({}));
    },
    async end(summary) {
      const to = open(summary);
      await flush(to);
      to.end();
      if (!response.writableFinished) await settled(response, 'finish', response);
    },
    async fail(error) {
      if (body === undefined) return sendFault(response, error, options);
      const text = `${faultText(error, options.version)}\n`;
      const { exceptionTag: tag } = options;
      const block = `\r\n__exception__\r\n${tag}\r\n${text}${Buffer.byteLength(text)} ${tag}\r\n__exception__\r\n`;
      await flush(body);
      await new Promise<void>((resolve) => body?.write(block, () => resolve()));
      await drained(body, response);
      // Without the end of the chunked body every client sees that the result is not whole.
      response.socket?.destroySoon();
    },
  };
}

/** A fault before anything of the result was sent. */
export function sendFault(
  response: ServerResponse,
  error: EngineError,
  options: { headers: Readonly<Record<string, string>>; version: string; unnamed?: boolean },
): void {
  if (response.headersSent || response.destroyed) return;
  const text = Buffer.from(`${faultText(error, options.version)}\n`);
  const { 'X-ClickHouse-Format': _, ...headers } = options.headers;
  response.writeHead(options.unnamed ? 401 : statusOf(error.code), {
    ...headers,
    'Content-Type': 'text/plain; charset=UTF-8',
    'Content-Length': text.length,
    'X-ClickHouse-Exception-Code': String(error.code),
    ...(options.unnamed ? { 'WWW-Authenticate': 'Basic realm="ClickHouse server HTTP API"' } : {}),
  });
  response.end(text);
}

async function drained(body: Writable, response: ServerResponse): Promise<void> {
  if (body === response) return;
  if ('flush' in body && typeof body.flush === 'function') {
    const flush = body.flush.bind(body);
    await new Promise<void>((resolve) => flush(() => resolve()));
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
