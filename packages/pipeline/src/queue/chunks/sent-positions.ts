import type { Range } from './ranges.ts';

/**
 * The position of a chunk in the events that one gateway process sent for one project, and what the gateway knew when
 * it made the chunk. The ledger uses it to find lost chunks.
 */
export interface ChunkPosition extends Settled {
  /** The number of events of the project that the process sent before this chunk. */
  readonly start: number;
}

export interface Settled {
  /** No event before this position is in flight: the queue confirmed each of them, or did not. */
  readonly settled: number;
  /** Those of these events that the queue did not confirm. They were not accepted. They may still arrive. */
  readonly voids: readonly Range[];
}

/** The limit of voids in one chunk. Further voids are settled after a report to the ledger. */
export const mostVoids = 32;

/** The positions of the events that one process sends. They end with the process. */
export type SentPositions = ReturnType<typeof createSentPositions>;

export function createSentPositions() {
  const sequences = new Map<string, SentSequence>();
  const changed = new Set<string>();

  function sequenceOf(projectId: string): SentSequence {
    const sequence = sequences.get(projectId) ?? new SentSequence();
    sequences.set(projectId, sequence);
    return sequence;
  }

  return {
    /** The position of the next chunk of a project. A chunk that is sent again keeps it. */
    begin: (projectId: string, rows: number) => sequenceOf(projectId).begin(rows),
    /** Records whether the queue confirmed a chunk. Called once for each chunk. */
    settle(
      projectId: string,
      { start, rows }: { readonly start: number; readonly rows: number },
      confirmed: boolean,
    ) {
      sequenceOf(projectId).settle(start, start + rows, confirmed);
      changed.add(projectId);
    },
    /** What the ledger has not confirmed yet, by project. */
    unreported: () =>
      new Map([...changed].map((projectId) => [projectId, sequenceOf(projectId).unreported()])),
    /** The ledger has recorded this, so later chunks do not contain its voids. */
    reported(reports: ReadonlyMap<string, Settled>) {
      for (const [projectId, { settled }] of reports) {
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
  /** Chunks that were settled while an earlier one was in flight, by their start. */
  readonly #ahead = new Map<number, { readonly end: number; readonly confirmed: boolean }>();

  begin(rows: number): ChunkPosition {
    const start = this.#next;
    this.#next += rows;
    return { start, ...this.unreported() };
  }

  settle(start: number, end: number, confirmed: boolean): void {
    this.#ahead.set(start, { end, confirmed });
    this.#advance();
  }

  unreported(): Settled {
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
