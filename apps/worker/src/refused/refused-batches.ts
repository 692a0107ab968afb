import {
  type Chunk,
  compressRows,
  countTypes,
  type DeadLetter,
  type Fragment,
  type Ledger,
  type SealedBatch,
} from '@tickrate/pipeline';
import { createLock } from '@tickrate/platform';
import type { Refusal } from '../delivery/event-store.ts';
import type { InsertAnswer } from '../delivery/sure-insert.ts';
import type { DeliveryEvents } from '../events.ts';
import { type Cut, type CutMode, cutFragment } from './cut-fragment.ts';
import { type RowTable, readRowTable, sliceRows } from './row-table.ts';
import { type OpenParts, overlap } from './stored-before.ts';

interface RefusedBatchesOptions {
  readonly ledger: Pick<Ledger, 'batch' | 'split' | 'fragmentStored' | 'buryFragment'>;
  /** Tries until the rows are stored or rejected. */
  insert(part: PartInsert): Promise<InsertAnswer>;
  newId(): string;
  readonly events: DeliveryEvents;
  /**
   * Rejected inserts after which the rows of a project become dead letters together, if no row of the project in this
   * batch could be stored. If one could, every row is tried until the bad ones are found.
   */
  readonly mostInserts: number;
}

export interface PartInsert {
  readonly batchId: string;
  readonly body: readonly Uint8Array[];
  readonly token: string;
  /** How many rows of each chunk are stored with the part: its own and those of parts that were stored before. */
  readonly rows: ReadonlyMap<string, number>;
  readonly repeated: boolean;
}

export interface RefusedBatch {
  readonly batch: SealedBatch;
  /** The chunks that still exist. */
  readonly chunks: ReadonlyMap<string, Chunk>;
  /** The answer to the batch as a whole. Null if it was split before. */
  readonly refusal: Refusal | null;
  readonly isStored?: OpenParts | undefined;
}

/** A queue of refused batches. One is searched at a time, because it is in memory, inflated. */
export class RefusedBatches {
  readonly #options: RefusedBatchesOptions;
  readonly #lock = createLock();

  constructor(options: RefusedBatchesOptions) {
    this.#options = options;
  }

  /** Resolves when every row of the batch is stored or dead. */
  add(refused: RefusedBatch): Promise<void> {
    return this.#lock.run(async () => {
      const { batch, chunks, refusal } = refused;
      await new Search(this.#options, refused, await readRowTable(batch, chunks)).run(refusal);
    });
  }
}

/** Rejected inserts after which there is more than one bad row. */
const fewRefusals = 20;
/** Parts that are tried before the ledger is read again. */
const partsAtOnce = 8;

type OpenFragment = Pick<Fragment, 'path' | 'firstRow' | 'rows'>;

/**
 * Stores the valid rows of a refused batch, and keeps the rest as dead letters. Each step is recorded in the ledger first,
 * so that after a crash another worker continues with the same cuts.
 */
class Search {
  readonly #options: RefusedBatchesOptions;
  readonly #batch: SealedBatch;
  readonly #isStored: OpenParts;
  readonly #table: RowTable;
  readonly #refused = new Map<string, number>();
  #refusals = 0;
  #stored: OpenFragment[] = [];

  constructor(options: RefusedBatchesOptions, refused: RefusedBatch, table: RowTable) {
    const { batch, isStored = () => false } = refused;
    this.#options = options;
    this.#batch = batch;
    this.#isStored = isStored;
    this.#table = table;
  }

  async run(refusal: Refusal | null): Promise<void> {
    if (refusal !== null) await this.#settle({ path: '', firstRow: 0, rows: this.#batch.rows }, refusal);
    for (;;) {
      const fragments = (await this.#options.ledger.batch(this.#batch.id))?.fragments ?? [];
      const open = fragments.filter((fragment) => fragment.state === 'open');
      if (open.length === 0) return;
      this.#stored = fragments.filter((fragment) => fragment.state === 'stored');
      // The smallest first: so single rows are reached, and valid ones stored, long before the limits on inserts apply.
      const smallest = open.toSorted((a, b) => a.rows - b.rows).slice(0, partsAtOnce);
      for (const fragment of smallest) await this.#try(fragment);
    }
  }

  async #try(part: OpenFragment): Promise<void> {
    const refusal = this.#isStored(part) ? null : await this.#insert(part, sliceRows(this.#table, part));
    if (refusal !== null) return this.#settle(part, refusal);
    await this.#options.ledger.fragmentStored(this.#batch.id, part.path);
    this.#stored.push(part);
  }

  async #insert(part: OpenFragment, slices: ReturnType<typeof sliceRows>): Promise<Refusal | null> {
    if (this.#unreadableIn(part).length > 0) return unreadable;
    if (slices.length === 0) return null; // its rows are nowhere any more, or stored already
    const body = await Promise.all(slices.map((slice) => compressRows([slice.bytes])));
    const rows = new Map(slices.map((slice) => [slice.chunk.id, slice.rows + this.#storedOf(slice.chunk)]));
    const { id: batchId, takenOver: repeated } = this.#batch;
    const token = `${batchId}${part.path}`;
    const outcome = await this.#options.insert({ batchId, body, token, rows, repeated });
    if (outcome.kind !== 'data') return null;
    this.#noteRefusal(part);
    return outcome;
  }

  /** Parts are not cut between chunks: another part may have stored rows of the same chunk. */
  #storedOf({ id }: Chunk): number {
    const place = this.#table.chunks.find(({ chunk }) => chunk.id === id);
    if (place === undefined) return 0;
    return this.#stored.reduce((sum, part) => sum + overlap(part, place), 0);
  }

  async #settle(part: OpenFragment, refusal: Refusal): Promise<void> {
    const { ledger } = this.#options;
    const cut = cutFragment(this.#table, part, {
      refusedRow: refusal.row,
      mode: this.#cutMode(part),
    });
    if (cut.kind === 'split') await ledger.split(this.#batch.id, part.path, cut.parts);
    else await this.#bury(part, refusal, cut);
  }

  #cutMode(part: OpenFragment): CutMode {
    const hopeless = this.#projectsIn(part).filter((projectId) => this.#isHopeless(projectId));
    if (hopeless.length > 0) return 'projects';
    return this.#refusals < fewRefusals ? 'named' : 'halves';
  }

  #isHopeless(projectId: string): boolean {
    if ((this.#refused.get(projectId) ?? 0) < this.#options.mostInserts) return false;
    const ofProject = this.#table.chunks.filter(({ chunk }) => chunk.projectId === projectId);
    return ofProject.every(({ chunk }) => this.#storedOf(chunk) === 0);
  }

  #noteRefusal(part: OpenFragment): void {
    this.#refusals += 1;
    for (const projectId of this.#projectsIn(part))
      this.#refused.set(projectId, (this.#refused.get(projectId) ?? 0) + 1);
  }

  #projectsIn(part: OpenFragment): string[] {
    const touched = this.#table.chunks.filter((place) => overlap(part, place) > 0);
    return [...new Set(touched.map(({ chunk }) => chunk.projectId))];
  }

  async #bury(
    part: OpenFragment,
    refusal: Refusal,
    { reason }: Extract<Cut, { kind: 'bury' }>,
  ): Promise<void> {
    const { ledger, events } = this.#options;
    const detail = `${refusal.code}: ${refusal.message}`.slice(0, 2_000);
    const letters = await this.#letters(part);
    const isFirst = await ledger.buryFragment({
      batchId: this.#batch.id,
      path: part.path,
      reason,
      detail,
      letters,
    });
    if (isFirst) events.rowsBuried({ batchId: this.#batch.id, rows: part.rows, reason, detail });
  }

  async #letters(part: OpenFragment): Promise<DeadLetter[]> {
    const { newId } = this.#options;
    const whole = this.#unreadableIn(part).map(({ chunk, firstRow, rows }) => ({
      chunk,
      firstRow,
      rows,
      types: [],
      payload: Promise.resolve(chunk.frame),
    }));
    const cut = sliceRows(this.#table, part).map((slice) => ({
      ...slice,
      payload: compressRows([slice.bytes]),
    }));
    return Promise.all(
      [...whole, ...cut].map(async ({ chunk, firstRow, rows, types, payload }) => ({
        id: newId(),
        projectId: chunk.projectId,
        chunkId: chunk.id,
        firstRow,
        rows,
        payload: await payload,
        types: countTypes(types),
      })),
    );
  }

  #unreadableIn(part: OpenFragment) {
    return this.#table.chunks.filter((place) => place.readable === null && overlap(part, place) > 0);
  }
}

export const unreadable: Refusal = {
  kind: 'data',
  code: 'UNREADABLE',
  row: null,
  message: 'the frame does not hold the rows that it should',
};
