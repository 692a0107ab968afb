import type { Queryable } from './database.ts';

export interface ExchangeRow {
  readonly id: string;
  readonly key_id: string;
  readonly project_id: string;
  readonly started: Date;
  readonly touched: Date;
  readonly code_failures: number;
  /** By account: how its second factor was passed. */
  readonly second_factors: Readonly<Record<string, string>>;
  /** Second factors that are being set up, by a mark of the account. */
  readonly enrolments: Readonly<Record<string, PendingEnrolment>>;
  readonly completed: Date | null;
}

export interface PendingEnrolment {
  /** Sealed. */
  readonly secret: string;
  /** The time step of the code that was good for it, and how that code is known again. */
  readonly step?: number;
  readonly code?: string;
}

const columns =
  'id, key_id, project_id, started, touched, code_failures, second_factors, enrolments, completed';

export async function findExchange(db: Queryable, id: string): Promise<ExchangeRow | null> {
  const [row] = await db.query<ExchangeRow>(`SELECT ${columns} FROM auth.exchanges WHERE id = $1`, [id]);
  return row ?? null;
}

export interface NewExchange {
  readonly id: string;
  readonly keyId: string;
  readonly projectId: string;
  readonly sender: Buffer;
  readonly nowMs: number;
}

/** Null to begin one whatever there is. */
export interface OpenSince {
  readonly startedMs: number;
  readonly touchedMs: number;
  /** One with as many wrong codes is left alone. */
  readonly codeFailures: number;
}

/** The latest exchange of the sender that is still open, or the one that is given as a new one. */
export async function continueExchange(
  db: Queryable,
  exchange: NewExchange,
  open: OpenSince | null,
): Promise<ExchangeRow> {
  const [row] = await db.query<ExchangeRow>(
    `WITH found AS (
       UPDATE auth.exchanges SET touched = $5 WHERE completed IS NULL AND id = (
         SELECT id FROM auth.exchanges WHERE sender = $4 AND completed IS NULL
           AND started > $6 AND touched > $7 AND code_failures < $8 ORDER BY started DESC LIMIT 1)
       RETURNING ${columns}),
     made AS (
       INSERT INTO auth.exchanges (id, key_id, project_id, sender, started, touched)
       SELECT $1, $2, $3, $4, $5, $5 WHERE NOT EXISTS (SELECT FROM found) RETURNING ${columns})
     SELECT * FROM found UNION ALL SELECT * FROM made`,
    [
      ...[exchange.id, exchange.keyId, exchange.projectId, exchange.sender, new Date(exchange.nowMs)],
      ...(open
        ? [new Date(open.startedMs), new Date(open.touchedMs), open.codeFailures]
        : [null, null, null]),
    ],
  );
  if (!row) throw new Error('An exchange was neither found nor made');
  return row;
}

export async function touchExchange(db: Queryable, id: string, nowMs: number): Promise<void> {
  await db.query('UPDATE auth.exchanges SET touched = $2 WHERE id = $1', [id, new Date(nowMs)]);
}

/** Counts a try of a code before it is looked at: null when the exchange has none left. */
export async function chargeCode(db: Queryable, id: string, most: number): Promise<number | null> {
  const [row] = await db.query<{ code_failures: number }>(
    `UPDATE auth.exchanges SET code_failures = code_failures + 1
     WHERE id = $1 AND code_failures < $2 RETURNING code_failures`,
    [id, most],
  );
  return row?.code_failures ?? null;
}

export async function passSecondFactor(
  db: Queryable,
  { id, accountId, method }: { readonly id: string; readonly accountId: string; readonly method: string },
): Promise<void> {
  await db.query(
    `UPDATE auth.exchanges SET second_factors = second_factors || jsonb_build_object($2::text, $3::text),
       code_failures = 0 WHERE id = $1`,
    [id, accountId, method],
  );
}

/** What is being set up for the account in this exchange: of several at once the first one, for all of them. */
export async function beginEnrolment(
  db: Queryable,
  { id, mark, secret }: { readonly id: string; readonly mark: string; readonly secret: string },
): Promise<PendingEnrolment | null> {
  const [row] = await db.query<{ pending: PendingEnrolment }>(
    `UPDATE auth.exchanges SET enrolments = jsonb_build_object($2::text, $3::jsonb) || enrolments
     WHERE id = $1 RETURNING enrolments -> $2 AS pending`,
    [id, mark, JSON.stringify({ secret })],
  );
  return row?.pending ?? null;
}

/** Its first code was good. */
export async function passEnrolment(
  db: Queryable,
  { id, mark, pending }: { readonly id: string; readonly mark: string; readonly pending: PendingEnrolment },
): Promise<void> {
  await db.query(
    `UPDATE auth.exchanges SET enrolments = enrolments || jsonb_build_object($2::text, $3::jsonb), code_failures = 0
     WHERE id = $1`,
    [id, mark, JSON.stringify(pending)],
  );
}

export interface Completion {
  readonly id: string;
  readonly fingerprint: Buffer;
  readonly answer: Buffer;
  readonly sessionId: string;
  readonly nowMs: number;
}

/** False when it has been completed already, by the same request or by another. */
export async function completeExchange(tx: Queryable, done: Completion): Promise<boolean> {
  const rows = await tx.query(
    `UPDATE auth.exchanges SET completed = $2, fingerprint = $3, answer = $4, session_id = $5, second_factors = '{}',
       enrolments = '{}'
     WHERE id = $1 AND completed IS NULL RETURNING id`,
    [done.id, new Date(done.nowMs), done.fingerprint, done.answer, done.sessionId],
  );
  return rows.length > 0;
}

/** The sealed answer to the very same request, while its session lives. */
export async function findAnswer(
  db: Queryable,
  fingerprint: Buffer,
  sinceMs: number,
): Promise<Buffer | null> {
  const [row] = await db.query<{ answer: Buffer }>(
    `SELECT x.answer FROM auth.exchanges x JOIN auth.sessions s ON s.id = x.session_id
     WHERE x.fingerprint = $1 AND x.completed > $2 AND s.ended IS NULL ORDER BY x.completed LIMIT 1`,
    [fingerprint, new Date(sinceMs)],
  );
  return row?.answer ?? null;
}
