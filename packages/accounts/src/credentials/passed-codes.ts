import type { Queryable } from '@tickrate/postgres';

/** A code that was good and has not made a session yet. */
export interface PassedCode {
  /** Of the account and the code. */
  readonly mark: Buffer;
  readonly exchangeId: string;
  readonly accountId: string;
  /** Keyed hashes of all that proved the account when the code was good: each holds a secret. */
  readonly proofs: readonly Buffer[];
  readonly method: string;
  readonly nowMs: number;
}

/** In the transaction that spends the code. */
export async function keepPassedCode(tx: Queryable, passed: PassedCode): Promise<void> {
  await tx.query(
    `INSERT INTO auth.passed_codes AS p (mark, exchange_id, account_id, proofs, method, started, touched)
     VALUES ($1, $2, $3, $4, $5, $6, $6)
     ON CONFLICT (mark) DO UPDATE SET exchange_id = excluded.exchange_id, account_id = excluded.account_id,
       proofs = excluded.proofs, method = excluded.method, started = excluded.started, touched = excluded.touched`,
    [passed.mark, passed.exchangeId, passed.accountId, passed.proofs, passed.method, new Date(passed.nowMs)],
  );
}

export interface PassSought {
  readonly accountId: string;
  /** The exchange that the caller names; null when it names none. */
  readonly exchangeId: string | null;
  /** Of the code that the caller sends; null when it sends none. */
  readonly mark: Buffer | null;
  /** All that proves the account now. */
  readonly proofs: readonly Buffer[];
  readonly startedMs: number;
  readonly touchedMs: number;
  readonly nowMs: number;
}

export interface Pass {
  readonly mark: Buffer;
  readonly method: 'otp' | 'recovery';
}

/** A code is known again in the exchange that the caller names, or when it is sent again with what proved the account. */
export async function findPass(db: Queryable, sought: PassSought): Promise<Pass | null> {
  const [row] = await db.query<{ mark: Buffer; method: Pass['method'] }>(
    `UPDATE auth.passed_codes SET touched = $7
     WHERE account_id = $1 AND started > $5 AND touched > $6 AND (exchange_id = $2 OR (mark = $3 AND proofs && $4))
     RETURNING mark, method`,
    [
      ...[sought.accountId, sought.exchangeId, sought.mark, sought.proofs],
      ...[new Date(sought.startedMs), new Date(sought.touchedMs), new Date(sought.nowMs)],
    ],
  );
  return row ?? null;
}

/** False when one of them has made a session already: a code makes one. */
export async function spendPasses(tx: Queryable, marks: readonly Buffer[]): Promise<boolean> {
  if (marks.length === 0) return true;
  const rows = await tx.query('DELETE FROM auth.passed_codes WHERE mark = ANY ($1) RETURNING mark', [marks]);
  return rows.length === marks.length;
}
