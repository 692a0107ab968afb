import type { SealedBatch } from '@tickrate/pipeline';
import type { Refusal } from './event-store.ts';

/** Named events of chunks between the queue and the store. */
export interface DeliveryEvents {
  batchStored(batch: {
    readonly batchId: string;
    /** With the ids, a request can be followed from the gateway's log to the insert. */
    readonly chunks: SealedBatch['chunks'];
    readonly rows: number;
    readonly durationMs: number;
    readonly replayed: boolean;
  }): void;
  /** Rows that were dropped from a batch, because their idempotency key was stored before. */
  rowsDeduplicated(batchId: string, rows: number): void;
  rowsBuried(dead: {
    readonly batchId: string;
    readonly rows: number;
    readonly reason: string;
    readonly detail: string;
  }): void;
  /** Chunks of a sealed batch that neither the queue nor the store has: accepted events are lost. */
  chunksLost(batchId: string, chunkIds: readonly string[]): void;
  jobBuried(jobId: string, reason: string): void;
  /** The store knew the token of an insert but not its rows: they are inserted again. */
  rowsVanished(token: string): void;
  insertRefused(batchId: string, refusal: Refusal): void;
}
