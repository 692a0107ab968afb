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
import type { KeyedRows } from './idempotency.ts';

/** The rows of one request. Their buffer is free again once `add` has returned. */
export interface RequestRows {
  readonly requestId: string;
  readonly projectId: string;
  readonly bytes: Buffer;
  readonly length: number;
  readonly starts: readonly number[];
  readonly keyed: readonly KeyedRows[];
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
  readonly maxWaitMs?: number;
  readonly maxRows?: number;
  readonly maxBytes?: number;
}

interface OpenParcel {
  readonly lane: Lane;
  readonly id: Buffer;
  readonly beganMs: number;
  readonly chunks: Map<string, OpenChunk>;
  readonly sent: PromiseWithResolvers<void>;
  rows: number;
  bytes: number;
  timer: NodeJS.Timeout | NodeJS.Immediate | null;
}

interface OpenChunk {
  readonly projectId: string;
  readonly id: Buffer;
  readonly writer: RowWriter;
  readonly runs: IdempotentRun[];
  readonly requestIds: string[];
  rows: number;
}

const idleSends = 1;
/** After this multiple of the longest wait, the next request sends the parcel: a flood can keep timers from firing. */
const overdueTimes = 5;
const keptWriters = mostChunksOfParcel;
const keptWriterBytes = 1024 * 1024;

/**
 * Packs the rows of many requests into chunks, each of one project, and chunks of many projects into parcels. The rows
 * of a request are never split. A parcel is sent when it is full, and at once while few are in progress. Otherwise it
 * is sent when one of those has arrived or after `maxWaitMs`, whichever comes first.
 */
export function createCoalescer(options: CoalescerOptions): Coalescer {
  return new OpenParcels(options);
}

class OpenParcels implements Coalescer {
  readonly #options: CoalescerOptions;
  readonly #maxWaitMs: number;
  readonly #maxRows: number;
  readonly #maxBytes: number;
  readonly #ids: EventIds;
  readonly #open = new Map<Lane, OpenParcel>();
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
    const lane = this.#options.laneOf(rows.projectId);
    const parcel = this.#withRoom(lane, rows);
    append(parcel.chunks.get(rows.projectId) ?? this.#beginChunk(parcel, rows.projectId), rows);
    parcel.rows += rows.starts.length;
    parcel.bytes += rows.length;
    if (this.#isDue(parcel)) this.#send(parcel);
    else parcel.timer ??= this.#sendSoon(parcel);
    return parcel.sent.promise;
  }

  async drain(): Promise<void> {
    for (const parcel of this.#open.values()) this.#send(parcel);
    await Promise.allSettled(this.#sending);
  }

  #withRoom(lane: Lane, { projectId, length }: RequestRows): OpenParcel {
    const parcel = this.#open.get(lane);
    if (parcel === undefined) return this.#begin(lane);
    const { chunks, bytes } = parcel;
    const hasPlace = chunks.has(projectId) || chunks.size < mostChunksOfParcel;
    if (hasPlace && bytes + length <= this.#maxBytes) return parcel;
    this.#send(parcel);
    return this.#begin(lane);
  }

  #isDue({ rows, bytes, beganMs }: OpenParcel): boolean {
    const ageMs = this.#options.now() - beganMs;
    return rows >= this.#maxRows || bytes >= this.#maxBytes || ageMs >= overdueTimes * this.#maxWaitMs;
  }

  #begin(lane: Lane): OpenParcel {
    const id = Buffer.alloc(16);
    const beganMs = this.#options.now();
    this.#ids.write(id, 0, beganMs);
    const sent = Promise.withResolvers<void>();
    const parcel = { lane, id, beganMs, chunks: new Map(), sent, rows: 0, bytes: 0, timer: null };
    this.#open.set(lane, parcel);
    return parcel;
  }

  #beginChunk({ id: parcelId, chunks }: OpenParcel, projectId: string): OpenChunk {
    const id = Buffer.from(parcelId);
    writeChunkPlace(id, chunks.size);
    const writer = this.#writers.pop() ?? new RowWriter();
    const chunk: OpenChunk = { projectId, id, writer, runs: [], requestIds: [], rows: 0 };
    chunks.set(projectId, chunk);
    return chunk;
  }

  /**
   * Requests that arrived together are read before an immediate runs, so that they share a parcel even in a quiet
   * moment.
   */
  #sendSoon(parcel: OpenParcel): NodeJS.Timeout | NodeJS.Immediate {
    const send = () => this.#send(parcel);
    return this.#sending.size < idleSends ? setImmediate(send) : setTimeout(send, this.#maxWaitMs);
  }

  #send(parcel: OpenParcel): void {
    this.#open.delete(parcel.lane);
    if (parcel.timer !== null) stopTimer(parcel.timer);
    const open = [...parcel.chunks.values()];
    const { producer, positions } = this.#options;
    const sealed = open.map((chunk) => seal(chunk, producer, positions));
    for (const { writer } of open) this.#keepWriter(writer);
    const sent = this.#sendSealed(sealed, parcel.lane).then(() => {
      for (const [at, chunk] of sealed.entries()) this.#options.onSent(chunk, open[at]?.requestIds ?? []);
    });
    this.#sending.add(sent);
    sent.then(parcel.sent.resolve, parcel.sent.reject).finally(() => this.#sendNext(sent));
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

  /**
   * Rows that gathered while others were in progress are sent as soon as one of those arrives, not only after the wait.
   */
  #sendNext(done: Promise<void>): void {
    this.#sending.delete(done);
    for (const parcel of this.#open.values()) {
      if (this.#sending.size >= idleSends) return;
      this.#send(parcel);
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

function seal(chunk: OpenChunk, producer: string, positions: CoalescerOptions['positions']): Chunk {
  return {
    id: uuidText(chunk.id, 0),
    projectId: chunk.projectId,
    count: chunk.rows,
    idempotency: chunk.runs,
    frame: zstdCompressSync(chunk.writer.bytes.subarray(0, chunk.writer.at), fastest),
    producer,
    position: positions.begin(chunk.projectId, chunk.rows),
  };
}
