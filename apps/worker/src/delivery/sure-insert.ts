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
 * Inserts until there is an answer, and does not believe "stored" of a repeat before it has counted the rows. A table
 * that is not replicated writes down the token of an insert just before it publishes the rows: killed in between, it
 * takes every repeat for done. Rows that are on their way appear within milliseconds of a running server, so what is
 * absent after ten seconds is gone, and is inserted under the next token of a fixed sequence, the same for all workers.
 */
export async function insertSurely(deps: SureInsertDeps, insert: SureInsert): Promise<InsertAnswer> {
  const first = await insertPatiently(deps, insert.body, insert.token);
  if (first.answer.kind === 'data' || (first.attempts === 1 && !insert.repeated)) return first.answer;
  for (let again = 1; ; again++) {
    if (await isThere(deps, insert.rows)) return { kind: 'stored' };
    if (await insert.isDone()) return { kind: 'stored' };
    deps.onVanished(insert.token);
    const { answer } = await insertPatiently(deps, insert.body, `${insert.token}/again-${again}`);
    if (answer.kind === 'data') return answer;
  }
}

async function insertPatiently(
  { store, patience }: SureInsertDeps,
  body: readonly Uint8Array[],
  token: string,
): Promise<{ answer: InsertAnswer; attempts: number }> {
  let attempts = 0;
  const answer = await patience.keepTryingUntil((signal) => {
    attempts++;
    return store.insertRows({ body, token, signal });
  }, isAnswer);
  return { answer, attempts };
}

async function isThere({ store, patience }: SureInsertDeps, rows: SureInsert['rows']): Promise<boolean> {
  const ids = [...rows.keys()];
  for (let look = 1; ; look++) {
    const counts = await patience.keepTrying(() => store.countByChunk(ids));
    if (ids.every((id) => (counts.get(id) ?? 0) >= (rows.get(id) ?? 0))) return true;
    if (look === looks) return false;
    await patience.pause(pauseMs);
  }
}

function isAnswer(outcome: StoreOutcome): outcome is InsertAnswer {
  return outcome.kind === 'stored' || outcome.kind === 'data';
}
