import { type Chunk, type Lane, lanes } from '@tickrate/pipeline';

export interface WaitingChunk {
  readonly chunk: Chunk;
  readonly lane: Lane;
  readonly sinceMs: number;
}

export interface BatchSize {
  readonly maxRows: number;
  /** Bytes of compressed frames. */
  readonly maxBytes: number;
}

/** Chunks that wait for a batch, in the order of arrival, each lane separately. */
export class WaitingChunks<W extends WaitingChunk> {
  readonly #lanes: Readonly<Record<Lane, W[]>> = { bulk: [], express: [] };
  #rows = 0;
  #bytes = 0;

  get rows(): number {
    return this.#rows;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Null when none waits. */
  oldestMs(): number | null {
    const firsts = lanes.map((lane) => this.#lanes[lane][0]?.sinceMs).filter((ms) => ms !== undefined);
    return firsts.length === 0 ? null : Math.min(...firsts);
  }

  add(waiting: W): void {
    this.#lanes[waiting.lane].push(waiting);
    this.#rows += waiting.chunk.count;
    this.#bytes += waiting.chunk.frame.length;
  }

  /**
   * As many as a batch can contain. The express lane comes first, with at most half of the batch while others wait:
   * neither lane can block the other.
   */
  take({ maxRows, maxBytes }: BatchSize): W[] {
    const batch: W[] = [];
    const half = { maxRows: maxRows / 2, maxBytes: maxBytes / 2 };
    this.#move('express', half, batch);
    this.#move('bulk', { maxRows, maxBytes }, batch);
    this.#move('express', { maxRows, maxBytes }, batch);
    return batch;
  }

  #move(lane: Lane, { maxRows, maxBytes }: BatchSize, batch: W[]): void {
    let { rows, bytes } = sizeOf(batch);
    let moved = 0;
    for (const { chunk } of this.#lanes[lane]) {
      if (rows >= maxRows || bytes >= maxBytes) break;
      rows += chunk.count;
      bytes += chunk.frame.length;
      moved += 1;
    }
    const taken = this.#lanes[lane].splice(0, moved);
    const size = sizeOf(taken);
    this.#rows -= size.rows;
    this.#bytes -= size.bytes;
    batch.push(...taken);
  }
}

function sizeOf(chunks: readonly WaitingChunk[]): { rows: number; bytes: number } {
  let rows = 0;
  let bytes = 0;
  for (const { chunk } of chunks) {
    rows += chunk.count;
    bytes += chunk.frame.length;
  }
  return { rows, bytes };
}
