import type { Queryable } from '@tickrate/postgres';

/** A second factor that is being set up during a sign-in. */
export interface PendingEnrolment {
  readonly exchangeId: string;
  /** Identifies the account within the exchange. */
  readonly mark: Buffer;
  /** Sealed. */
  readonly secret: Buffer;
  /** The time step of the accepted code, and the hash by which that code is recognised. */
  readonly step: number | null;
  readonly code: Buffer | null;
}

export interface NewEnrolment {
  /** Of the exchange or the session. */
  readonly exchangeId: string;
  readonly mark: Buffer;
  /** A keyed hash of the key, the account and what proved it. */
  readonly owner: Buffer;
  /** Sealed. */
  readonly secret: Buffer;
  readonly nowMs: number;
}

/** The secret of the setup for the account in this exchange. Concurrent requests all get the first one. */
export async function beginEnrolment(db: Queryable, begun: NewEnrolment): Promise<Buffer> {
  const [row] = await db.query<{ secret: Buffer }>(
    `INSERT INTO auth.enrolments AS e (exchange_id, mark, owner, secret, begun) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (exchange_id, mark) DO UPDATE SET owner = excluded.owner RETURNING e.secret`,
    [begun.exchangeId, begun.mark, begun.owner, begun.secret, new Date(begun.nowMs)],
  );
  if (!row) throw new Error('An enrolment was neither found nor begun');
  return row.secret;
}

/** Replaces the setup of the account in this exchange, and its attempts. */
export async function replaceEnrolment(db: Queryable, begun: NewEnrolment): Promise<void> {
  await db.query(
    `INSERT INTO auth.enrolments (exchange_id, mark, owner, secret, begun) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (exchange_id, mark) DO UPDATE SET owner = excluded.owner, secret = excluded.secret,
       begun = excluded.begun, failures = 0, step = NULL, code = NULL`,
    [begun.exchangeId, begun.mark, begun.owner, begun.secret, new Date(begun.nowMs)],
  );
}

export interface RecentEnrolment {
  readonly owner: Buffer;
  readonly sinceMs: number;
  readonly mostFailures: number;
}

/** The sealed secret of the owner's first setup since then that accepted no code yet and may still try one. */
export async function findRecentEnrolment(
  db: Queryable,
  { owner, sinceMs, mostFailures }: RecentEnrolment,
): Promise<Buffer | null> {
  const [row] = await db.query<{ secret: Buffer }>(
    `SELECT secret FROM auth.enrolments
     WHERE owner = $1 AND begun > $2 AND step IS NULL AND failures < $3 ORDER BY begun LIMIT 1`,
    [owner, new Date(sinceMs), mostFailures],
  );
  return row?.secret ?? null;
}

/** Null if the caller names no exchange, or has not proven an owner. */
export interface EnrolmentsSought {
  readonly exchangeId: string | null;
  readonly mark: Buffer | null;
  readonly owner: Buffer;
  readonly sinceMs: number;
}

const mostOfOwner = 5;
const columns = 'exchange_id AS "exchangeId", mark, secret, step::float8 AS step, code';

/**
 * The setups of the exchange that the caller names, or else the latest one of the same owner. Their secrets are not
 * returned to a client.
 */
export function findEnrolments(
  db: Queryable,
  { exchangeId, mark, owner, sinceMs }: EnrolmentsSought,
): Promise<PendingEnrolment[]> {
  return exchangeId === null
    ? db.query<PendingEnrolment>(
        `SELECT ${columns} FROM auth.enrolments WHERE owner = $1 AND begun > $2 ORDER BY begun DESC LIMIT ${mostOfOwner}`,
        [owner, new Date(sinceMs)],
      )
    : db.query<PendingEnrolment>(
        `SELECT ${columns} FROM auth.enrolments WHERE exchange_id = $1 AND mark = $2`,
        [exchangeId, mark],
      );
}

/**
 * Counts an attempt for each of them before the check. Returns those with an attempt left, and the number of attempts.
 */
export function chargeEnrolments(
  db: Queryable,
  pending: readonly PendingEnrolment[],
  most: number,
): Promise<{ readonly mark: Buffer; readonly failures: number }[]> {
  return db.query(
    `UPDATE auth.enrolments e SET failures = failures + 1
     FROM unnest($1::text[], $2::bytea[]) AS tried (exchange_id, mark)
     WHERE e.exchange_id = tried.exchange_id AND e.mark = tried.mark AND failures < $3 RETURNING e.mark, e.failures`,
    [pending.map(({ exchangeId }) => exchangeId), pending.map(({ mark }) => mark), most],
  );
}

/** The first code was accepted. */
export async function passEnrolment(
  db: Queryable,
  { exchangeId, mark, step, code }: PendingEnrolment,
): Promise<void> {
  await db.query(
    'UPDATE auth.enrolments SET step = $3, code = $4, failures = 0 WHERE exchange_id = $1 AND mark = $2',
    [exchangeId, mark, step, code],
  );
}

/** The account has the second factor now. */
export async function dropEnrolments(tx: Queryable, owner: Buffer): Promise<void> {
  await tx.query('DELETE FROM auth.enrolments WHERE owner = $1', [owner]);
}
