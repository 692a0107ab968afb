import type { Queryable } from '@tickrate/postgres';

/** An accepted code that has not created a session yet. */
export interface PassedCode {
  /** Identifies the account and the code. */
  readonly mark: Buffer;
  readonly exchangeId: string;
  readonly accountId: string;
  /** Keyed hashes of all proofs of the account when the code was accepted: each contains a secret. */
  readonly proofs: readonly Buffer[];
  readonly method: string;
  readonly nowMs: number;
}

/** Call it in the transaction that spends the code. */
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
  /** The exchange that the caller names; null without one. */
  readonly exchangeId: string | null;
  /** The hash of the code that the caller sends; null without one. */
  readonly mark: Buffer | null;
  /** All current proofs of the account. */
  readonly proofs: readonly Buffer[];
  readonly startedMs: number;
  readonly touchedMs: number;
  readonly nowMs: number;
}

export interface Pass {
  readonly mark: Buffer;
  readonly method: 'otp' | 'recovery';
}

/** A code is recognised in the exchange that the caller names, or when it is sent again with a proof of the account. */
export async function findPass(db: Queryable, sought: PassSought): Promise<Pass | null> {
  const [row] = await db.query<{ mark: Buffer; method: Pass['method'] }>(
    `UPDATE auth.passed_codes SET touched = $7
     WHERE account_id = $1 AND started > $5 AND touched > $6 AND (exchange_id = $2 OR (mark = $3 AND proofs && $4))
     RETURNING mark, method`,
    [
      sought.accountId,
      sought.exchangeId,
      sought.mark,
      sought.proofs,
      new Date(sought.startedMs),
      new Date(sought.touchedMs),
      new Date(sought.nowMs),
    ],
  );
  return row ?? null;
}

/** False if one of them has created a session: a code creates one. */
export async function spendPasses(tx: Queryable, marks: readonly Buffer[]): Promise<boolean> {
  if (marks.length === 0) return true;
  const rows = await tx.query('DELETE FROM auth.passed_codes WHERE mark = ANY ($1) RETURNING mark', [marks]);
  return rows.length === marks.length;
}
