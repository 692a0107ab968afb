import type { EventStore, StoreOutcome } from './event-store.ts';
import type { Patience } from './patience.ts';

export type InsertAnswer = Extract<StoreOutcome, { kind: 'stored' | 'data' }>;

export interface SureInsert {
  readonly body: readonly Uint8Array[];
  readonly token: string;
  /** How many rows of each chunk the body holds. */
  readonly rows: ReadonlyMap<string, number>;
  /** Whether somebody may have tried before. */
  readonly repeated: boolean;
  /** Whether somebody else has completed it: then rows that are not there were stored, and removed again since. */
  isDone(): Promise<boolean>;
}

export interface SureInsertDeps {
  readonly store: EventStore;
  readonly patience: Patience;
  /** Told of rows whose token the store knew but which it did not have. */
  onVanished(token: string): void;
}

const looks = 20;
const pauseMs = 500;

/**
 * Inserts until there is an answer, and neither believes "stored" of a repeat before it has counted the rows nor repeats
 * what is there. A table that is not replicated writes down the token of an insert just before it publishes the rows:
 * killed in between, it takes every repeat for done; on a full disk the token may be lost and the rows not. Rows that are
 * on their way appear within milliseconds of a running server, so what is absent after ten seconds is gone, and is
 * inserted under the next token of a fixed sequence, the same for all workers.
 */
export async function insertSurely(deps: SureInsertDeps, insert: SureInsert): Promise<InsertAnswer> {
  const first = await insertPatiently(deps, insert, insert.token);
  if (first.answer.kind === 'data' || (first.attempts === 1 && !insert.repeated)) return first.answer;
  for (let again = 1; ; again++) {
    if (await isThere(deps, insert.rows)) return { kind: 'stored' };
    if (await insert.isDone()) return { kind: 'stored' };
    deps.onVanished(insert.token);
    const { answer } = await insertPatiently(deps, insert, `${insert.token}/again-${again}`);
    if (answer.kind === 'data') return answer;
  }
}

async function insertPatiently(
  { store, patience }: SureInsertDeps,
  { body, rows, repeated }: SureInsert,
  token: string,
): Promise<{ answer: InsertAnswer; attempts: number }> {
  let attempts = 0;
  const answer = await patience.keepTryingUntil(async (signal): Promise<StoreOutcome> => {
    attempts++;
    if ((repeated || attempts > 1) && (await areAllStored(store, rows))) return { kind: 'stored' };
    return store.insertRows({ body, token, signal });
  }, isAnswer);
  return { answer, attempts };
}

async function isThere({ store, patience }: SureInsertDeps, rows: SureInsert['rows']): Promise<boolean> {
  for (let look = 1; ; look++) {
    if (await patience.keepTrying(() => areAllStored(store, rows))) return true;
    if (look === looks) return false;
    await patience.pause(pauseMs);
  }
}

async function areAllStored(store: EventStore, rows: SureInsert['rows']): Promise<boolean> {
  const counts = await store.countByChunk([...rows.keys()]);
  return [...rows].every(([id, count]) => (counts.get(id) ?? 0) >= count);
}

function isAnswer(outcome: StoreOutcome): outcome is InsertAnswer {
  return outcome.kind === 'stored' || outcome.kind === 'data';
}
