import { systemError } from '@tickrate/contract';
import type { Accounts } from '../accounts.ts';
import { forgetDevices } from '../credentials/devices.ts';
import { queueSecurityMail } from '../mails/security-mails.ts';
import { type SessionActor, writeOwnAudit } from '../records/audit.ts';
import { endSessions, holdSession } from '../sign-in/sessions.ts';
import { type InRealm, inRealm, ofAccount } from '../store/in-realm.ts';
import { newRecoveryCodes, normaliseCode } from './totp.ts';

const limits = { inARow: 10, lockMs: 15 * 60_000 } as const;

export async function findTotp(
  people: InRealm,
  accountId: string,
): Promise<{ readonly secret: Buffer; readonly confirmed: Date } | null> {
  const sql = `SELECT secret, confirmed FROM auth.totps WHERE ${ofAccount}`;
  const [row] = await people.rows<{ secret: Buffer; confirmed: Date }>(sql, [accountId]);
  return row ?? null;
}

interface EnrolledTotp {
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

/** Counts an attempt before the check: how many are left after it, or how long no attempt is allowed. */
export async function chargeSecondFactor(
  people: InRealm,
  accountId: string,
  nowMs: number,
): Promise<{ readonly triesLeft: number } | { readonly lockedMs: number }> {
  const [charged] = await people.rows<{ failures: number }>(
    `UPDATE auth.totps SET failures = CASE WHEN failures + 1 >= $4 THEN 0 ELSE failures + 1 END,
       locked_until = CASE WHEN failures + 1 >= $4 THEN $5::timestamptz END
     WHERE ${ofAccount} AND (locked_until IS NULL OR locked_until <= $3) RETURNING failures`,
    [accountId, new Date(nowMs), limits.inARow, new Date(nowMs + limits.lockMs)],
  );
  if (charged) return { triesLeft: charged.failures === 0 ? 0 : limits.inARow - charged.failures };
  const sql = `SELECT locked_until FROM auth.totps WHERE ${ofAccount}`;
  const [row] = await people.rows<{ locked_until: Date | null }>(sql, [accountId]);
  return { lockedMs: Math.max(1, (row?.locked_until?.getTime() ?? nowMs) - nowMs) };
}

export async function forgiveSecondFactor(people: InRealm, accountId: string): Promise<void> {
  const sql = `UPDATE auth.totps SET failures = 0, locked_until = NULL WHERE ${ofAccount}`;
  await people.rows(sql, [accountId]);
}

/**
 * The account has its second factor now: ends the sessions and remembered devices that were opened without it, and
 * returns the first recovery codes. The owner gets a mail.
 */
export async function startSecondFactor(
  accounts: Accounts,
  people: InRealm,
  { accountId, except }: { readonly accountId: string; readonly except: string | null },
): Promise<string[]> {
  await forgetDevices(people, accountId);
  const others = { accountId, sessionId: null, except, nowMs: accounts.now() };
  await endSessions(people, { ...others, reason: 'secondFactorEnrolled' });
  await queueSecurityMail(accounts, people, { accountId, kind: 'second-factor-enrolled' });
  const codes = newRecoveryCodes(accounts.randomBytes);
  const hashes = codes.map((code) => hashRecoveryCode(accounts, accountId, code));
  await people.rows(`DELETE FROM auth.recovery_codes WHERE ${ofAccount}`, [accountId]);
  await people.rows(
    `INSERT INTO auth.recovery_codes (account_id, hash)
     SELECT a.id, unnest($3::bytea[]) FROM auth.accounts a WHERE a.realm = $1 AND a.id = $2`,
    [accountId, hashes],
  );
  return codes;
}

/** The number of unused codes. */
export async function countRecoveryCodes(people: InRealm, accountId: string): Promise<number> {
  const sql = `SELECT count(*)::int AS left FROM auth.recovery_codes WHERE ${ofAccount} AND used IS NULL`;
  const [row] = await people.rows<{ left: number }>(sql, [accountId]);
  return row?.left ?? 0;
}

/** For any spelling of the code. */
export function hashRecoveryCode({ keyring }: Accounts, accountId: string, code: string): Buffer {
  return keyring.mac('recovery', accountId, normaliseCode(code));
}

/**
 * Removes the second factor of a signed-in account. Throws 2005 if the session was not opened with the second factor,
 * which is older than the session, and 2004 like `holdSession`.
 */
export async function removeSecondFactor(accounts: Accounts, by: SessionActor): Promise<void> {
  const { account_id: accountId, realm, amr, started } = by.session;
  const totp = await findTotp(inRealm(accounts.db, realm), accountId);
  const isProven = amr.some((method) => method === 'otp' || method === 'recovery');
  if (totp && !isProven && totp.confirmed.getTime() < started.getTime())
    throw systemError('notPermitted', {}, { fields: 'sign in with the second factor first' });
  await accounts.db.transaction(async (tx) => {
    const people = inRealm(tx, realm);
    await holdSession(people, by.session, accounts.now());
    await dropSecondFactor(people, accountId);
    await writeOwnAudit(accounts, people, { by, act: 'secondFactorRemoved' });
    if (totp) await queueSecurityMail(accounts, people, { accountId, kind: 'second-factor-removed' });
  });
}

/** Deletes the second factor and all trusted devices. */
export async function dropSecondFactor(people: InRealm, accountId: string): Promise<void> {
  for (const table of ['totps', 'recovery_codes', 'known_devices', 'passed_codes']) {
    await people.rows(`DELETE FROM auth.${table} WHERE ${ofAccount}`, [accountId]);
  }
}
