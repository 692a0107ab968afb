import { QueueUnavailable } from '@tickrate/pipeline';
import type { InsertCall } from '../calls/insert-call.ts';
import type { Unavailable } from '../limits/unavailable.ts';
import type { Rows } from '../reading/admit.ts';
import type { Coalescer } from './coalescer.ts';
import type { KeyedRows } from './idempotency.ts';
import type { KeyCheck } from './key-check.ts';

/**
 * Copies the rows of a request and resolves with their number once they are durable. The buffer of the rows is free
 * again when the call returns. Rejects with 6001 while the queue is unavailable, and with 8010 if a key was used with
 * another body: the ledger drops these rows.
 */
export type StoreRows = (call: InsertCall, rows: Rows, keyed: readonly KeyedRows[]) => Promise<StoredRows>;

export interface StoredRows {
  readonly accepted: number;
  /** How many of them have a time that was limited. */
  readonly clamped: number;
}

export interface StoreRowsDeps {
  readonly coalescer: Coalescer;
  readonly keyCheck: KeyCheck;
  readonly onAccepted: (projectId: string, count: number) => void;
  readonly unavailable: Unavailable;
}

export function createStoreRows({ coalescer, keyCheck, onAccepted, unavailable }: StoreRowsDeps): StoreRows {
  return async (call, { writer, starts }, keyed) => {
    const accepted = starts.length;
    const { clamped } = writer;
    if (accepted === 0) return { accepted, clamped };
    const { requestId } = call.context;
    const { projectId } = call.principal;
    const checked = keyCheck.begin(projectId, keyed);
    // Of several keys, some are those of events. The ledger would keep their rows, so they wait for the answer.
    if (checked.passed !== null && keyed.length > 1) await checked.passed;
    try {
      await coalescer.add({ requestId, projectId, bytes: writer.bytes, length: writer.at, starts, keyed });
    } catch (error) {
      checked.fail();
      throw error instanceof QueueUnavailable ? unavailable(error) : error;
    }
    onAccepted(projectId, accepted);
    if (checked.passed !== null) await checked.passed;
    return { accepted, clamped };
  };
}
