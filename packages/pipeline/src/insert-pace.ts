import type { LedgerPool } from './ledger-pool.ts';

/** How the last minute's inserts went, of all workers together, and what still waits for its own. */
export interface InsertPace {
  /** Events that were stored. */
  readonly events: number;
  /** Of those, the ones of the project that was asked for. */
  readonly ofProject: number;
  readonly inserts: number;
  /** From when it was fixed what is inserted until that was stored, repeats included; null without an insert. */
  readonly meanSeconds: number | null;
  readonly p99Seconds: number | null;
  /** Batches that are fixed and not stored. */
  readonly openInserts: number;
  readonly oldestOpenSeconds: number | null;
}

export const paceSeconds = 60;
/** A batch that took longer than this to be stored is missing: ids begin with the time, so only these are read. */
const longestMs = 15 * 60 * 1_000;

export async function readInsertPace(pool: LedgerPool, projectId: string): Promise<InsertPace> {
  const { rows } = await pool.query<Record<keyof InsertPace, string | number | null>>(selectPace, [
    projectId,
    paceSeconds,
    longestMs,
  ]);
  const [row] = rows;
  const optional = (value: unknown) =>
    value === null || value === undefined ? null : Math.max(0, Number(value));
  return {
    events: Number(row?.events ?? 0),
    ofProject: Number(row?.ofProject ?? 0),
    inserts: Number(row?.inserts ?? 0),
    meanSeconds: optional(row?.meanSeconds),
    p99Seconds: optional(row?.p99Seconds),
    openInserts: Number(row?.openInserts ?? 0),
    oldestOpenSeconds: optional(row?.oldestOpenSeconds),
  };
}

const selectPace = `
  WITH begun AS (
    SELECT (lpad(to_hex((extract(epoch FROM clock_timestamp()) * 1000)::bigint - $3), 12, '0') || repeat('0', 20))::uuid AS id
  ), recent AS (
    SELECT b.kept, b.projects, greatest(0, extract(epoch FROM b.stored_at - b.sealed_at))::float8 AS seconds
      FROM delivery.batches b
     WHERE b.day >= (SELECT delivery.day_of(id) FROM begun) AND b.id >= (SELECT id FROM begun) AND b.rows > 0
       AND b.stored_at > clock_timestamp() - make_interval(secs => $2)
  )
  SELECT (SELECT sum(part) FROM recent, unnest(kept) AS part) AS events,
         (SELECT sum(part.rows) FROM recent, unnest(kept, projects) AS part(rows, project)
           WHERE part.project = $1) AS "ofProject",
         count(*) AS inserts,
         avg(seconds) AS "meanSeconds",
         percentile_disc(0.99) WITHIN GROUP (ORDER BY seconds) AS "p99Seconds",
         (SELECT count(*) FROM delivery.batches WHERE stored_at IS NULL) AS "openInserts",
         (SELECT extract(epoch FROM clock_timestamp() - min(sealed_at)) FROM delivery.batches
           WHERE stored_at IS NULL)::float8 AS "oldestOpenSeconds"
    FROM recent`;
