import type { Range } from './ranges.ts';

/**
 * Where a chunk lies in the sequence of events that one gateway process sent of one project, and what its gateway knew
 * when it made the chunk. The ledger finds lost chunks by it.
 */
export interface ChunkPosition extends Settled {
  /** How many events of the project the process sent before this chunk. */
  readonly start: number;
}

export interface Settled {
  /** The queue confirmed or did not confirm every event before this position: none is on its way any more. */
  readonly settled: number;
  /** Of these events, the ones that the queue did not confirm. They were not accepted, and may arrive or not. */
  readonly voids: readonly Range[];
}

/** The positions of what one process sends. Nothing of it survives the process. */
export interface SentPositions {
  /** The position of the next chunk of a project. A chunk that is sent again keeps it. */
  begin(projectId: string, rows: number): ChunkPosition;
  /** What became of a chunk: true when the queue confirmed it. Called once for each. */
  settle(
    projectId: string,
    chunk: { readonly start: number; readonly rows: number },
    confirmed: boolean,
  ): void;
  /** What the ledger has not confirmed yet, by project. */
  unreported(): Map<string, Settled>;
  /** The ledger has this: chunks need not carry its voids any more. */
  reported(told: ReadonlyMap<string, Settled>): void;
}

/** A chunk carries no more: further ones are settled once a report has arrived. */
export const mostVoids = 32;

export function createSentPositions(): SentPositions {
  const sequences = new Map<string, SentSequence>();
  const changed = new Set<string>();

  function sequenceOf(projectId: string): SentSequence {
    const sequence = sequences.get(projectId) ?? new SentSequence();
    sequences.set(projectId, sequence);
    return sequence;
  }

  return {
    begin: (projectId, rows) => sequenceOf(projectId).begin(rows),
    settle(projectId, { start, rows }, confirmed) {
      sequenceOf(projectId).settle(start, start + rows, confirmed);
      changed.add(projectId);
    },
    unreported: () => new Map([...changed].map((projectId) => [projectId, sequenceOf(projectId).told()])),
    reported(told) {
      for (const [projectId, { settled }] of told) {
        const sequence = sequenceOf(projectId);
        if (sequence.reported(settled)) changed.delete(projectId);
      }
    },
  };
}

class SentSequence {
  #next = 0;
  #settled = 0;
  #voids: [number, number][] = [];
  /** Chunks that were settled while an earlier one was still on its way, by their start. */
  readonly #ahead = new Map<number, { readonly end: number; readonly confirmed: boolean }>();

  begin(rows: number): ChunkPosition {
    const start = this.#next;
    this.#next += rows;
    return { start, ...this.told() };
  }

  settle(start: number, end: number, confirmed: boolean): void {
    this.#ahead.set(start, { end, confirmed });
    this.#advance();
  }

  told(): Settled {
    return { settled: this.#settled, voids: this.#voids.map(([start, end]) => [start, end] as const) };
  }

  /** True when there is nothing more to report. */
  reported(settled: number): boolean {
    this.#voids = this.#voids.filter(([, end]) => end > settled);
    this.#advance();
    return this.#settled === settled;
  }

  #advance(): void {
    for (let chunk = this.#ahead.get(this.#settled); chunk !== undefined; ) {
      if (!chunk.confirmed && !this.#addVoid(chunk.end)) return;
      this.#ahead.delete(this.#settled);
      this.#settled = chunk.end;
      chunk = this.#ahead.get(this.#settled);
    }
  }

  #addVoid(end: number): boolean {
    const last = this.#voids.at(-1);
    if (last?.[1] === this.#settled) last[1] = end;
    else if (this.#voids.length < mostVoids) this.#voids.push([this.#settled, end]);
    else return false;
    return true;
  }
}
