import type { Queryable } from './database.ts';

export interface TotpRow {
  readonly secret: Buffer;
  readonly confirmed: Date | null;
}

const secondFactorLimits = { inARow: 10, lockMs: 15 * 60_000 } as const;

/** Not confirmed yet: replaces a beginning that was not confirmed, and never one that was. */
export async function beginTotp(db: Queryable, accountId: string, secret: Buffer): Promise<boolean> {
  const rows = await db.query(
    `INSERT INTO auth.totps (account_id, secret) VALUES ($1, $2)
     ON CONFLICT (account_id) DO UPDATE SET secret = excluded.secret, last_step = 0
     WHERE auth.totps.confirmed IS NULL RETURNING account_id`,
    [accountId, secret],
  );
  return rows.length > 0;
}

export async function findTotp(db: Queryable, accountId: string): Promise<TotpRow | null> {
  const [row] = await db.query<TotpRow>('SELECT secret, confirmed FROM auth.totps WHERE account_id = $1', [
    accountId,
  ]);
  return row ?? null;
}

/** True for the one caller who gets to use this time step; nobody gets it or an earlier one again. */
export async function spendStep(db: Queryable, accountId: string, step: number): Promise<boolean> {
  const rows = await db.query(
    'UPDATE auth.totps SET last_step = $2 WHERE account_id = $1 AND last_step < $2 RETURNING account_id',
    [accountId, step],
  );
  return rows.length > 0;
}

export async function confirmTotp(db: Queryable, accountId: string, nowMs: number): Promise<boolean> {
  const rows = await db.query(
    'UPDATE auth.totps SET confirmed = $2 WHERE account_id = $1 AND confirmed IS NULL RETURNING account_id',
    [accountId, new Date(nowMs)],
  );
  return rows.length > 0;
}

/** Counts a try before it is looked at. Null when it may be; else for how long none may. */
export async function chargeSecondFactor(
  db: Queryable,
  accountId: string,
  nowMs: number,
): Promise<number | null> {
  const now = new Date(nowMs);
  const charged = await db.query(
    `UPDATE auth.totps SET failures = CASE WHEN failures + 1 >= $3 THEN 0 ELSE failures + 1 END,
       locked_until = CASE WHEN failures + 1 >= $3 THEN $4::timestamptz END
     WHERE account_id = $1 AND (locked_until IS NULL OR locked_until <= $2) RETURNING failures`,
    [accountId, now, secondFactorLimits.inARow, new Date(nowMs + secondFactorLimits.lockMs)],
  );
  if (charged.length > 0) return null;
  const [row] = await db.query<{ locked_until: Date | null }>(
    'SELECT locked_until FROM auth.totps WHERE account_id = $1',
    [accountId],
  );
  return Math.max(1, (row?.locked_until?.getTime() ?? nowMs) - nowMs);
}

export async function forgiveSecondFactor(db: Queryable, accountId: string): Promise<void> {
  await db.query('UPDATE auth.totps SET failures = 0, locked_until = NULL WHERE account_id = $1', [
    accountId,
  ]);
}

export async function replaceRecoveryCodes(
  tx: Queryable,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await tx.query('DELETE FROM auth.recovery_codes WHERE account_id = $1', [accountId]);
  await tx.query('INSERT INTO auth.recovery_codes (account_id, hash) SELECT $1, unnest($2::bytea[])', [
    accountId,
    hashes,
  ]);
}

export type RecoveryOutcome = 'spent' | 'used' | 'unknown';

export async function spendRecoveryCode(
  db: Queryable,
  { accountId, hash, nowMs }: { readonly accountId: string; readonly hash: Buffer; readonly nowMs: number },
): Promise<RecoveryOutcome> {
  const spent = await db.query(
    'UPDATE auth.recovery_codes SET used = $3 WHERE account_id = $1 AND hash = $2 AND used IS NULL RETURNING hash',
    [accountId, hash, new Date(nowMs)],
  );
  if (spent.length > 0) return 'spent';
  const known = await db.query('SELECT FROM auth.recovery_codes WHERE account_id = $1 AND hash = $2', [
    accountId,
    hash,
  ]);
  return known.length > 0 ? 'used' : 'unknown';
}

/** The second factor and every device that was let off it. */
export async function dropSecondFactor(tx: Queryable, accountId: string): Promise<void> {
  for (const table of ['totps', 'recovery_codes', 'known_devices']) {
    await tx.query(`DELETE FROM auth.${table} WHERE account_id = $1`, [accountId]);
  }
}
