import type { Postgres, Queryable } from '@tickrate/postgres';

/** Creates the error that rolls the transaction back; the call then returns this outcome. Throw it. */
export type RollBack<Outcome> = (outcome: Outcome) => Error;

/** One transaction. It commits when `work` returns, and rolls back when `work` throws. */
export async function inTransaction<Outcome>(
  db: Postgres,
  work: (tx: Queryable, rollBack: RollBack<Outcome>) => Promise<Outcome>,
): Promise<Outcome> {
  const outcomes = new Map<unknown, Outcome>();
  const rollBack: RollBack<Outcome> = (outcome) => {
    const error = new Error('The transaction was rolled back');
    outcomes.set(error, outcome);
    return error;
  };
  try {
    return await db.transaction((tx) => work(tx, rollBack));
  } catch (error) {
    const outcome = outcomes.get(error);
    if (outcome !== undefined) return outcome;
    throw error;
  }
}
