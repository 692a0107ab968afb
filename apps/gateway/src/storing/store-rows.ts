import { QueueUnavailable } from '@tickrate/pipeline';
import { traceparentOf } from '@tickrate/platform';
import type { InsertCall } from '../calls/insert-call.ts';
import { unavailable } from '../limits/unavailable.ts';
import type { GatewayParts } from '../parts.ts';
import type { Rows } from '../reading/admit.ts';
import type { KeyedRows } from './idempotency.ts';

export interface StoredRows {
  readonly accepted: number;
  /** How many of them have a time that was limited. */
  readonly clamped: number;
}

/**
 * Copies the rows of a request and resolves with their number once they are durable. The buffer of the rows is free
 * again when the call returns. Rejects with 6001 while the queue is unavailable, which says whether the rows may be
 * stored, and with 8010 if a key was used with another body: the ledger drops these rows.
 */
export async function storeRows(
  parts: Pick<GatewayParts, 'coalescer' | 'keyCheck' | 'accepted' | 'random'>,
  call: InsertCall,
  { rows: { writer, starts }, keyed }: { readonly rows: Rows; readonly keyed: readonly KeyedRows[] },
): Promise<StoredRows> {
  const accepted = starts.length;
  const { clamped } = writer;
  if (accepted === 0) return { accepted, clamped };
  const { requestId, connection, span } = call.context;
  const { projectId } = call.principal;
  const checked = parts.keyCheck.begin(projectId, keyed);
  const length = writer.at;
  let bytes = writer.bytes;
  // Of several keys, some are those of events. The ledger would keep their rows, so they wait for the answer.
  if (checked.passed !== null && keyed.length > 1) {
    // Meanwhile, other requests use the buffer.
    bytes = Buffer.from(bytes.subarray(0, length));
    await checked.passed;
  }
  try {
    const sender = connection ?? call.context;
    const traceparent = traceparentOf(span);
    const sent = { requestId, sender, projectId, bytes, length, starts, keyed, traceparent };
    await parts.coalescer.add(sent);
  } catch (error) {
    checked.fail();
    throw error instanceof QueueUnavailable ? unavailable(parts.random, error) : error;
  }
  parts.accepted.add(projectId, accepted);
  if (checked.passed !== null) await checked.passed;
  return { accepted, clamped };
}
