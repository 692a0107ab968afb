import {
  type CountsByType,
  type ErasureCertificate,
  type ErasureCounts,
  sealCertificate,
} from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { ErasureState } from './erasure-request.ts';

/** An erasure that this process may work on until its lease ends. */
export interface LeasedErasure {
  readonly id: string;
  readonly projectId: string;
  /** Null: the whole project. */
  readonly accountId: string | null;
  readonly mode: 'remove' | 'mask';
  readonly state: Exclude<ErasureState, 'done'>;
  /** Fixed from the state `counting`. */
  readonly receivedUntilMs: number | null;
}

export type RejectedCounts = Pick<ErasureCounts, 'quarantine' | 'deadLetters'>;

/** The steps of erasures. Each step requires the previous state, so one process does it once. */
export type ErasureWork = ReturnType<typeof createErasureWork>;

export function createErasureWork(db: Queryable) {
  return {
    /** Leases the oldest erasure without a lease. Null if there is none. */
    async lease(leaseMs: number, except: readonly string[]): Promise<LeasedErasure | null> {
      const [leased] = await db.query<LeasedErasure>(leaseSql, [leaseMs, except]);
      return leased ?? null;
    },
    /** Extends the lease. */
    renew: (id: string, leaseMs: number) => run(db, renewSql, [id, leaseMs]),
    /** Ends the lease. With a fault, the next lease is possible after a delay. */
    release: (id: string, fault: string | null) => run(db, releaseSql, [id, fault]),
    /** Removes the account from sign-in, its keys first, and records the removed rows. Safe to repeat. */
    accountRemoved: (id: string) => removeAccount(db, id),
    /** In the transaction that removed them: so many rows of a kind of the whole project are gone. */
    rowsRemoved: (
      tx: Queryable,
      id: string,
      { kind, rows }: { readonly kind: string; readonly rows: number },
    ) => run(tx, rowsRemovedSql, [id, kind, rows]),
    /** The rows of the account that are still in the tables of sign-in. Empty if there are none. */
    accountLeft: (id: string) => countAccount(db, id),
    /** Records the rows that will be removed from quarantine and dead letters. They are cleaned at the beginning and at the end. */
    rejectedCounted: (id: string, which: 'first' | 'last', { quarantine, deadLetters }: RejectedCounts) =>
      run(db, which === 'first' ? countFirstSql : countLastSql, [id, quarantine, deadLetters]),
    /** From `requested` to `waiting`, after quarantine and dead letters were cleaned, including unreadable payloads. */
    rejectedRemoved: (id: string, unreadable: number) => run(db, cleanedSql, [id, unreadable]),
    /**
     * From `waiting` to `counting`, when everything that was accepted before is stored, according to `settledUntilMs`. The
     * margin covers different clocks and requests in progress. Resolves with the end of the covered time of receipt, or
     * null if it is too early.
     */
    async fix(
      id: string,
      { settledUntilMs, marginMs }: { readonly settledUntilMs: number; readonly marginMs: number },
    ): Promise<number | null> {
      const [fixed] = await db.query<{ untilMs: number }>(fixSql, [id, settledUntilMs, marginMs]);
      return fixed?.untilMs ?? null;
    },
    /** From `counting` to the next state. Records the events that will be removed. */
    counted: (id: string, events: CountsByType, next: 'copying' | 'removing') =>
      run(db, countedSql, [id, events, next]),
    /** From `copying` to `removing`. */
    copied: (id: string) => run(db, copiedSql, [id]),
    /** From `removing` to `done`: writes the certificate and deletes the id of the account. */
    complete: (id: string, remaining: ErasureCounts) => complete(db, id, remaining),
    /** The time at which the oldest chunk that is sealed and not stored was created. Null if there is none. */
    async oldestUnstoredMs(): Promise<number | null> {
      const rows = await db.query<{ ms: number | null }>(oldestUnstoredSql);
      return rows[0]?.ms ?? null;
    },
  };
}

async function run(db: Queryable, sql: string, values: unknown[]): Promise<void> {
  await db.query(sql, values);
}

const receivedUntilMs = 'floor(extract(epoch FROM received_until) * 1000)::float8';

const leaseSql = `
  UPDATE delivery.erasures SET leased_until = clock_timestamp() + make_interval(secs => $1::float8 / 1000), tries = tries + 1
   WHERE id = (SELECT id FROM delivery.erasures
                WHERE state <> 'done' AND id <> ALL ($2::uuid[])
                  AND (leased_until IS NULL OR leased_until < clock_timestamp())
                ORDER BY requested_at LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, project AS "projectId", nullif(account, '') AS "accountId", mode, state,
            ${receivedUntilMs} AS "receivedUntilMs"`;

const renewSql = `
  UPDATE delivery.erasures SET leased_until = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
   WHERE id = $1 AND state <> 'done'`;

// After each fault the delay grows, up to five minutes.
const releaseSql = `
  UPDATE delivery.erasures
     SET fault = $2, tries = CASE WHEN $2::text IS NULL THEN 0 ELSE tries END,
         leased_until = CASE WHEN $2::text IS NOT NULL THEN clock_timestamp() + make_interval(secs => least(300, 5 * tries)) END
   WHERE id = $1 AND state <> 'done'`;

async function removeAccount(db: Queryable, id: string): Promise<void> {
  if (!(await hasSignIn(db))) return;
  await db.query(
    `UPDATE delivery.erasures
        SET account_rows = delivery.larger_counts(account_rows, auth.erase_account(account, project))
      WHERE id = $1 AND state = 'requested'`,
    [id],
  );
}

const rowsRemovedSql = `
  UPDATE delivery.erasures
     SET account_rows = account_rows || jsonb_build_object($2::text, coalesce((account_rows->>$2)::bigint, 0) + $3)
   WHERE id = $1 AND state <> 'done'`;

async function countAccount(db: Queryable, id: string): Promise<CountsByType> {
  if (!(await hasSignIn(db))) return {};
  const rows = await db.query<{ accounts: number }>(
    `SELECT count(*)::int AS accounts FROM delivery.erasures e
       JOIN auth.accounts a ON a.id = e.account AND a.realm = e.project WHERE e.id = $1`,
    [id],
  );
  const accounts = rows[0]?.accounts ?? 0;
  return accounts === 0 ? {} : { accounts };
}

/** Auth creates its own schema. Without it there is no account to remove. */
async function hasSignIn(db: Queryable): Promise<boolean> {
  const rows = await db.query<{ there: boolean }>(
    "SELECT to_regprocedure('auth.erase_account(text, text)') IS NOT NULL AS there",
  );
  return rows[0]?.there === true;
}

const countFirstSql = `
  UPDATE delivery.erasures SET rejected = delivery.larger_counts(rejected, $2), dead = delivery.larger_counts(dead, $3)
   WHERE id = $1 AND state = 'requested'`;
const countLastSql = `
  UPDATE delivery.erasures
     SET rejected_last = delivery.larger_counts(rejected_last, $2), dead_last = delivery.larger_counts(dead_last, $3)
   WHERE id = $1 AND state = 'removing'`;

const cleanedSql = `
  UPDATE delivery.erasures
     SET state = CASE WHEN state = 'requested' THEN 'waiting' ELSE state END,
         rejected_until = clock_timestamp(), unreadable = unreadable + $2
   WHERE id = $1 AND state <> 'done'`;

// From the time at which the account was removed and the quarantine cleaned: before, events could be sent and replayed.
const fixSql = `
  UPDATE delivery.erasures
     SET state = 'counting',
         received_until = greatest(requested_at, rejected_until) + make_interval(secs => $3::float8 / 1000)
   WHERE id = $1 AND state = 'waiting'
     AND greatest(requested_at, rejected_until) + make_interval(secs => $3::float8 / 1000) <= to_timestamp($2::float8 / 1000)
  RETURNING ${receivedUntilMs} AS "untilMs"`;

const countedSql = `
  UPDATE delivery.erasures SET state = $3, events = $2
   WHERE id = $1 AND state = 'counting'`;

const copiedSql = `UPDATE delivery.erasures SET state = 'removing' WHERE id = $1 AND state = 'copying'`;

const oldestUnstoredSql = `
  SELECT min(('x' || substr(replace(c.id::text, '-', ''), 1, 12))::bit(48)::bigint)::float8 AS ms
    FROM delivery.batches b, unnest(b.chunk_ids) AS c(id) WHERE b.stored_at IS NULL`;

interface RemovingRow {
  readonly project: string;
  readonly account_hash: string | null;
  readonly mode: 'remove' | 'mask';
  readonly requested_by: string;
  readonly requested_at: Date;
  readonly received_until: Date;
  readonly account_rows: CountsByType;
  readonly events: CountsByType;
  readonly rejected: CountsByType;
  readonly rejected_last: CountsByType;
  readonly dead: CountsByType;
  readonly dead_last: CountsByType;
  readonly unreadable: number;
  readonly now: Date;
}

async function complete(
  db: Queryable,
  id: string,
  remaining: ErasureCounts,
): Promise<ErasureCertificate | null> {
  const rows = await db.query<RemovingRow>(
    `SELECT project, account_hash, mode, requested_by, requested_at, received_until, account_rows, events,
            rejected, rejected_last, dead, dead_last, unreadable, clock_timestamp() AS now
       FROM delivery.erasures WHERE id = $1 AND state = 'removing'`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) return null;
  const certificate = sealCertificate({
    format: 'tickrate-erasure-1',
    id,
    projectId: row.project,
    accountHash: row.account_hash,
    mode: row.mode,
    requestedBy: row.requested_by,
    requested: row.requested_at.toISOString(),
    receivedUntil: row.received_until.toISOString(),
    completed: row.now.toISOString(),
    removed: {
      account: row.account_rows,
      events: row.events,
      quarantine: sum(row.rejected, row.rejected_last),
      deadLetters: sum(row.dead, row.dead_last),
      unreadableDeadLetters: row.unreadable,
    },
    remaining,
  });
  const done = await db.query(
    `UPDATE delivery.erasures SET state = 'done', account = NULL, certificate = $2, leased_until = NULL, fault = NULL
      WHERE id = $1 AND state = 'removing' RETURNING id`,
    [id, certificate],
  );
  return done.length === 1 ? certificate : null;
}

function sum(first: CountsByType, last: CountsByType): CountsByType {
  const types = Object.keys({ ...first, ...last });
  return Object.fromEntries(types.map((type) => [type, (first[type] ?? 0) + (last[type] ?? 0)]));
}
