import { createEventIds, RowWriter } from '@tickrate/events';
import { QueueUnavailable } from '@tickrate/pipeline';
import type { InsertCall } from '../calls/insert-call.ts';
import type { Unavailable } from '../limits/unavailable.ts';
import type { Rows } from '../reading/admit.ts';
import { finish, finishInTurns, type Paced, sliceBytes } from '../reading/paced.ts';
import type { RejectEvent } from '../rejecting/rejected-span.ts';
import type { Coalescer } from './coalescer.ts';
import type { KeyedRows } from './idempotency.ts';
import type { KeyCheck } from './key-check.ts';

/**
 * Lets `write` put the rows of a body into a buffer, hands them on, and resolves with their number once they are
 * durable. What `write` throws stores nothing, and 8010 stores nothing either: the ledger knows the key.
 */
export type StoreRows = (
  call: InsertCall,
  body: Buffer,
  write: (rows: Rows) => KeyedRows[] | Paced<KeyedRows[]>,
) => Promise<StoredRows>;

export interface StoredRows {
  readonly accepted: number;
  /** How many of them have a time that was limited. */
  readonly clamped: number;
}

export interface StoreRowsDeps {
  readonly coalescer: Coalescer;
  readonly keyCheck: KeyCheck;
  readonly onAccepted: (projectId: string, count: number) => void;
  /** What is told of rejected events of a request. */
  readonly rejectionsOf: (call: InsertCall, body: Buffer) => RejectEvent;
  readonly fillRandom: (pool: Uint8Array) => void;
  readonly unavailable: Unavailable;
}

const rowBytesPerBodyByte = 2;

export function createStoreRows({
  coalescer,
  keyCheck,
  onAccepted,
  rejectionsOf,
  fillRandom,
  unavailable,
}: StoreRowsDeps): StoreRows {
  const ids = createEventIds(fillRandom);
  // Small bodies share one buffer, whose rows are handed on before anything else can run.
  const shared = new RowWriter(sliceBytes * rowBytesPerBodyByte);

  return async (call, body, write) => {
    const isSmall = body.length <= sliceBytes;
    const writer = isSmall ? shared : new RowWriter(body.length * rowBytesPerBodyByte);
    writer.reset();
    const starts: number[] = [];
    const writing = write({ writer, starts, ids, reject: rejectionsOf(call, body) });
    const written = finishWriting(writing, isSmall);
    const keyed = written instanceof Promise ? await written : written;
    const { clamped } = writer;
    if (starts.length === 0) return { accepted: 0, clamped };
    const { requestId } = call.context;
    const { projectId } = call.principal;
    const checked = keyCheck.begin(projectId, keyed);
    const rows = { requestId, projectId, bytes: writer.bytes, length: writer.at, starts, keyed };
    try {
      await coalescer.add(rows);
    } catch (error) {
      checked.fail();
      throw error instanceof QueueUnavailable ? unavailable(error) : error;
    }
    onAccepted(projectId, starts.length);
    await checked.passed;
    return { accepted: starts.length, clamped };
  };
}

function finishWriting(
  writing: KeyedRows[] | Paced<KeyedRows[]>,
  atOnce: boolean,
): KeyedRows[] | Promise<KeyedRows[]> {
  if (Array.isArray(writing)) return writing;
  return atOnce ? finish(writing) : finishInTurns(writing);
}
