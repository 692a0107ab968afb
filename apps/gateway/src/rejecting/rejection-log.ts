import { limits, uuidText } from '@tickrate/contract';
import type { Ledger, RejectedSample, RejectionCount, RejectionFlush } from '@tickrate/pipeline';
import { type Component, createLock } from '@tickrate/platform';
import { PostgresUnavailable } from '@tickrate/postgres';
import { type InsertCall, senderOf } from '../calls/insert-call.ts';
import type { RejectedSpan } from './rejected-span.ts';
import type { Sampler } from './sampler.ts';

export interface RejectionLog extends Component {
  /** Counts the rejected events of this request and keeps samples of them. Never throws, and does not wait. */
  readonly record: RecordRejected;
}

export type RecordRejected = (call: InsertCall, body: Buffer, rejected: readonly RejectedSpan[]) => void;

export interface RejectionLogOptions {
  readonly ledger: Pick<Ledger, 'keepRejections'>;
  /** The name of this process, unique among all gateways that ever ran. */
  readonly producer: string;
  readonly sampler: Sampler;
  readonly storesAddress: 'none' | 'prefix';
  /** Writes a UUIDv7 in the store's form. */
  readonly writeId: (out: Uint8Array, ms: number) => void;
  readonly onRejected: (reason: string) => void;
  readonly onSamples: (outcome: 'kept' | 'dropped', count: number) => void;
  readonly onFault: (error: unknown) => void;
  readonly everyMs?: number;
}

const mostCounts = 2_000;
const mostSamples = 500;
const mostSampleBytes = 1024 * 1024;

/**
 * Counts rejected events and keeps samples of them, in the background: no answer waits for it or fails because of it.
 * Its memory is limited, also while the ledger is away: counts wait, and samples beyond the limit are dropped and
 * counted. States: gathering → flushing (a flush without an answer is sent again unchanged) → gathering.
 */
export function createRejectionLog(options: RejectionLogOptions): RejectionLog {
  return new Log(options);
}

class Log implements RejectionLog {
  readonly name = 'rejection-log';
  readonly #options: RejectionLogOptions;
  #counts = new Map<string, RejectionCount>();
  #samples: RejectedSample[] = [];
  #sampleBytes = 0;
  #flushes = 0;
  #unanswered: RejectionFlush | null = null;
  readonly #lock = createLock();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RejectionLogOptions) {
    this.#options = options;
  }

  readonly record: RecordRejected = (call, body, rejected) => {
    for (const each of rejected) this.#take(call, body, each);
  };

  async start(): Promise<void> {
    const { everyMs = 500 } = this.#options;
    this.#timer = setInterval(() => void this.#lock.run(() => this.#flush()), everyMs);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#lock.run(async () => {
      // While the ledger is away, waiting gains nothing.
      if (this.#unanswered === null) await this.#flush();
    });
  }

  #take(call: InsertCall, body: Buffer, rejected: RejectedSpan): void {
    const { sampler, onRejected, onSamples } = this.#options;
    const { projectId } = call.principal;
    const { reason, isDeclared } = rejected;
    onRejected(reason);
    this.#count(projectId, rejected, call.context.receivedMs);
    // All undeclared names share one bucket.
    if (!sampler(`${projectId}/${isDeclared ? rejected.type : ''}/${reason}`)) return;
    const raw = body.subarray(rejected.at, rejected.end < 0 ? body.length : rejected.end);
    const kept = Buffer.from(raw.subarray(0, limits.eventBytes));
    if (this.#samples.length >= mostSamples || this.#sampleBytes + kept.length > mostSampleBytes) {
      onSamples('dropped', 1);
      return;
    }
    this.#sampleBytes += kept.length;
    this.#samples.push({ ...this.#describe(call, rejected), raw: kept, bytes: raw.length });
  }

  #count(projectId: string, rejected: RejectedSpan, ms: number): void {
    const { reason } = rejected;
    const exact = `${projectId}/${rejected.version}/${reason}/${rejected.type}`;
    const fits = this.#counts.size < mostCounts || this.#counts.has(exact);
    const key = fits ? exact : `${projectId}/0/${reason}/`;
    const { type, version } = fits ? rejected : { type: '', version: 0 };
    const { events = 0, firstMs = ms } = this.#counts.get(key) ?? {};
    this.#counts.set(key, { projectId, type, version, reason, events: events + 1, firstMs, lastMs: ms });
  }

  #describe(call: InsertCall, rejected: RejectedSpan): Omit<RejectedSample, 'raw' | 'bytes'> {
    const { context, principal, query } = call;
    const { type, version, reason, pointer, message, form, envelope } = rejected;
    const id = new Uint8Array(16);
    this.#options.writeId(id, context.receivedMs);
    return {
      ...senderOf(call, this.#options.storesAddress),
      id: uuidText(id, 0),
      keyId: principal.keyId,
      requestId: context.requestId,
      type,
      version,
      versionNamed: rejected.versionNamed ?? query.eventTypeVersion !== null,
      reason,
      pointer,
      message,
      form,
      ...envelope,
    };
  }

  async #flush(): Promise<void> {
    const { ledger, onSamples, onFault } = this.#options;
    this.#unanswered ??= this.#gathered();
    const flush = this.#unanswered;
    if (flush === null) return;
    try {
      const kept = await ledger.keepRejections(flush);
      onSamples('kept', kept);
      onSamples('dropped', flush.samples.length - kept);
      this.#unanswered = null;
    } catch (error) {
      // A flush that PostgreSQL rejects permanently is dropped, because it would block all later ones.
      if (!(error instanceof PostgresUnavailable)) this.#unanswered = null;
      onFault(error);
    }
  }

  #gathered(): RejectionFlush | null {
    if (this.#counts.size === 0) return null;
    this.#flushes += 1;
    const { producer } = this.#options;
    const flush = {
      producer,
      number: this.#flushes,
      counts: [...this.#counts.values()],
      samples: this.#samples,
    };
    this.#counts = new Map();
    this.#samples = [];
    this.#sampleBytes = 0;
    return flush;
  }
}
