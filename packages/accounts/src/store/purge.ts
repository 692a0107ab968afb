import type { Postgres } from '@tickrate/postgres';

const dayMs = 24 * 3_600_000;

/** What is deleted when, by how long ago it stopped to matter. */
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
  // As long as the session: until then its key is told that it has ended, here and at every gateway.
  { sql: 'DELETE FROM registry.session_keys WHERE LEAST(ended, expires) < $1', keepMs: 90 * dayMs },
  { sql: 'DELETE FROM auth.sessions WHERE LEAST(ended, expires) < $1', keepMs: 90 * dayMs },
];

/** Deletes what has had its time. Any number of processes may, at once. */
export async function purge(db: Postgres, nowMs: number): Promise<void> {
  for (const { sql, keepMs } of rules) await db.query(sql, [new Date(nowMs - keepMs)]);
}
