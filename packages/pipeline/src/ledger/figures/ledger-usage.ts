import type { Queryable } from '@tickrate/postgres';

/** The events that a project sent in the current day and month, in UTC, by the clock of the ledger. */
export interface ProjectUsage {
  readonly today: number;
  readonly thisMonth: number;
  readonly dayEndsInMs: number;
  readonly monthEndsInMs: number;
}

interface UsageRow {
  readonly project: string;
  readonly today: string;
  readonly month: string;
  readonly day_ms: number;
  readonly month_ms: number;
}

const selectUsage = `
  WITH clock AS (SELECT clock_timestamp() AT TIME ZONE 'UTC' AS now)
  SELECT asked.project,
         coalesce(sum(u.events) FILTER (WHERE u.day = c.now::date), 0) AS today,
         coalesce(sum(u.events), 0) AS month,
         (extract(epoch FROM date_trunc('day', c.now) + interval '1 day' - c.now) * 1000)::float8 AS day_ms,
         (extract(epoch FROM date_trunc('month', c.now) + interval '1 month' - c.now) * 1000)::float8 AS month_ms
    FROM clock c CROSS JOIN unnest($1::text[]) AS asked(project)
    LEFT JOIN delivery.usage u ON u.project = asked.project AND u.day >= date_trunc('month', c.now)::date
   GROUP BY asked.project, c.now`;

export async function readUsage(
  db: Queryable,
  projectIds: readonly string[],
): Promise<Map<string, ProjectUsage>> {
  const rows = await db.query<UsageRow>(selectUsage, [projectIds]);
  return new Map(
    rows.map((row) => [
      row.project,
      {
        today: Number(row.today),
        thisMonth: Number(row.month),
        dayEndsInMs: row.day_ms,
        monthEndsInMs: row.month_ms,
      },
    ]),
  );
}

/** Counts the events that one gateway accepted since the last count. */
export async function countUsage(db: Queryable, producer: string | null): Promise<void> {
  await db.query('SELECT delivery.count_usage($1)', [producer]);
}

/** Deletes the days that no bill and no chart needs. */
export async function dropOldUsage(db: Queryable): Promise<void> {
  await db.query("DELETE FROM delivery.usage WHERE day < current_date - interval '25 months'");
}
