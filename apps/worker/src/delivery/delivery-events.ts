import type { StoreOutcome } from './event-store.ts';

/** What can happen to chunks on their way from the queue to the store. */
export interface DeliveryEvents {
  batchStored(batch: {
    readonly batchId: string;
    /** With the ids, a request can be followed from the gateway's log to the insert. */
    readonly chunkIds: readonly string[];
    readonly rows: number;
    readonly durationMs: number;
    readonly replayed: boolean;
  }): void;
  /** Rows that were left out of a batch: their idempotency key came before. */
  rowsDeduplicated(batchId: string, rows: number): void;
  rowsBuried(dead: {
    readonly batchId: string;
    readonly rows: number;
    readonly reason: string;
    readonly detail: string;
  }): void;
  /** Chunks of a sealed batch that neither the queue nor the store has: accepted events are gone. */
  chunksLost(batchId: string, chunkIds: readonly string[]): void;
  jobBuried(jobId: string, reason: string): void;
  /** The store knew the token of an insert and did not have its rows: they are inserted again. */
  rowsVanished(token: string): void;
  insertRefused(batchId: string, refusal: Extract<StoreOutcome, { kind: 'data' }>): void;
}
