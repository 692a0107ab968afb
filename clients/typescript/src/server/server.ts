import { randomBytes } from 'node:crypto';
import { backoffMs, decide } from '../core/answer.ts';
import type { TickrateEvent } from '../core/options.ts';
import { type Platform, systemPlatform } from '../core/platform.ts';
import { gzip, request } from '../core/request.ts';

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
}

/** An event was not accepted, and sending it again would not help. */
export class EventRefused extends Error {
  override readonly name = 'EventRefused';
  readonly status: number;
  readonly faults: readonly unknown[];

  constructor(message: string, { status, faults }: { status: number; faults: readonly unknown[] }) {
    super(message);
    this.status = status;
    this.faults = faults;
  }
}

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: EventRefused) => void;
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
  readonly #blocked: (() => void)[] = [];
  readonly #abort = new AbortController();

  constructor(options: ServerOptions, platform: Platform = systemPlatform()) {
    this.#options = options;
    this.#platform = platform;
  }

  /** Events whose promise is pending. */
  get pending(): number {
    return this.#unsettled;
  }

  /** Resolves when the event is accepted. Await it to send no faster than the server accepts. */
  async insert(event: TickrateEvent): Promise<void> {
    const { waitingEvents = 20_000, batchEvents = 1_000 } = this.#options;
    while (this.#unsettled >= waitingEvents)
      await new Promise<void>((resolve) => this.#blocked.push(resolve));
    if (this.#isClosed) throw new Error('insert() after close(): events of this call were not sent');
    const occurredAt = event.occurredAt ?? new Date(this.#platform.wallMs()).toISOString();
    const line = `${JSON.stringify({ ...event, occurredAt })}\n`;
    this.#unsettled++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#waiting.push({ line, resolve, reject });
    if (this.#waiting.length >= batchEvents) this.#send();
    else this.#timer ??= setTimeout(() => this.#send(), this.#options.batchMs ?? 50);
    return promise;
  }

  /** Resolves when every event is settled. `insert` rejects from then on. */
  async close(): Promise<void> {
    this.#isClosed = true;
    while (this.#waiting.length > 0 || this.#inFlight.size > 0) {
      this.#send();
      await Promise.race(this.#inFlight);
    }
  }

  #send(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const { batchEvents = 1_000, requests = 4 } = this.#options;
    while (this.#waiting.length > 0 && this.#inFlight.size < requests) {
      const batch = this.#waiting.splice(0, batchEvents);
      const sending = this.#deliver(batch).finally(() => {
        this.#inFlight.delete(sending);
        this.#unsettled -= batch.length;
        for (const resume of this.#blocked.splice(0)) resume();
        if (this.#waiting.length > 0) this.#send();
      });
      this.#inFlight.add(sending);
    }
  }

  async #deliver(batch: readonly Waiting[]): Promise<void> {
    const key = randomBytes(16).toString('hex');
    const text = batch.map(({ line }) => line).join('');
    const packed = await gzip(text);
    for (let attempt = 0; ; attempt++) {
      const answer = await request(
        this.#platform,
        this.#requestOf(key, { text, packed }),
        this.#abort.signal,
      );
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
        const error = new EventRefused(`the request was refused (HTTP ${answer.status}, code ${code})`, {
          status: answer.status,
          faults: [],
        });
        for (const { reject } of batch) reject(error);
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, Math.max(delayMs, backoffMs(0, 1) / 100)));
    }
  }

  #requestOf(key: string, { text, packed }: { text: string; packed: Uint8Array<ArrayBuffer> | null }) {
    return {
      url: `${this.#options.url.replace(/\/+$/, '')}/v1/event/multiInsert`,
      method: 'PUT',
      headers: {
        'X-API-Key': this.#options.key,
        'Idempotency-Key': key,
        'X-Client-Time': String(this.#platform.wallMs()),
        'X-Tickrate-SDK': 'tickrate-js-server/0.1.0',
        'Content-Type': 'application/x-ndjson',
        ...(packed && { 'Content-Encoding': 'gzip' }),
      },
      body: packed ?? text,
    };
  }
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
