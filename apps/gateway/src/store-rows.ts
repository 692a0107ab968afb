import { createEventIds, RowWriter } from '@tickrate/contract';
import { QueueUnavailable } from '@tickrate/pipeline';
import type { Rows } from './admit.ts';
import type { Coalescer } from './coalescer.ts';
import type { KeyedRows } from './idempotency.ts';
import type { InsertCall } from './insert-call.ts';
import type { Unavailable } from './unavailable.ts';

/**
 * Lets `write` put the rows of a request into a buffer that all requests share, hands them on before anything else
 * can run, and resolves with their number once they are durable. What `write` throws stores nothing.
 */
export type StoreRows = (call: InsertCall, write: (rows: Rows) => KeyedRows[]) => Promise<number>;

export interface StoreRowsDeps {
  readonly coalescer: Coalescer;
  readonly onAccepted: (projectId: string, count: number) => void;
  readonly fillRandom: (pool: Uint8Array) => void;
  readonly unavailable: Unavailable;
}

const keptBufferBytes = 4 * 1024 * 1024;

export function createStoreRows({
  coalescer,
  onAccepted,
  fillRandom,
  unavailable,
}: StoreRowsDeps): StoreRows {
  const ids = createEventIds(fillRandom);
  let writer = new RowWriter();

  return async ({ context, principal: { projectId } }, write) => {
    if (writer.bytes.length > keptBufferBytes) writer = new RowWriter();
    writer.reset();
    const starts: number[] = [];
    const keyed = write({ writer, starts, ids });
    if (starts.length === 0) return 0;
    const rows = {
      requestId: context.requestId,
      projectId,
      bytes: writer.bytes,
      length: writer.at,
      starts,
      keyed,
    };
    try {
      await coalescer.add(rows);
    } catch (error) {
      throw error instanceof QueueUnavailable ? unavailable(error) : error;
    }
    onAccepted(projectId, starts.length);
    return starts.length;
  };
}
