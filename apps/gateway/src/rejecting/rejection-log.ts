import { limits, uuidText } from '@tickrate/contract';
import type { Quarantine, RejectedSample, RejectionCount, RejectionFlush } from '@tickrate/pipeline';
import { type Component, createLock, type Rate, TokenBuckets } from '@tickrate/platform';
import { PostgresUnavailable } from '@tickrate/postgres';
import { type InsertCall, type StoredAddress, senderOf } from '../calls/insert-call.ts';
import type { RejectedSpan } from './rejected-span.ts';

export interface RejectionLog extends Component {
  /** Counts the rejected events of this request and keeps samples of them. Never throws, and does not wait. */
  record(call: InsertCall, body: Buffer, rejected: readonly RejectedSpan[]): void;
}

interface RejectionLogOptions {
  readonly quarantine: Pick<Quarantine, 'keepRejections'>;
  /** The name of this process, unique among all gateways that ever ran. */
  readonly producer: string;
  /** How many events of each kind are kept as samples. A burst of 0 keeps none. */
  readonly samples: Rate;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly storedAddress: StoredAddress;
  /** Writes a UUIDv7 in the store's form. */
  readonly writeId: (out: Uint8Array, ms: number) => void;
  readonly onRejected: (reason: string) => void;
  readonly onSamples: (outcome: 'kept' | 'dropped', count: number) => void;
  readonly onFault: (error: unknown) => void;
  readonly everyMs?: number;
}

const mostKinds = 5_000;
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
  readonly #kinds: TokenBuckets;
  #counts = new Map<string, RejectionCount>();
  #samples: RejectedSample[] = [];
  #sampleBytes = 0;
  #flushes = 0;
  #unanswered: RejectionFlush | null = null;
  readonly #lock = createLock();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: RejectionLogOptions) {
    this.#options = options;
    this.#kinds = new TokenBuckets(mostKinds, options.now);
  }

  record(call: InsertCall, body: Buffer, rejected: readonly RejectedSpan[]): void {
    for (const each of rejected) this.#take(call, body, each);
    if (rejected.length > 0) this.#flushSoon();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    clearTimeout(this.#timer);
    await this.#lock.run(async () => {
      // While the ledger is away, waiting gains nothing.
      if (this.#unanswered === null) await this.#flush();
    });
  }

  #take(call: InsertCall, body: Buffer, rejected: RejectedSpan): void {
    const { samples, onRejected, onSamples } = this.#options;
    const { projectId } = call.principal;
    const { reason, isDeclared } = rejected;
    onRejected(reason);
    this.#count(projectId, rejected, call.context.receivedMs);
    // All undeclared names share one bucket.
    const kind = `${projectId}/${isDeclared ? rejected.type : ''}/${reason}`;
    if (samples.burst === 0 || !this.#kinds.take(kind, samples, 1).allowed) return;
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
      ...senderOf(call, this.#options.storedAddress),
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

  #flushSoon(): void {
    if (this.#stopped) return;
    this.#timer ??= setTimeout(async () => {
      await this.#lock.run(() => this.#flush());
      this.#timer = undefined;
      if (this.#unanswered !== null || this.#counts.size > 0) this.#flushSoon();
    }, this.#options.everyMs ?? 500);
  }

  async #flush(): Promise<void> {
    const { quarantine, onSamples, onFault } = this.#options;
    this.#unanswered ??= this.#gathered();
    const flush = this.#unanswered;
    if (flush === null) return;
    try {
      const kept = await quarantine.keepRejections(flush);
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
