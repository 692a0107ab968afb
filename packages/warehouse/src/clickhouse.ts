import { addAbortSignal, Readable } from 'node:stream';
import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseSettings,
  createClient,
} from '@clickhouse/client';
import { activeTraceparent, inStatementSpan } from '@tickrate/platform';
import { faultClass } from './fault-class.ts';
import { WarehouseFault } from './warehouse-fault.ts';

export interface Call {
  /** From the first to the last byte, including the wait for a free connection. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly settings?: ClickHouseSettings | undefined;
  readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  /** The default database of names. */
  readonly database?: string;
  /** The message of a failed command. It replaces the server's text, which quotes the statement. */
  readonly refusal?: string;
  /** The number of bytes of the answer that are kept. */
  readonly mostBytes?: number;
  /** zstd frames in the FORMAT of the INSERT. */
  readonly body?: readonly Uint8Array[];
}

interface RawAnswer extends Omit<Answer, 'text'> {
  readonly bytes: Buffer;
}

export interface Answer {
  readonly status: number;
  readonly exceptionCode: string | null;
  /** Whether ClickHouse answered, rather than a proxy. */
  readonly isClickHouse: boolean;
  readonly text: string;
  readonly isWhole: boolean;
}

export interface StreamCall extends Call {
  /** The default database of names. */
  readonly database: string;
  /** Replaces the user in the URL, or limits it to the rights of a role. */
  readonly as?: CallIdentity | undefined;
}

export type CallIdentity =
  | { readonly username: string; readonly password: string }
  | { readonly role: string };

export type StreamAnswer =
  /** Small answers begin with the number of their rows. */
  | { readonly kind: 'stream'; readonly stream: Readable; readonly resultRows: number | null }
  | { readonly kind: 'fault'; readonly code: string; readonly message: string };

const answerBytes = 64 * 1024;
/** The code of an answer that is longer than `mostBytes`. */
export const tooLarge = 'RESULT_TOO_LARGE';
const resultBytes = 64 * 1024 * 1024;

/** A pool of connections to ClickHouse. Every call ends within its timeout. */
export type ClickHouse = ReturnType<typeof connectClickHouse>;

export function connectClickHouse(options: {
  /** http(s)://user:password@host:port */
  readonly url: string;
  readonly maxConnections: number;
}) {
  const client = createClient({
    url: options.url,
    application: 'tickrate',
    max_open_connections: options.maxConnections,
    // Only for silent connections: each call has its own deadline.
    request_timeout: 600_000,
    log: { level: ClickHouseLogLevel.OFF },
  });

  async function post(query: string, call: Call): Promise<Answer> {
    const { bytes, ...answer } = await ask(client, query, call);
    return { ...answer, text: bytes.toString() };
  }

  return {
    /** Resolves with any answer. Rejects if there is none, with the error of the system or the signal. */
    post,
    /** Runs a statement without a result. Throws a WarehouseFault. */
    async command(sql: string, call: Call): Promise<void> {
      const answer = await answerOf(post(sql, call), call);
      requireSuccess(answer, () => call.refusal ?? answer.text);
    },
    /** Returns the rows of a SELECT without FORMAT. 64-bit integers are strings. Throws a WarehouseFault. */
    async rows<Row>(sql: string, call: Call): Promise<Row[]> {
      const settings = { output_format_json_quote_64bit_integers: 1, ...call.settings } as const;
      const asked = post(`${sql}\nFORMAT JSONEachRow`, { mostBytes: resultBytes, ...call, settings });
      const answer = await answerOf(asked, call);
      requireSuccess(answer, () => answer.text);
      return answer.text
        .split('\n')
        .filter((line) => line !== '')
        .map((line): Row => JSON.parse(line));
    },
    /** Returns the unchanged answer of a SELECT with FORMAT. Throws a WarehouseFault. */
    async bytes(sql: string, call: Call): Promise<Buffer> {
      const answer = await answerOf(ask(client, sql, { mostBytes: resultBytes, ...call }), call);
      requireSuccess(answer, () => answer.bytes.toString());
      return answer.bytes;
    },
    /**
     * Runs a SELECT with FORMAT and streams its answer. The timeout is for the whole answer. Destroying the stream ends
     * the query. Throws a WarehouseFault if there is no answer.
     */
    stream: (sql: string, call: StreamCall) => openStream(client, sql, call),
    close: () => client.close(),
  };
}

type Client = ReturnType<typeof createClient>;

function ask(client: Client, query: string, call: Call): Promise<RawAnswer> {
  return inStatementSpan('clickhouse', query, () => askNow(client, query, call));
}

async function askNow(client: Client, query: string, call: Call): Promise<RawAnswer> {
  const signal = deadline(call);
  return abortable(signal, async () => {
    const answer = await client.exec({
      query,
      ...headersOf(call),
      query_params: { ...call.parameters },
      abort_signal: signal,
      // The outcome is then known before the answer starts, so its status and its headers are reliable.
      clickhouse_settings: { ...call.settings, wait_end_of_query: 1 },
      ignore_error_response: true,
    });
    const headers = answer.response_headers;
    const code = headers['x-clickhouse-exception-code'];
    return {
      status: answer.http_status_code ?? 0,
      exceptionCode: typeof code === 'string' ? code : null,
      isClickHouse: headers[summaryHeader] !== undefined,
      ...(await readAtMost(addAbortSignal(signal, answer.stream), call.mostBytes ?? answerBytes)),
    };
  });
}

function openStream(client: ClickHouseClient, query: string, call: StreamCall): Promise<StreamAnswer> {
  return inStatementSpan('clickhouse', query, () => openStreamNow(client, query, call));
}

async function openStreamNow(
  client: ClickHouseClient,
  query: string,
  call: StreamCall,
): Promise<StreamAnswer> {
  const signal = deadline(call);
  const opened = abortable(signal, async (): Promise<StreamAnswer> => {
    const answer = await client.exec({
      query,
      http_headers: { 'X-ClickHouse-Database': call.database, ...traceHeader() },
      ...identityOf(call.as),
      query_params: { ...call.parameters },
      abort_signal: signal,
      clickhouse_settings: { ...call.settings },
      ignore_error_response: true,
    });
    const stream = addAbortSignal(signal, answer.stream);
    const code = answer.response_headers['x-clickhouse-exception-code'];
    const status = answer.http_status_code ?? 0;
    if (code === undefined && status === 200) {
      return { kind: 'stream', stream, resultRows: resultRowsIn(answer.response_headers[summaryHeader]) };
    }
    const { bytes } = await readAtMost(stream, answerBytes);
    const message = bytes.toString().trim();
    return { kind: 'fault', code: typeof code === 'string' ? code : `HTTP_${status}`, message };
  });
  return answerOf(opened, call);
}

const summaryHeader = 'x-clickhouse-summary';

function resultRowsIn(summary: unknown): number | null {
  const [, rows] = /"result_rows":"(\d+)"/.exec(String(summary)) ?? [];
  return rows === undefined ? null : Number(rows);
}

function identityOf(as: CallIdentity | undefined) {
  if (as === undefined) return {};
  return 'role' in as ? { role: as.role } : { auth: { ...as } };
}

function headersOf({ body, database }: Call) {
  const inDatabase = {
    ...(database !== undefined && { 'X-ClickHouse-Database': database }),
    ...traceHeader(),
  };
  if (body === undefined) return { http_headers: inDatabase };
  const length = body.reduce((sum, frame) => sum + frame.byteLength, 0);
  return {
    values: Readable.from(body),
    // With Content-Length, a truncated body is never accepted as a shorter one.
    http_headers: { ...inDatabase, 'Content-Encoding': 'zstd', 'Content-Length': String(length) },
  };
}

/** ClickHouse records spans of its own below it, where it keeps a log of them. */
function traceHeader() {
  const traceparent = activeTraceparent();
  return traceparent === null ? {} : { traceparent };
}

/** Reads to the end, so that the connection can be reused, but keeps only the start. */
async function readAtMost(stream: Readable, mostBytes: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const part of stream) {
    if (bytes < mostBytes) kept.push(Buffer.from(part).subarray(0, mostBytes - bytes));
    bytes += part.length;
    if (bytes > mostBytes + answerBytes) break;
  }
  return { bytes: Buffer.concat(kept), isWhole: bytes <= mostBytes };
}

function deadline({ timeoutMs, signal }: Call): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
}

/** The client drops its signal when an answer has started, and ignores one that fired before. */
async function abortable<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  signal.throwIfAborted();
  const { promise, reject } = Promise.withResolvers<never>();
  const onAbort = () => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work(), promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function answerOf<Given>(asked: Promise<Given>, call: Call): Promise<Given> {
  try {
    return await asked;
  } catch (error) {
    if (call.signal?.aborted === true) throw error;
    throw new WarehouseFault('no answer', { code: failureCode(error), transient: true, cause: error });
  }
}

/** The system's code for a request without an answer. */
export function failureCode(error: unknown): string {
  if (!(error instanceof Error)) return 'NO_ANSWER';
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  if (error.name === 'AbortError') return 'CANCELLED';
  return 'code' in error ? String(error.code) : 'NO_ANSWER';
}

function requireSuccess(
  { status, exceptionCode, isWhole }: Omit<Answer, 'text'>,
  textOf: () => string,
): void {
  if (exceptionCode !== null) {
    const transient = faultClass(Number(exceptionCode)) === 'transient';
    throw new WarehouseFault(textOf().trim(), { code: exceptionCode, transient });
  }
  if (status !== 200) {
    throw new WarehouseFault(textOf().trim(), { code: `HTTP_${status}`, transient: status >= 500 });
  }
  if (!isWhole)
    throw new WarehouseFault('the answer of the query is too large', { code: tooLarge, transient: false });
}
