import { type InRealm, ofAccount } from '../store/in-realm.ts';

export interface TotpRow {
  readonly secret: Buffer;
  readonly confirmed: Date;
}

const secondFactorLimits = { inARow: 10, lockMs: 15 * 60_000 } as const;

export async function findTotp(people: InRealm, accountId: string): Promise<TotpRow | null> {
  const [row] = await people.rows<TotpRow>(`SELECT secret, confirmed FROM auth.totps WHERE ${ofAccount}`, [
    accountId,
  ]);
  return row ?? null;
}

/** True for the one caller who may use this time step. Nobody can use it or an earlier one again. */
export async function spendStep(people: InRealm, accountId: string, step: number): Promise<boolean> {
  const rows = await people.rows(
    `UPDATE auth.totps SET last_step = $3 WHERE ${ofAccount} AND last_step < $3 RETURNING account_id`,
    [accountId, step],
  );
  return rows.length > 0;
}

export interface EnrolledTotp {
  readonly accountId: string;
  readonly secret: Buffer;
  /** The time step of the confirming code, which is spent. */
  readonly step: number;
  readonly nowMs: number;
}

/** False if the account has another one. */
export async function enrolTotp(
  people: InRealm,
  { accountId, secret, step, nowMs }: EnrolledTotp,
): Promise<boolean> {
  const rows = await people.rows(
    `INSERT INTO auth.totps (account_id, secret, last_step, confirmed)
     SELECT a.id, $3, $4, $5 FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2
     ON CONFLICT (account_id) DO NOTHING RETURNING account_id`,
    [accountId, secret, step, new Date(nowMs)],
  );
  return rows.length > 0;
}

/** How many attempts are left after this one, or how long no attempt is allowed. */
export type ChargedTry = { readonly triesLeft: number } | { readonly lockedMs: number };

/** Counts an attempt before the check. */
export async function chargeSecondFactor(
  people: InRealm,
  accountId: string,
  nowMs: number,
): Promise<ChargedTry> {
  const now = new Date(nowMs);
  const [charged] = await people.rows<{ failures: number }>(
    `UPDATE auth.totps SET failures = CASE WHEN failures + 1 >= $4 THEN 0 ELSE failures + 1 END,
       locked_until = CASE WHEN failures + 1 >= $4 THEN $5::timestamptz END
     WHERE ${ofAccount} AND (locked_until IS NULL OR locked_until <= $3) RETURNING failures`,
    [accountId, now, secondFactorLimits.inARow, new Date(nowMs + secondFactorLimits.lockMs)],
  );
  if (charged)
    return { triesLeft: charged.failures === 0 ? 0 : secondFactorLimits.inARow - charged.failures };
  const [row] = await people.rows<{ locked_until: Date | null }>(
    `SELECT locked_until FROM auth.totps WHERE ${ofAccount}`,
    [accountId],
  );
  return { lockedMs: Math.max(1, (row?.locked_until?.getTime() ?? nowMs) - nowMs) };
}

export async function forgiveSecondFactor(people: InRealm, accountId: string): Promise<void> {
  await people.rows(`UPDATE auth.totps SET failures = 0, locked_until = NULL WHERE ${ofAccount}`, [
    accountId,
  ]);
}

export async function replaceRecoveryCodes(
  people: InRealm,
  accountId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await people.rows(`DELETE FROM auth.recovery_codes WHERE ${ofAccount}`, [accountId]);
  await people.rows(
    `INSERT INTO auth.recovery_codes (account_id, hash)
     SELECT a.id, unnest($3::bytea[]) FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2`,
    [accountId, hashes],
  );
}

/** The number of unused codes. */
export async function countRecoveryCodes(people: InRealm, accountId: string): Promise<number> {
  const [row] = await people.rows<{ left: number }>(
    `SELECT count(*)::int AS left FROM auth.recovery_codes WHERE ${ofAccount} AND used IS NULL`,
    [accountId],
  );
  return row?.left ?? 0;
}

export type RecoveryOutcome = 'spent' | 'used' | 'unknown';

export async function spendRecoveryCode(
  people: InRealm,
  { accountId, hash, nowMs }: { readonly accountId: string; readonly hash: Buffer; readonly nowMs: number },
): Promise<RecoveryOutcome> {
  const spent = await people.rows(
    `UPDATE auth.recovery_codes SET used = $4 WHERE ${ofAccount} AND hash = $3 AND used IS NULL RETURNING hash`,
    [accountId, hash, new Date(nowMs)],
  );
  if (spent.length > 0) return 'spent';
  const known = await people.rows(`SELECT FROM auth.recovery_codes WHERE ${ofAccount} AND hash = $3`, [
    accountId,
    hash,
  ]);
  return known.length > 0 ? 'used' : 'unknown';
}

/** Deletes the second factor and all trusted devices. */
export async function dropSecondFactor(people: InRealm, accountId: string): Promise<void> {
  for (const table of ['totps', 'recovery_codes', 'known_devices', 'passed_codes']) {
    await people.rows(`DELETE FROM auth.${table} WHERE ${ofAccount}`, [accountId]);
  }
}
