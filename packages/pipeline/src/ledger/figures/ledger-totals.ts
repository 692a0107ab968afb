import type { Queryable } from '@tickrate/postgres';
import { multirange } from '../../queue/chunks/ranges.ts';
import type { Settled } from '../../queue/chunks/sent-positions.ts';
import { addAccounted } from '../tables/ledger-tables-sql.ts';

/** Running totals of one project, since the beginning. */
export interface ProjectTotals {
  readonly stored: number;
  readonly deduplicated: number;
  readonly dead: number;
}

export interface AcceptedReport {
  readonly producer: string;
  readonly byProject: ReadonlyMap<string, number>;
  readonly settled: ReadonlyMap<string, Settled>;
}

export async function reportAccepted(
  db: Queryable,
  { producer, byProject, settled }: AcceptedReport,
): Promise<void> {
  const projects = [...new Set([...byProject.keys(), ...settled.keys()])].toSorted();
  if (projects.length === 0) return;
  await db.query(
    `INSERT INTO delivery.producers AS p (producer, project, reported, settled, accounted, seen_at)
     SELECT $1, r.project, r.reported, r.settled, r.voids::int8multirange, clock_timestamp()
       FROM unnest($2::text[], $3::bigint[], $4::bigint[], $5::text[]) AS r(project, reported, settled, voids)
      ORDER BY r.project
     ON CONFLICT (producer, project)
     DO UPDATE SET reported = greatest(p.reported, excluded.reported), seen_at = excluded.seen_at,
                   settled = greatest(p.settled, excluded.settled),
                   accounted = ${addAccounted}`,
    [
      producer,
      projects,
      projects.map((project) => byProject.get(project) ?? 0),
      projects.map((project) => settled.get(project)?.settled ?? 0),
      projects.map((project) => multirange(settled.get(project)?.voids ?? [])),
    ],
  );
}

/** A killed gateway reported too little, and a lost chunk never arrived. So the larger number was accepted. */
export async function readAccepted(db: Queryable): Promise<Map<string, number>> {
  const rows = await db.query<{ project: string; accepted: string }>(
    'SELECT project, sum(greatest(reported, arrived)) AS accepted FROM delivery.producers GROUP BY project',
  );
  return new Map(rows.map((row) => [row.project, Number(row.accepted)]));
}

export async function readTotals(db: Queryable): Promise<Map<string, ProjectTotals>> {
  const rows = await db.query<{ project: string; stored: string; deduplicated: string; dead: string }>(
    'SELECT project, stored, deduplicated, dead FROM delivery.totals',
  );
  return new Map(
    rows.map(({ project, stored, deduplicated, dead }) => [
      project,
      { stored: Number(stored), deduplicated: Number(deduplicated), dead: Number(dead) },
    ]),
  );
}
