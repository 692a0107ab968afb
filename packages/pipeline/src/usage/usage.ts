import { type PostgresSource, type Queryable, usePostgres } from '@tickrate/postgres';
import { addAccounted } from '../ledger/tables/ledger-tables-sql.ts';
import { multirange, type Range } from '../queue/chunks/ranges.ts';
import type { Settled } from '../queue/chunks/sent-positions.ts';

/** Running totals of one project, since the beginning, as far as the ledger knows them. */
export interface ProjectTotals {
  readonly accepted: number;
  readonly stored: number;
  readonly deduplicated: number;
  readonly dead: number;
  /** Lost after the seal, or lost by processes that ended long ago. */
  readonly lost: number;
  /** Accepted events that have not arrived, by the process that accepted them. They wait in the queue or are lost. */
  readonly unarrived: ReadonlyMap<string, readonly Range[]>;
}

/** The events that a project sent in the current day and month, in UTC, by the clock of the ledger. */
export interface ProjectUsage {
  readonly today: number;
  readonly thisMonth: number;
  readonly dayEndsInMs: number;
  readonly monthEndsInMs: number;
}

/**
 * How many events each project sent, and where they are. Every method is safe to repeat, and rejects with
 * PostgresUnavailable if Postgres does not answer in time.
 */
export type Usage = ReturnType<typeof createUsage>;

export function createUsage(source: PostgresSource) {
  const { postgres: db, close } = usePostgres(source);
  return {
    /**
     * Reports a gateway's running total of acknowledged events by project, and the events that the queue answered for. A
     * smaller total than before is ignored. The increase counts as usage of today.
     */
    async reportAccepted(
      producer: string,
      byProject: ReadonlyMap<string, number>,
      settled: ReadonlyMap<string, Settled> = new Map(),
    ): Promise<void> {
      const projects = [...new Set([...byProject.keys(), ...settled.keys()])].toSorted();
      if (projects.length > 0) {
        await db.query(insertReport, [
          producer,
          projects,
          projects.map((project) => byProject.get(project) ?? 0),
          projects.map((project) => settled.get(project)?.settled ?? 0),
          projects.map((project) => multirange(settled.get(project)?.voids ?? [])),
        ]);
      }
      await countUsage(db, producer);
    },
    /** The running totals of all projects at one moment. */
    totals: () => readTotals(db),
    /** The usage of each of these projects, also of one that sent nothing. */
    async ofProjects(projectIds: readonly string[]): Promise<Map<string, ProjectUsage>> {
      const rows = await db.query<ProjectUsage & { project: string }>(selectUsage, [projectIds]);
      return new Map(rows.map(({ project, ...usage }) => [project, usage]));
    },
    close,
  };
}

const insertReport = `
  INSERT INTO delivery.producers AS p (producer, project, reported, settled, accounted, seen_at)
  SELECT $1, r.project, r.reported, r.settled, r.voids::int8multirange, clock_timestamp()
    FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) AS r(project, reported, settled, voids)
   ORDER BY r.project
  ON CONFLICT (producer, project)
  DO UPDATE SET reported = greatest(p.reported, excluded.reported), seen_at = excluded.seen_at,
                settled = greatest(p.settled, excluded.settled), accounted = ${addAccounted}`;

const selectUsage = `
  WITH clock AS (SELECT clock_timestamp() AT TIME ZONE 'UTC' AS now)
  SELECT asked.project,
         coalesce(sum(u.events) FILTER (WHERE u.day = c.now::date), 0)::float8 AS today,
         coalesce(sum(u.events), 0)::float8 AS "thisMonth",
         (extract(epoch FROM date_trunc('day', c.now) + interval '1 day' - c.now) * 1000)::float8 AS "dayEndsInMs",
         (extract(epoch FROM date_trunc('month', c.now) + interval '1 month' - c.now) * 1000)::float8 AS "monthEndsInMs"
    FROM clock c CROSS JOIN unnest($1::text[]) AS asked(project)
    LEFT JOIN delivery.usage u ON u.project = asked.project AND u.day >= date_trunc('month', c.now)::date
   GROUP BY asked.project, c.now`;

type Counts = Omit<ProjectTotals, 'unarrived'>;

interface TotalsRow extends Counts {
  readonly project: string;
  readonly producer: string | null;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
}

/**
 * One statement, so that an event that moves from one place to another is counted once. A killed gateway reported too
 * little, and a lost chunk never arrived: the larger number was accepted.
 */
const selectTotals = `
  SELECT project, producer, greatest(reported, arrived)::float8 AS accepted, 0::float8 AS stored,
         0::float8 AS deduplicated, 0::float8 AS dead, 0::float8 AS lost,
         ARRAY(SELECT lower(gap) FROM unnest(gaps) AS gap) AS starts,
         ARRAY(SELECT upper(gap) FROM unnest(gaps) AS gap) AS ends
    FROM delivery.producers, LATERAL (SELECT int8multirange(int8range(0, settled)) - accounted AS gaps) AS unarrived
   UNION ALL
  SELECT project, NULL, 0, stored, deduplicated, dead, lost, '{}', '{}' FROM delivery.totals`;

async function readTotals(db: Queryable): Promise<Map<string, ProjectTotals>> {
  const all = new Map<string, Counts & { unarrived: Map<string, Range[]> }>();
  for (const { project, producer, starts, ends, ...row } of await db.query<TotalsRow>(selectTotals)) {
    const { unarrived, ...before } = all.get(project) ?? { unarrived: new Map() };
    const ranges = starts.map((start, at): Range => [Number(start), Number(ends[at])]);
    if (producer !== null && ranges.length > 0) unarrived.set(producer, ranges);
    all.set(project, { ...addCounts(before, row), unarrived });
  }
  return all;
}

function addCounts(before: Partial<Counts>, row: Counts): Counts {
  const sum = { accepted: 0, stored: 0, deduplicated: 0, dead: 0, lost: 0 };
  for (const place of Object.keys(sum) as (keyof Counts)[]) sum[place] = (before[place] ?? 0) + row[place];
  return sum;
}

/** Counts the events that one gateway accepted since the last count. */
export async function countUsage(db: Queryable, producer: string | null): Promise<void> {
  await db.query('SELECT delivery.count_usage($1)', [producer]);
}

/** Deletes the days that no bill and no chart needs. */
export async function dropOldUsage(db: Queryable): Promise<void> {
  await db.query("DELETE FROM delivery.usage WHERE day < current_date - interval '25 months'");
}

/**
 * The events that each project sent on each day (UTC), for its quotas. A producer's `counted` says how much of its events
 * the usage contains. So a repeated report counts once, and what a killed gateway never reported counts when it arrives.
 * Locks are taken in the order producers, usage, and sorted within each.
 */
export const usageSql = `
CREATE TABLE delivery.usage (
  project text   NOT NULL,
  day     date   NOT NULL,
  events  bigint NOT NULL,
  PRIMARY KEY (project, day)
) WITH (fillfactor = 50);

CREATE FUNCTION delivery.utc_day() RETURNS date LANGUAGE sql STABLE AS $$
  SELECT (clock_timestamp() AT TIME ZONE 'UTC')::date
$$;

-- Of one producer, or of all with null.
CREATE FUNCTION delivery.count_usage(p_producer text) RETURNS void LANGUAGE sql AS $$
  WITH uncounted AS MATERIALIZED (
    SELECT producer, project, greatest(reported, arrived) AS total, counted FROM delivery.producers
     WHERE (p_producer IS NULL OR producer = p_producer) AND counted < greatest(reported, arrived)
     ORDER BY producer, project FOR UPDATE
  ), marked AS (
    UPDATE delivery.producers p SET counted = u.total FROM uncounted u
     WHERE p.producer = u.producer AND p.project = u.project
  )
  INSERT INTO delivery.usage AS u (project, day, events)
  SELECT project, delivery.utc_day(), sum(total - counted) FROM uncounted GROUP BY project ORDER BY project
  ON CONFLICT (project, day) DO UPDATE SET events = u.events + excluded.events
$$;
`;
