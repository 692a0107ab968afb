import type { Chunk, Ledger } from '@tickrate/pipeline';
import { Delivery } from '../delivery/deliver.ts';
import type { EventStore } from '../delivery/event-store.ts';
import { createRetries } from '../delivery/retries.ts';
import type { DeliveryEvents } from '../events.ts';
import { sampleId } from './sample-rows.ts';

/** Chunks that wait to be delivered, like jobs in the queue. */
export class Jobs {
  readonly chunks = new Map<string, Chunk>();

  add(...chunks: readonly Chunk[]): void {
    for (const chunk of chunks) this.chunks.set(chunk.id, chunk);
  }

  find(ids: readonly string[]): Promise<Map<string, Chunk | null>> {
    return Promise.resolve(new Map(ids.map((id) => [id, this.chunks.get(id) ?? null])));
  }
}

export interface ModelWorkerOptions {
  readonly ledger: Ledger;
  readonly jobs: Jobs;
  readonly store: EventStore;
  readonly now: () => number;
  readonly tokenWindowMs?: number;
  /** The call to a dependency at which the process crashes, and whether the call still takes effect. */
  readonly crash?: { readonly call: number; readonly after: boolean };
  /** Receives the ids of lost chunks. */
  readonly lost?: string[];
  readonly mostInsertsPerBatch?: number;
}

class Crash extends Error {}

/**
 * Delivers chunks like one worker process, whose jobs are removed at the end. Resolves with false if the process
 * crashed before that.
 */
export async function deliverAsWorker(
  options: ModelWorkerOptions,
  chunks: readonly Chunk[],
): Promise<boolean> {
  try {
    const outcome = await createMortalDelivery(options).deliver(chunks);
    if (outcome.kind === 'refused') await outcome.settled;
  } catch (fault) {
    if (fault instanceof Crash) return false;
    throw fault;
  }
  for (const chunk of chunks) options.jobs.chunks.delete(chunk.id);
  return true;
}

function createMortalDelivery(options: ModelWorkerOptions): Delivery {
  const { jobs, store, now, tokenWindowMs = 60_000, mostInsertsPerBatch = 200 } = options;
  const mortal = createMortality(options.crash);
  const retries = createRetries({
    longestMs: 30_000,
    isPassing: (fault) => !(fault instanceof Crash),
    random: () => 0,
    sleep: () => Promise.resolve(),
    onFailure: () => undefined,
    onSuccess: () => undefined,
  });
  return new Delivery({
    ledger: mortalLedger(options.ledger, mortal),
    store: {
      insertRows: (insert) => mortal(() => store.insertRows(insert)),
      countByChunk: (ids) => mortal(() => store.countByChunk(ids)),
    },
    findChunks: (ids) => mortal(() => jobs.find(ids)),
    retries: { ledger: retries, store: retries },
    newId: () => sampleId(now()),
    now,
    tokenWindowMs,
    mostInsertsPerBatch,
    events: recordLost(options.lost ?? []),
  });
}

type Mortality = <T>(call: () => Promise<T>) => Promise<T>;

/** After its crash every further call of a process fails without effect. */
function createMortality(crash: ModelWorkerOptions['crash']): Mortality {
  let calls = 0;
  return async (call) => {
    calls += 1;
    const isDead = crash !== undefined && calls >= crash.call;
    if (isDead && !(calls === crash.call && crash.after)) throw new Crash();
    const answer = await call();
    if (isDead) throw new Crash();
    return answer;
  };
}

function mortalLedger(ledger: Ledger, mortal: Mortality): Ledger {
  return {
    ...ledger,
    seal: (batchId, chunks) => mortal(() => ledger.seal(batchId, chunks)),
    batch: (batchId) => mortal(() => ledger.batch(batchId)),
    takeOver: (batchId) => mortal(() => ledger.takeOver(batchId)),
    stored: (batchId) => mortal(() => ledger.stored(batchId)),
    split: (batchId, path, parts) => mortal(() => ledger.split(batchId, path, parts)),
    fragmentStored: (batchId, path) => mortal(() => ledger.fragmentStored(batchId, path)),
    buryFragment: (dead) => mortal(() => ledger.buryFragment(dead)),
    lose: (batchId, chunkIds) => mortal(() => ledger.lose(batchId, chunkIds)),
  };
}

function recordLost(lost: string[]): DeliveryEvents {
  const nothing = () => undefined;
  return {
    batchStored: nothing,
    rowsDeduplicated: nothing,
    rowsBuried: nothing,
    jobBuried: nothing,
    insertRefused: nothing,
    rowsVanished: nothing,
    chunksLost: (_batchId, ids) => void lost.push(...ids),
  };
}
