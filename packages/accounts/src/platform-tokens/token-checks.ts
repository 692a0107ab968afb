import type { Queryable } from '@tickrate/postgres';

/**
 * Marks the tokens that are being shown to a platform, for all processes. Resolves with the names, in hex, that the
 * caller must show; another process shows the others. A mark expires if it is not removed.
 */
export async function claimTokenChecks(
  db: Queryable,
  names: readonly Buffer[],
  { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
): Promise<ReadonlySet<string>> {
  // In one order, so that two callers who claim the same tokens cannot wait for each other.
  const rows = await db.query<{ name: string }>(
    `INSERT INTO auth.token_checks AS t (name, until)
     SELECT name, $2 FROM unnest($1::bytea[]) AS name ORDER BY name
     ON CONFLICT (name) DO UPDATE SET until = excluded.until WHERE t.until <= $3
     RETURNING encode(name, 'hex') AS name`,
    [names, new Date(untilMs), new Date(nowMs)],
  );
  return new Set(rows.map(({ name }) => name));
}

export async function isTokenBeingChecked(db: Queryable, name: Buffer, nowMs: number): Promise<boolean> {
  const sql = 'SELECT FROM auth.token_checks WHERE name = $1 AND until > $2';
  return (await db.query(sql, [name, new Date(nowMs)])).length > 0;
}

export async function releaseTokenCheck(db: Queryable, name: Buffer): Promise<void> {
  await db.query('DELETE FROM auth.token_checks WHERE name = $1', [name]);
}
