import { constants, zstdCompressSync } from 'node:zlib';
import { createEventIds, type EventIds, RowWriter, stampChunkId, uuidText } from '@tickrate/contract';
import type { Chunk, IdempotentRun } from '@tickrate/pipeline';
import type { KeyedRows } from './idempotency.ts';

/** The rows of one request, in a buffer that is free again once `add` has returned. */
export interface RequestRows {
  readonly requestId: string;
  readonly projectId: string;
  readonly bytes: Buffer;
  readonly length: number;
  readonly starts: readonly number[];
  readonly keyed: readonly KeyedRows[];
}

export interface Coalescer {
  /** Resolves once the chunk that holds these rows is durable; rejects as the producer does. */
  add(rows: RequestRows): Promise<void>;
  /** Sends what is open at once, and resolves when nothing is on its way any more. */
  drain(): Promise<void>;
}

export interface CoalescerOptions {
  readonly producer: string;
  /** Resolves when the chunk is durable. */
  readonly send: (chunk: Chunk) => Promise<void>;
  readonly onSent: (chunk: Chunk, requestIds: readonly string[]) => void;
  readonly now: () => number;
  readonly fillRandom: (pool: Uint8Array) => void;
  readonly maxWaitMs?: number;
  readonly maxRows?: number;
  readonly maxBytes?: number;
}

interface OpenChunk {
  readonly projectId: string;
  readonly id: Buffer;
  readonly beganMs: number;
  readonly writer: RowWriter;
  readonly runs: IdempotentRun[];
  readonly requestIds: string[];
  readonly sent: PromiseWithResolvers<void>;
  rows: number;
  timer: NodeJS.Timeout | NodeJS.Immediate | null;
}

const idleSends = 1;
/** After so many times the longest wait a chunk is sent by the request that finds it: a flood keeps timers from firing. */
const overdueTimes = 5;
const keptWriters = 16;
const keptWriterBytes = 1024 * 1024;

/**
 * Packs the rows of many requests into chunks, each of one project; the rows of a request are never split. A chunk
 * goes out when it is full, at once while few are on their way, and otherwise when one of those has arrived or after
 * `maxWaitMs`, whichever comes first.
 */
export function createCoalescer(options: CoalescerOptions): Coalescer {
  return new OpenChunks(options);
}

class OpenChunks implements Coalescer {
  readonly #options: CoalescerOptions;
  readonly #maxWaitMs: number;
  readonly #maxRows: number;
  readonly #maxBytes: number;
  readonly #ids: EventIds;
  readonly #open = new Map<string, OpenChunk>();
  readonly #sending = new Set<Promise<void>>();
  readonly #writers: RowWriter[] = [];

  constructor(options: CoalescerOptions) {
    this.#options = options;
    this.#maxWaitMs = options.maxWaitMs ?? 4;
    this.#maxRows = options.maxRows ?? 1_000;
    this.#maxBytes = options.maxBytes ?? 256 * 1024;
    this.#ids = createEventIds(options.fillRandom);
  }

  add(rows: RequestRows): Promise<void> {
    const current = this.#open.get(rows.projectId);
    const fits = current !== undefined && current.writer.at + rows.length <= this.#maxBytes;
    if (current !== undefined && !fits) this.#send(current);
    const chunk = fits ? current : this.#begin(rows.projectId);
    append(chunk, rows);
    if (this.#isDue(chunk)) this.#send(chunk);
    else chunk.timer ??= this.#sendSoon(chunk);
    return chunk.sent.promise;
  }

  #isDue({ rows, writer, beganMs }: OpenChunk): boolean {
    const ageMs = this.#options.now() - beganMs;
    return rows >= this.#maxRows || writer.at >= this.#maxBytes || ageMs >= overdueTimes * this.#maxWaitMs;
  }

  async drain(): Promise<void> {
    for (const chunk of this.#open.values()) this.#send(chunk);
    await Promise.allSettled(this.#sending);
  }

  #begin(projectId: string): OpenChunk {
    const id = Buffer.alloc(16);
    const beganMs = this.#options.now();
    this.#ids.write(id, 0, beganMs);
    const writer = this.#writers.pop() ?? new RowWriter();
    const sent = Promise.withResolvers<void>();
    const chunk: OpenChunk = {
      ...{ projectId, id, beganMs, writer, runs: [], requestIds: [], sent },
      ...{ rows: 0, timer: null },
    };
    this.#open.set(projectId, chunk);
    return chunk;
  }

  /** Requests that arrived together are read before an immediate runs: they share a chunk even when all is quiet. */
  #sendSoon(chunk: OpenChunk): NodeJS.Timeout | NodeJS.Immediate {
    const send = () => this.#send(chunk);
    return this.#sending.size < idleSends ? setImmediate(send) : setTimeout(send, this.#maxWaitMs);
  }

  #send(chunk: OpenChunk): void {
    this.#open.delete(chunk.projectId);
    if (chunk.timer !== null) stopTimer(chunk.timer);
    const sealed = seal(chunk, this.#options.producer);
    this.#keepWriter(chunk.writer);
    const sent = this.#options.send(sealed).then(() => this.#options.onSent(sealed, chunk.requestIds));
    this.#sending.add(sent);
    sent.then(chunk.sent.resolve, chunk.sent.reject).finally(() => this.#sendNext(sent));
  }

  /** What gathered while others were on their way goes out as soon as there is a way, not when its time is up. */
  #sendNext(done: Promise<void>): void {
    this.#sending.delete(done);
    for (const chunk of this.#open.values()) {
      if (this.#sending.size >= idleSends) return;
      this.#send(chunk);
    }
  }

  #keepWriter(writer: RowWriter): void {
    writer.reset();
    const isWorthKeeping = this.#writers.length < keptWriters && writer.bytes.length <= keptWriterBytes;
    if (isWorthKeeping) this.#writers.push(writer);
  }
}

function stopTimer(timer: NodeJS.Timeout | NodeJS.Immediate): void {
  if ('refresh' in timer) clearTimeout(timer);
  else clearImmediate(timer);
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

function seal(chunk: OpenChunk, producer: string): Chunk {
  return {
    id: uuidText(chunk.id, 0),
    projectId: chunk.projectId,
    count: chunk.rows,
    idempotency: chunk.runs,
    frame: zstdCompressSync(chunk.writer.bytes.subarray(0, chunk.writer.at), fastest),
    producer,
  };
}
