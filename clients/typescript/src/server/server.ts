import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { backoffMs, decide } from '../core/answer.ts';
import { silence } from '../core/core.ts';
import type { TickrateEvent } from '../core/options.ts';
import { type Platform, systemPlatform } from '../core/platform.ts';
import { isBomb, request, traceHeader } from '../core/request.ts';

export type { TickrateEvent } from '../core/options.ts';

export interface ServerOptions {
  /** Address of the gateway. */
  readonly url: string;
  /** An administrative key with the scope `events:write`, or any other key that may insert events. */
  readonly key: string;
  /** Events in one request. The default is 1,000. */
  readonly batchEvents?: number;
  /** How long an event waits for others. The default is 50 ms. */
  readonly batchMs?: number;
  /** Requests at the same time. The default is 4. */
  readonly requests?: number;
  /** Events that wait. `insert` resolves later while there are more. The default is 20,000. */
  readonly waitingEvents?: number;
  /** Asked at each `insert`: the `traceparent` (W3C Trace Context) of what the backend does. A batch has that of its first event. */
  readonly traceparent?: () => string | undefined;
}

/** The time of `close` ended first: nobody knows whether this event was accepted. */
export class EventUnsettled extends Error {
  override readonly name = 'EventUnsettled';
}

/** An event was not accepted, and sending it again would not help. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
  readonly status: number;
  readonly faults: readonly unknown[];

  constructor(
    message: string,
    { status, faults, cause }: { status: number; faults: readonly unknown[]; cause?: unknown },
  ) {
    super(message, { cause });
    this.status = status;
    this.faults = faults;
  }
}

/** The gateway takes a body of this size whole or not at all, so that a 413 never follows a stored beginning. */
const mostBatchBytes = 256 * 1024;
const mostBatchEvents = 10_000;
const mostTimerMs = 2 ** 31 - 1;

interface Waiting {
  readonly line: string;
  readonly bytes: number;
  readonly trace: { traceparent?: string } | undefined;
  readonly resolve: () => void;
  readonly reject: (error: EventRefused | EventUnsettled) => void;
}

/**
 * Sends events of a studio's own backend in batches. `insert` resolves once its event is durable in the queue, and rejects with
 * EventRefused if it is not accepted. Nothing is kept on disk: an event whose promise is pending is not safe yet.
 */
export class TickrateServer {
  readonly #options: ServerOptions;
  readonly #platform: Platform;
  readonly #waiting: Waiting[] = [];
  readonly #inFlight = new Set<Promise<void>>();
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #unsettled = 0;
  /** Without a place among those that wait. */
  readonly #blocked: Waiting[] = [];
  #time = { ms: Number.NaN, text: '' };
  readonly #abort = new AbortController();

  constructor(options: ServerOptions, platform: Platform = systemPlatform()) {
    this.#options = options;
    this.#platform = platform;
  }

  /** Events whose promise is pending. */
  get pending(): number {
    return this.#unsettled;
  }

  /** Resolves when the event is accepted. Await it to send no faster than the server accepts, and waits while that is away. */
  insert(event: TickrateEvent): Promise<void> {
    // One promise for an event: an async function would make three.
    return new Promise((resolve, reject) => {
      if (this.#isClosed) throw new Error('insert() after close(): the event of this call was not sent');
      const line = this.#lineOf(event);
      const { traceparent } = this.#options;
      const trace = traceparent && traceHeader(traceparent);
      const given = { line, bytes: Buffer.byteLength(line), trace, resolve, reject };
      if (this.#places() > 0) this.#add(given);
      else this.#blocked.push(given);
    });
  }

  #places(): number {
    return (this.#options.waitingEvents ?? 20_000) - this.#unsettled;
  }

  #lineOf(event: TickrateEvent): string {
    const occurredAt = event?.occurredAt ?? this.#timeOf(this.#platform.wallMs());
    try {
      return `${JSON.stringify({ ...event, occurredAt })}\n`;
    } catch (error) {
      throw new EventRefused(`the event cannot be written as JSON: ${String(error)}`, {
        status: 0,
        faults: [],
        cause: error,
      });
    }
  }

  /** Many events have the same millisecond. */
  #timeOf(ms: number): string {
    if (ms !== this.#time.ms) this.#time = { ms, text: new Date(ms).toISOString() };
    return this.#time.text;
  }

  #add(given: Waiting): void {
    const { batchEvents = 1_000, batchMs = 50 } = this.#options;
    this.#unsettled++;
    this.#waiting.push(given);
    if (this.#waiting.length >= batchEvents) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), batchMs);
  }

  #admit(places: number): void {
    for (const given of this.#blocked.splice(0, places)) this.#add(given);
  }

  /**
   * Resolves when every event is settled: after `timeoutMs`, by giving up, with an EventUnsettled for each one that waits. The
   * default is to wait for the server, for as long as it is away. `insert` rejects from then on.
   */
  async close({ timeoutMs = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    this.#isClosed = true;
    const limit = timeoutMs < mostTimerMs ? setTimeout(() => this.#abort.abort(), timeoutMs) : undefined;
    // What was given before close() is sent by it, also without a place.
    this.#admit(this.#blocked.length);
    while (this.#unsettled > 0) {
      this.#send();
      await Promise.race(this.#inFlight);
    }
    clearTimeout(this.#timer);
    clearTimeout(limit);
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { requests = 4 } = this.#options;
    while (this.#waiting.length > 0 && this.#inFlight.size < requests) {
      const batch = this.#waiting.splice(0, this.#batchLength());
      const sending = this.#deliver(batch).finally(() => {
        this.#inFlight.delete(sending);
        this.#unsettled -= batch.length;
        this.#admit(Math.max(0, this.#places()));
        if (this.#waiting.length > 0) this.#send();
      });
      this.#inFlight.add(sending);
    }
  }

  /** As many events as go into one request. An answer names at most 10,000 rejected ones. */
  #batchLength(): number {
    const { batchEvents = 1_000 } = this.#options;
    let sum = 0;
    const end = this.#waiting.findIndex(({ bytes }, at) => {
      sum += bytes;
      return at > 0 && (sum > mostBatchBytes || at >= Math.min(batchEvents, mostBatchEvents));
    });
    return end < 0 ? this.#waiting.length : end;
  }

  async #deliver(batch: readonly Waiting[]): Promise<void> {
    const key = randomBytes(16).toString('hex');
    const text = batch.map(({ line }) => line).join('');
    const sent = { text, packed: await pack(text), trace: batch[0]?.trace };
    const { signal } = this.#abort;
    for (let attempt = 0; ; attempt++) {
      const answer = await request(this.#platform, this.#requestOf(key, sent), signal);
      if (signal.aborted) return giveUp(batch);
      const decision = decide(answer, attempt, { random: this.#platform.random() });
      const { action, delayMs, body, code } = decision;
      if (action === 'delete') return settle(batch, body);
      if (action === 'split' && batch.length > 1) {
        const middle = Math.ceil(batch.length / 2);
        await Promise.all([this.#deliver(batch.slice(0, middle)), this.#deliver(batch.slice(middle))]);
        return;
      }
      const isTemporary = action === 'retry' || action === 'wait' || action === 'pause';
      if (!isTemporary) {
        const error = new EventRefused(refusalOf(answer.status, code), {
          status: answer.status,
          faults: [],
        });
        for (const { reject } of batch) reject(error);
        return;
      }
      await delay(Math.max(delayMs, backoffMs(0, 1) / 100), undefined, { signal }).catch(silence);
    }
  }

  #requestOf(
    key: string,
    { text, packed, trace }: { text: string; packed: Packed | null; trace: Waiting['trace'] },
  ) {
    return {
      url: `${this.#options.url.replace(/\/+$/, '')}/v1/event/multiInsert`,
      method: 'PUT',
      headers: {
        'X-API-Key': this.#options.key,
        'Idempotency-Key': key,
        'X-Client-Time': String(this.#platform.wallMs()),
        'X-Tickrate-SDK': 'tickrate-js-server/0.1.0',
        'Content-Type': 'application/x-ndjson',
        ...(packed && { 'Content-Encoding': packed.coding }),
        ...trace,
      },
      body: packed?.bytes ?? text,
    };
  }
}

interface Packed {
  readonly coding: 'zstd' | 'gzip';
  readonly bytes: Buffer<ArrayBuffer>;
}

/** At least as long as what a batch shrinks to: each further chunk is one more task of the thread pool. */
const chunkSize = 128 * 1024;

/** Null for what the gateway takes for a bomb. */
async function pack(text: string): Promise<Packed | null> {
  const packed = await (packZstd ?? packGzip)(text);
  return isBomb(packed.bytes, text) ? null : packed;
}

/** Its fastest usual level: a third of the time of gzip, for fewer bytes. Absent before Node 22.15. */
const packZstd = zlib.zstdCompress
  ? async (text: string): Promise<Packed> => {
      const params = { [zlib.constants.ZSTD_c_compressionLevel]: 1 };
      return { coding: 'zstd', bytes: await promisify(zlib.zstdCompress)(text, { params, chunkSize }) };
    }
  : null;

/** The fastest level: it needs a third of the time of the usual one, for a tenth more bytes. */
async function packGzip(text: string): Promise<Packed> {
  const level = zlib.constants.Z_BEST_SPEED;
  return {
    coding: 'gzip',
    bytes: await promisify<string, object, Buffer<ArrayBuffer>>(zlib.gzip)(text, { level, chunkSize }),
  };
}

function giveUp(batch: readonly Waiting[]): void {
  for (const { reject } of batch)
    reject(new EventUnsettled('close() gave up: whether the event of this call was accepted is not known'));
}

function refusalOf(status: number, code: number): string {
  const isKey = status === 401 || status === 403;
  const advice = isKey ? ': check that the option key may insert events (scope events:write)' : '';
  return `the request was refused (HTTP ${status}, code ${code})${advice}`;
}

function settle(batch: readonly Waiting[], { rejected }: Readonly<Record<string, unknown>>): void {
  const faults = new Map<unknown, readonly unknown[]>();
  for (const each of Array.isArray(rejected) ? rejected : []) faults.set(each?.index, each?.errors ?? []);
  for (const [index, { resolve, reject }] of batch.entries()) {
    const found = faults.get(index);
    if (found === undefined) resolve();
    else
      reject(
        new EventRefused(`the event was rejected: ${JSON.stringify(found)}`, { status: 200, faults: found }),
      );
  }
}
