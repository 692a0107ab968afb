import type { SealedBatch } from '@tickrate/pipeline';
import type { InsertOutcome } from '@tickrate/warehouse';
import type { EventStore } from './event-store.ts';
import type { Retries } from './retries.ts';

export type InsertAnswer = Extract<InsertOutcome, { kind: 'stored' | 'data' }>;

export interface SureInsert {
  readonly batchId: string;
  readonly body: readonly Uint8Array[];
  readonly token: string;
  /** How many rows of each chunk the body contains. */
  readonly rows: ReadonlyMap<string, number>;
  /** Whether another worker may have tried before. */
  readonly repeated: boolean;
  /**
   * Whether a count of the chunks proves that these rows are stored. It does not for a part of a rejected batch:
   * another worker may have stored other rows of the same chunks.
   */
  readonly isCountExact: boolean;
}

export interface SureInsertDeps {
  readonly store: EventStore;
  readonly retries: Retries;
  /** Reads the batch from the ledger. Null if it was stored long ago. */
  findBatch(batchId: string): Promise<Pick<SealedBatch, 'stored' | 'takenOver'> | null>;
  /** Receives the chunks of rows that were missing although the store knew their token. */
  onVanished(token: string): void;
}

const looks = 20;
const pauseMs = 500;

/**
 * Inserts until there is an answer. It counts the rows of a whole batch before it repeats the insert. It counts any
 * rows before it trusts "stored" for a repeat: its own, or of another worker that has taken the batch over. A table
 * without replication writes the token of an insert just before it publishes the rows: if it is killed in between, it
 * reports every repeat as stored. On a full disk it may lose the token and keep the rows. On a running server rows
 * appear within milliseconds, so rows that are missing after ten seconds are lost. They are inserted again under the
 * next token of a fixed sequence, the same for all workers.
 */
export async function insertSurely(deps: SureInsertDeps, insert: SureInsert): Promise<InsertAnswer> {
  const first = await insertWithRetries(deps, insert, insert.token);
  if (first.answer.kind === 'data') return first.answer;
  const isFirst = first.attempts === 1 && !insert.repeated;
  if (isFirst && (await deps.findBatch(insert.batchId))?.takenOver === false) return first.answer;
  for (let again = 1; ; again++) {
    if (await isThere(deps, insert.rows)) return { kind: 'stored' };
    // Another worker has completed it: missing rows were stored, and removed since.
    if ((await deps.findBatch(insert.batchId))?.stored !== false) return { kind: 'stored' };
    deps.onVanished(insert.token);
    const { answer } = await insertWithRetries(deps, insert, `${insert.token}/again-${again}`);
    if (answer.kind === 'data') return answer;
  }
}

async function insertWithRetries(
  { store, retries }: SureInsertDeps,
  { body, rows, repeated, isCountExact }: SureInsert,
  token: string,
): Promise<{ answer: InsertAnswer; attempts: number }> {
  let attempts = 0;
  const answer = await retries.keepTryingUntil(async (signal): Promise<InsertOutcome> => {
    attempts++;
    const isRepeat = repeated || attempts > 1;
    if (isRepeat && isCountExact && (await areAllStored(store, rows))) return { kind: 'stored' };
    return store.insertRows({ body, token, signal });
  }, isAnswer);
  return { answer, attempts };
}

async function isThere({ store, retries }: SureInsertDeps, rows: SureInsert['rows']): Promise<boolean> {
  for (let look = 1; ; look++) {
    if (await retries.keepTrying(() => areAllStored(store, rows))) return true;
    if (look === looks) return false;
    await retries.pause(pauseMs);
  }
}

async function areAllStored(store: EventStore, rows: SureInsert['rows']): Promise<boolean> {
  const counts = await store.countByChunk([...rows.keys()]);
  return [...rows].every(([id, count]) => (counts.get(id) ?? 0) >= count);
}

function isAnswer(outcome: InsertOutcome): outcome is InsertAnswer {
  return outcome.kind === 'stored' || outcome.kind === 'data';
}
