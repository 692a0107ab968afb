import type { Queryable } from './database.ts';

export interface SessionRow {
  readonly id: string;
  readonly account_id: string;
  readonly realm: string;
  readonly project_id: string;
  readonly role: string;
  readonly amr: readonly string[];
  readonly metered: boolean;
  readonly new_account: boolean;
  readonly started: Date;
  /** When credentials were last proven. */
  readonly proven: Date;
  readonly expires: Date;
  readonly absolute_expires: Date;
  readonly ended: Date | null;
}

export interface NewSession {
  readonly id: string;
  readonly accountId: string;
  readonly realm: string;
  readonly projectId: string;
  readonly keyHash: Buffer;
  readonly secretHash: Buffer;
  readonly role: string;
  readonly scopes: readonly string[];
  readonly amr: readonly string[];
  readonly metered: boolean;
  readonly newAccount: boolean;
  readonly startMs: number;
  readonly expiresMs: number;
  readonly absoluteExpiresMs: number;
  readonly clientAddress: string;
}

/**
 * In the caller's transaction: the session and its key are there together or not at all. False when the account was
 * banned or put aside meanwhile: the lock lets one of the two see the other.
 */
export async function insertSession(tx: Queryable, session: NewSession): Promise<boolean> {
  const expires = new Date(session.expiresMs);
  const inserted = await tx.query(
    `INSERT INTO auth.sessions (id, account_id, realm, project_id, key_hash, secret_hash, role, amr, metered, new_account,
       started, proven, expires, absolute_expires, client_address)
     SELECT $1, a.id, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12, $13, $14 FROM auth.accounts a
     WHERE a.id = $2 AND a.archived IS NULL AND (a.banned IS NULL OR a.ban_expires <= $11) FOR KEY SHARE
     RETURNING id`,
    [
      session.id,
      session.accountId,
      session.realm,
      session.projectId,
      session.keyHash,
      session.secretHash,
      session.role,
      session.amr,
      session.metered,
      session.newAccount,
      new Date(session.startMs),
      expires,
      new Date(session.absoluteExpiresMs),
      session.clientAddress,
    ],
  );
  if (inserted.length === 0) return false;
  await tx.query(
    `INSERT INTO registry.session_keys (hash, session_id, account_id, project_id, scopes, expires)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [session.keyHash, session.id, session.accountId, session.projectId, session.scopes, expires],
  );
  return true;
}

const columns = `id, account_id, realm, project_id, role, amr, metered, new_account, started, proven, expires,
  absolute_expires, ended`;

/** Also one that has ended. */
export async function findSession(db: Queryable, keyHash: Buffer): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(`SELECT ${columns} FROM auth.sessions WHERE key_hash = $1`, [
    keyHash,
  ]);
  return row ?? null;
}

export function listSessions(db: Queryable, accountId: string, nowMs: number): Promise<SessionRow[]> {
  return db.query<SessionRow>(
    `SELECT ${columns} FROM auth.sessions WHERE account_id = $1 AND ended IS NULL AND expires > $2 ORDER BY started, id`,
    [accountId, new Date(nowMs)],
  );
}

/** Null when it has ended. Never beyond the absolute limit. */
export async function renewSession(
  tx: Queryable,
  { id, expiresMs, nowMs }: { readonly id: string; readonly expiresMs: number; readonly nowMs: number },
): Promise<SessionRow | null> {
  const [row] = await tx.query<SessionRow>(
    `UPDATE auth.sessions SET expires = LEAST($2, absolute_expires)
     WHERE id = $1 AND ended IS NULL AND expires > $3 RETURNING ${columns}`,
    [id, new Date(expiresMs), new Date(nowMs)],
  );
  if (!row) return null;
  await tx.query('UPDATE registry.session_keys SET expires = $2 WHERE session_id = $1', [id, row.expires]);
  return row;
}

/** Moves a live session to another project. */
export async function placeSession(
  tx: Queryable,
  {
    id,
    projectId,
    scopes,
  }: { readonly id: string; readonly projectId: string; readonly scopes: readonly string[] },
): Promise<void> {
  await tx.query('UPDATE auth.sessions SET project_id = $2 WHERE id = $1', [id, projectId]);
  await tx.query('UPDATE registry.session_keys SET project_id = $2, scopes = $3 WHERE session_id = $1', [
    id,
    projectId,
    scopes,
  ]);
}

export interface SessionEnd {
  readonly accountId: string;
  /** One session; null ends all of the account. */
  readonly sessionId: string | null;
  readonly except?: string | null;
  readonly reason: string;
  readonly nowMs: number;
}

/** Effective on every process within a second: the change log of the registry names the keys. */
export async function endSessions(tx: Queryable, end: SessionEnd): Promise<number> {
  const now = new Date(end.nowMs);
  const ended = await tx.query<{ id: string }>(
    `UPDATE auth.sessions SET ended = $3, end_reason = $4
     WHERE account_id = $1 AND ($2::text IS NULL OR id = $2) AND ($5::text IS NULL OR id <> $5) AND ended IS NULL
     RETURNING id`,
    [end.accountId, end.sessionId, now, end.reason, end.except ?? null],
  );
  await tx.query(
    'UPDATE registry.session_keys SET ended = $2 WHERE session_id = ANY ($1) AND ended IS NULL',
    [ended.map(({ id }) => id), now],
  );
  return ended.length;
}
