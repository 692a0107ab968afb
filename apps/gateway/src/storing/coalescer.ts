import { constants, zstdCompressSync } from 'node:zlib';
import { uuidText } from '@tickrate/contract';
import { createEventIds, type EventIds, RowWriter, stampChunkId } from '@tickrate/events';
import {
  type Chunk,
  type IdempotentRun,
  type Lane,
  mostChunksOfParcel,
  type SentPositions,
  writeChunkPlace,
} from '@tickrate/pipeline';
import { activeTraceparent, inBatchSpan } from '@tickrate/platform';
import { ActiveSenders } from './active-senders.ts';
import type { KeyedRows } from './idempotency.ts';

/** The rows of one request. Their buffer is free again once `add` has returned. */
export interface RequestRows {
  readonly requestId: string;
  /** The connection of the request. */
  readonly sender: object;
  readonly projectId: string;
  readonly bytes: Buffer;
  readonly length: number;
  readonly starts: readonly number[];
  readonly keyed: readonly KeyedRows[];
  /** The span of the request, if it is recorded. */
  readonly traceparent: string | null;
}

export interface Coalescer {
  /** Resolves once the chunk with these rows is durable; rejects like the producer. */
  add(rows: RequestRows): Promise<void>;
  /** Sends all open chunks now, and resolves when none is in progress. */
  drain(): Promise<void>;
}

export interface CoalescerOptions {
  readonly producer: string;
  readonly positions: Pick<SentPositions, 'begin' | 'settle'>;
  readonly laneOf: (projectId: string) => Lane;
  /** Resolves when the chunks, which have the ids of one parcel, are durable. */
  readonly send: (chunks: readonly Chunk[], lane: Lane) => Promise<void>;
  readonly onSent: (chunk: Chunk, requestIds: readonly string[]) => void;
  readonly now: () => number;
  readonly fillRandom: (pool: Uint8Array) => void;
  readonly windowMs?: number;
  readonly maxRows?: number;
  readonly maxBytes?: number;
}

interface OpenParcel {
  readonly lane: Lane;
  readonly id: Buffer;
  readonly chunks: Map<string, OpenChunk>;
  readonly sent: PromiseWithResolvers<void>;
  readonly traceparents: string[];
  /** When it is sent even if it is not full. */
  dueMs: number;
  readonly senders: Set<object>;
  requests: number;
  /** Those of its senders within the last seconds. */
  recentRequests: number;
  rows: number;
  bytes: number;
  stopTimer: (() => void) | null;
}

interface OpenChunk {
  readonly projectId: string;
  readonly id: Buffer;
  readonly writer: RowWriter;
  readonly runs: IdempotentRun[];
  readonly requestIds: string[];
  rows: number;
}

/** The share of the last requests whose senders wait when a parcel is sent before its time. */
const mostRequests = 0.75;
/** While they wait, parcels with fewer requests follow each other at this distance. */
const fewRequests = 32;
const fewRequestsWindowMs = 5;
/** A parcel with so many requests is worth its cost, so half of the window is enough. */
const manyRequests = 100;
/** A flood can keep timers from firing. So long after a parcel was due, the next request sends it. */
const overdueMs = 20;
const keptWriters = mostChunksOfParcel;
const keptWriterBytes = 1024 * 1024;

/**
 * Packs the rows of many requests into chunks, each of one project, and chunks of many projects into parcels. The rows
 * of a request are never split. A parcel of a lane is sent:
 *
 * - at once, if none was sent within the window before it: an event in a quiet moment does not wait
 * - when the window since the one before it is over, or half of it with many requests: so a gateway that is not busy
 *   sends 20 parcels a second at most
 * - as soon as it is full
 * - as soon as those wait for it who sent most of the last requests: then few others can add to it, and waiting only slows
 *   them
 */
export function createCoalescer(options: CoalescerOptions): Coalescer {
  return new OpenParcels(options);
}

class OpenParcels implements Coalescer {
  readonly #options: CoalescerOptions;
  readonly #windowMs: number;
  readonly #maxRows: number;
  readonly #maxBytes: number;
  readonly #ids: EventIds;
  readonly #open = new Map<Lane, OpenParcel>();
  readonly #sentMs: Record<Lane, number> = { bulk: 0, express: 0 };
  readonly #senders = new ActiveSenders();
  readonly #sending = new Set<Promise<void>>();
  readonly #writers: RowWriter[] = [];

  constructor(options: CoalescerOptions) {
    this.#options = options;
    this.#windowMs = options.windowMs ?? 50;
    this.#maxRows = options.maxRows ?? 1_000;
    this.#maxBytes = options.maxBytes ?? 256 * 1024;
    this.#ids = createEventIds(options.fillRandom);
  }

  add(rows: RequestRows): Promise<void> {
    const lane = this.#options.laneOf(rows.projectId);
    const nowMs = this.#options.now();
    const parcel = this.#withRoom(lane, rows, nowMs);
    append(parcel.chunks.get(rows.projectId) ?? this.#beginChunk(parcel, rows.projectId), rows);
    if (rows.traceparent !== null) parcel.traceparents.push(rows.traceparent);
    parcel.requests += 1;
    const recentRequests = this.#senders.note(rows.sender, nowMs);
    parcel.recentRequests += parcel.senders.has(rows.sender) ? 1 : recentRequests;
    parcel.senders.add(rows.sender);
    parcel.rows += rows.starts.length;
    parcel.bytes += rows.length;
    const isFull = parcel.rows >= this.#maxRows || parcel.bytes >= this.#maxBytes;
    if (isFull || nowMs >= parcel.dueMs + overdueMs) this.#send(parcel);
    else this.#sendLater(parcel, nowMs);
    return parcel.sent.promise;
  }

  async drain(): Promise<void> {
    for (const parcel of this.#open.values()) this.#send(parcel);
    await Promise.allSettled(this.#sending);
  }

  #withRoom(lane: Lane, { projectId, length }: RequestRows, nowMs: number): OpenParcel {
    const parcel = this.#open.get(lane);
    if (parcel === undefined) return this.#begin(lane, nowMs);
    const { chunks, bytes } = parcel;
    const hasPlace = chunks.has(projectId) || chunks.size < mostChunksOfParcel;
    if (hasPlace && bytes + length <= this.#maxBytes) return parcel;
    this.#send(parcel);
    return this.#begin(lane, nowMs);
  }

  #begin(lane: Lane, nowMs: number): OpenParcel {
    const id = Buffer.alloc(16);
    this.#ids.write(id, 0, nowMs);
    const sent = Promise.withResolvers<void>();
    const dueMs = this.#isWithinWindow(lane, nowMs) ? this.#sentMs[lane] + this.#windowMs : nowMs;
    const counts = { requests: 0, recentRequests: 0, rows: 0, bytes: 0 };
    const parts = { chunks: new Map(), traceparents: [], senders: new Set<object>() };
    const parcel = { lane, id, dueMs, sent, stopTimer: null, ...parts, ...counts };
    this.#open.set(lane, parcel);
    return parcel;
  }

  /** False also after the clock was set back. */
  #isWithinWindow(lane: Lane, nowMs: number): boolean {
    const sinceMs = nowMs - this.#sentMs[lane];
    return sinceMs >= 0 && sinceMs < this.#windowMs;
  }

  #beginChunk({ id: parcelId, chunks }: OpenParcel, projectId: string): OpenChunk {
    const id = Buffer.from(parcelId);
    writeChunkPlace(id, chunks.size);
    const writer = this.#writers.pop() ?? new RowWriter();
    const chunk: OpenChunk = { projectId, id, writer, runs: [], requestIds: [], rows: 0 };
    chunks.set(projectId, chunk);
    return chunk;
  }

  #sendLater(parcel: OpenParcel, nowMs: number): void {
    const hasBecomeMany = parcel.requests === manyRequests;
    if (hasBecomeMany) parcel.dueMs -= this.#windowMs / 2;
    let { dueMs } = parcel;
    if (this.#mostWait()) {
      const windowMs = parcel.requests < fewRequests ? fewRequestsWindowMs : 0;
      dueMs = Math.min(dueMs, this.#sentMs[parcel.lane] + windowMs);
    } else if (parcel.stopTimer !== null && !hasBecomeMany) return;
    parcel.stopTimer?.();
    parcel.stopTimer = startTimer(dueMs - nowMs, () => this.#send(parcel));
  }

  /** Whether most senders wait for an open parcel. While others are on their way, their senders come back. */
  #mostWait(): boolean {
    if (this.#sending.size > 0) return false;
    let waiting = 0;
    for (const { recentRequests } of this.#open.values()) waiting += recentRequests;
    return waiting >= mostRequests * this.#senders.requests;
  }

  #send(parcel: OpenParcel): void {
    this.#open.delete(parcel.lane);
    this.#sentMs[parcel.lane] = this.#options.now();
    parcel.stopTimer?.();
    const attributes = { 'messaging.batch.message_count': parcel.chunks.size };
    const span = { name: `send ${parcel.lane}`, kind: 'producer', attributes } as const;
    const sent = inBatchSpan(span, parcel.traceparents, () => this.#sealAndSend(parcel));
    this.#sending.add(sent);
    sent.then(parcel.sent.resolve, parcel.sent.reject).finally(() => this.#sending.delete(sent));
  }

  #sealAndSend(parcel: OpenParcel): Promise<void> {
    const open = [...parcel.chunks.values()];
    const traceparent = parcel.traceparents.length > 0 ? (activeTraceparent() ?? undefined) : undefined;
    const sealed = open.map((chunk) => this.#seal(chunk, traceparent));
    for (const { writer } of open) this.#keepWriter(writer);
    return this.#sendSealed(sealed, parcel.lane).then(() => {
      for (const [at, chunk] of sealed.entries()) this.#options.onSent(chunk, open[at]?.requestIds ?? []);
    });
  }

  #seal({ id, projectId, rows, runs, writer }: OpenChunk, traceparent: string | undefined): Chunk {
    return {
      id: uuidText(id, 0),
      projectId,
      count: rows,
      idempotency: runs,
      frame: zstdCompressSync(writer.bytes.subarray(0, writer.at), fastest),
      producer: this.#options.producer,
      position: this.#options.positions.begin(projectId, rows),
      traceparent,
    };
  }

  async #sendSealed(chunks: readonly Chunk[], lane: Lane): Promise<void> {
    let confirmed = false;
    try {
      await this.#options.send(chunks, lane);
      confirmed = true;
    } finally {
      for (const { projectId, position, count } of chunks)
        this.#options.positions.settle(projectId, { start: position.start, rows: count }, confirmed);
    }
  }

  #keepWriter(writer: RowWriter): void {
    writer.reset();
    const isWorthKeeping = this.#writers.length < keptWriters && writer.bytes.length <= keptWriterBytes;
    if (isWorthKeeping) this.#writers.push(writer);
  }
}

/** Without a delay, `fire` still runs after the requests that arrived together were read: they share a parcel. */
function startTimer(delayMs: number, fire: () => void): () => void {
  if (delayMs > 0) {
    const timer = setTimeout(fire, delayMs);
    return () => clearTimeout(timer);
  }
  const immediate = setImmediate(fire);
  return () => clearImmediate(immediate);
}

function append(chunk: OpenChunk, rows: RequestRows): void {
  const { writer } = chunk;
  const base = writer.at;
  writer.reserve(rows.length);
  rows.bytes.copy(writer.bytes, base, 0, rows.length);
  writer.at = base + rows.length;
  for (const start of rows.starts) stampChunkId(writer.bytes, base + start, chunk.id);
  for (const { key, firstRow, count } of rows.keyed) {
    const start = rows.starts[firstRow] ?? 0;
    const end = rows.starts[firstRow + count] ?? rows.length;
    chunk.runs.push({ key, count, start: base + start, length: end - start });
  }
  chunk.rows += rows.starts.length;
  chunk.requestIds.push(rows.requestId);
}

const fastest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
