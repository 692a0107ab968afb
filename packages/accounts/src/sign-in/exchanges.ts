import type { Queryable } from '@tickrate/postgres';

/** The row of an exchange whose id a client received. Its proofs have rows of their own. */
export interface ExchangeRow {
  readonly id: string;
  readonly key_id: string;
  readonly project_id: string;
  readonly started: Date;
  readonly touched: Date;
  readonly completed: Date | null;
}

export async function findExchange(db: Queryable, id: string): Promise<ExchangeRow | null> {
  const [row] = await db.query<ExchangeRow>(
    'SELECT id, key_id, project_id, started, touched, completed FROM auth.exchanges WHERE id = $1',
    [id],
  );
  return row ?? null;
}

export interface NewExchange {
  readonly id: string;
  readonly keyId: string;
  readonly projectId: string;
  readonly nowMs: number;
}

export async function insertExchange(
  db: Queryable,
  { id, keyId, projectId, nowMs }: NewExchange,
): Promise<void> {
  await db.query(
    'INSERT INTO auth.exchanges (id, key_id, project_id, started, touched) VALUES ($1, $2, $3, $4, $4)',
    [id, keyId, projectId, new Date(nowMs)],
  );
}

export async function touchExchange(db: Queryable, id: string, nowMs: number): Promise<void> {
  await db.query('UPDATE auth.exchanges SET touched = $2 WHERE id = $1', [id, new Date(nowMs)]);
}

/** Counts an attempt of a code before the check: null when the exchange has none left. */
export async function chargeCode(db: Queryable, id: string, most: number): Promise<number | null> {
  const [row] = await db.query<{ code_failures: number }>(
    `UPDATE auth.exchanges SET code_failures = code_failures + 1
     WHERE id = $1 AND code_failures < $2 RETURNING code_failures`,
    [id, most],
  );
  return row?.code_failures ?? null;
}

export async function forgiveCodes(db: Queryable, id: string): Promise<void> {
  await db.query('UPDATE auth.exchanges SET code_failures = 0 WHERE id = $1', [id]);
}

/** False when it was completed before. */
export async function completeExchange(tx: Queryable, id: string, nowMs: number): Promise<boolean> {
  const rows = await tx.query(
    'UPDATE auth.exchanges SET completed = $2 WHERE id = $1 AND completed IS NULL RETURNING id',
    [id, new Date(nowMs)],
  );
  return rows.length > 0;
}
