import type { Queryable } from './database.ts';

export async function setPassword(
  db: Queryable,
  { accountId, hash, nowMs }: { readonly accountId: string; readonly hash: string; readonly nowMs: number },
): Promise<void> {
  await db.query(
    `INSERT INTO auth.passwords (account_id, hash, changed) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET hash = excluded.hash, changed = excluded.changed`,
    [accountId, hash, new Date(nowMs)],
  );
}

/** The same password under newer parameters, unless it was changed meanwhile. */
export async function rehashPassword(
  db: Queryable,
  accountId: string,
  hashes: readonly [string, string],
): Promise<void> {
  await db.query('UPDATE auth.passwords SET hash = $3 WHERE account_id = $1 AND hash = $2', [
    accountId,
    ...hashes,
  ]);
}
