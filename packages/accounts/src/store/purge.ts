import type { Postgres } from '@tickrate/postgres';

const dayMs = 24 * 3_600_000;

/** The retention of each kind of row, from when it was last needed. */
const rules: readonly { readonly sql: string; readonly keepMs: number }[] = [
  { sql: 'DELETE FROM auth.exchanges WHERE started < $1', keepMs: 3_600_000 },
  { sql: 'DELETE FROM auth.answers WHERE completed < $1', keepMs: 60_000 },
  { sql: 'DELETE FROM auth.passed_codes WHERE started < $1', keepMs: 3_600_000 },
  { sql: 'DELETE FROM auth.enrolments WHERE begun < $1', keepMs: 3_600_000 },
  { sql: 'DELETE FROM auth.remembered_tokens WHERE expires < $1', keepMs: 0 },
  { sql: 'DELETE FROM auth.token_checks WHERE until < $1', keepMs: 0 },
  { sql: 'DELETE FROM auth.spent_tokens WHERE expires < $1', keepMs: 0 },
  { sql: 'DELETE FROM auth.mail_tokens WHERE expires < $1', keepMs: 0 },
  { sql: 'DELETE FROM auth.notices WHERE left_at < $1', keepMs: 7 * dayMs },
  { sql: 'DELETE FROM auth.invitations WHERE expires < $1', keepMs: 30 * dayMs },
  { sql: 'DELETE FROM auth.throttles WHERE touched < $1', keepMs: 3_600_000 },
  { sql: 'SELECT auth.erase_account(id, realm) FROM auth.accounts WHERE archived < $1', keepMs: 30 * dayMs },
  // As long as the session: until then auth and every gateway report that its key has expired.
  { sql: 'DELETE FROM registry.session_keys WHERE LEAST(ended, expires) < $1', keepMs: 90 * dayMs },
  { sql: 'DELETE FROM auth.sessions WHERE LEAST(ended, expires) < $1', keepMs: 90 * dayMs },
];

/** Deletes expired rows. Any number of processes may run it concurrently. */
export async function purge(db: Postgres, nowMs: number): Promise<void> {
  for (const { sql, keepMs } of rules) await db.query(sql, [new Date(nowMs - keepMs)]);
}
