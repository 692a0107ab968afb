import { type PostgresSource, type Queryable, usePostgres } from '@tickrate/postgres';
import { addAccounted } from '../ledger/tables/ledger-tables-sql.ts';
import { multirange, type Range } from '../queue/chunks/ranges.ts';
import type { Settled } from '../queue/chunks/sent-positions.ts';

/**
 * How many events each project sent, and where they are. Every method is safe to repeat, and rejects with
 * PostgresUnavailable if Postgres does not answer in time.
 */
export interface Usage {
  /**
   * Reports a gateway's running total of acknowledged events by project, and the events that the queue answered for. A
   * smaller total than before is ignored. The increase counts as usage of today.
   */
  reportAccepted(
    producer: string,
    byProject: ReadonlyMap<string, number>,
    settled?: ReadonlyMap<string, Settled>,
  ): Promise<void>;
  accepted(): Promise<Map<string, number>>;
  totals(): Promise<Map<string, ProjectTotals>>;
  losses(): Promise<Map<string, ProjectLosses>>;
  /** The usage of each of these projects, also of one that sent nothing. */
  ofProjects(projectIds: readonly string[]): Promise<Map<string, ProjectUsage>>;
  close(): Promise<void>;
}

/** Running totals of one project, since the beginning. */
export interface ProjectTotals {
  readonly stored: number;
  readonly deduplicated: number;
  readonly dead: number;
}

/** The lost events of one project, as far as the ledger knows them. */
export interface ProjectLosses {
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

export function createUsage(source: PostgresSource): Usage {
  const { postgres: db, close } = usePostgres(source);
  return {
    async reportAccepted(producer, byProject, settled = new Map()) {
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
    async accepted() {
      const rows = await db.query<{ project: string; accepted: number }>(selectAccepted);
      return new Map(rows.map(({ project, accepted }) => [project, accepted]));
    },
    async totals() {
      const rows = await db.query<ProjectTotals & { project: string }>(selectTotals);
      return new Map(rows.map(({ project, ...totals }) => [project, totals]));
    },
    losses: () => readLosses(db),
    async ofProjects(projectIds) {
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

/** A killed gateway reported too little, and a lost chunk never arrived. So the larger number was accepted. */
const selectAccepted = `
  SELECT project, sum(greatest(reported, arrived))::float8 AS accepted FROM delivery.producers GROUP BY project`;

const selectTotals = `
  SELECT project, stored::float8, deduplicated::float8, dead::float8 FROM delivery.totals`;

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

interface LossRow {
  readonly project: string;
  readonly producer: string | null;
  readonly starts: readonly string[];
  readonly ends: readonly string[];
  readonly lost: string;
}

/** One statement, so that a loss that moves from the ranges to the total is counted once. */
const selectLosses = `
  SELECT p.project, p.producer, array_agg(lower(gap) ORDER BY gap) AS starts, array_agg(upper(gap) ORDER BY gap) AS ends, 0 AS lost
    FROM delivery.producers p
   CROSS JOIN LATERAL unnest(int8multirange(int8range(0, p.settled)) - p.accounted) AS gap
   WHERE p.settled > 0 GROUP BY p.project, p.producer
   UNION ALL
  SELECT project, NULL, '{}', '{}', lost FROM delivery.totals WHERE lost > 0`;

async function readLosses(db: Queryable): Promise<Map<string, ProjectLosses>> {
  const rows = await db.query<LossRow>(selectLosses);
  const losses = new Map<string, { lost: number; unarrived: Map<string, Range[]> }>();
  for (const { project, producer, starts, ends, lost } of rows) {
    const found = losses.get(project) ?? { lost: 0, unarrived: new Map() };
    found.lost += Number(lost);
    const ranges = starts.map((start, at): Range => [Number(start), Number(ends[at])]);
    if (producer !== null) found.unarrived.set(producer, ranges);
    losses.set(project, found);
  }
  return losses;
}

/** Counts the events that one gateway accepted since the last count. */
export async function countUsage(db: Queryable, producer: string | null): Promise<void> {
  await db.query('SELECT delivery.count_usage($1)', [producer]);
}

/** Deletes the days that no bill and no chart needs. */
export async function dropOldUsage(db: Queryable): Promise<void> {
  await db.query("DELETE FROM delivery.usage WHERE day < current_date - interval '25 months'");
}
