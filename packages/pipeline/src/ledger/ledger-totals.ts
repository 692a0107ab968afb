import type { LedgerPool } from './ledger-pool.ts';

/** Running totals of one project, since the beginning. */
export interface ProjectTotals {
  readonly stored: number;
  readonly deduplicated: number;
  readonly dead: number;
}

export async function reportAccepted(
  pool: LedgerPool,
  producer: string,
  byProject: ReadonlyMap<string, number>,
): Promise<void> {
  if (byProject.size === 0) return;
  await pool.query(
    `INSERT INTO delivery.producers AS p (producer, project, reported, seen_at)
     SELECT $1, r.project, r.reported, clock_timestamp()
       FROM unnest($2::text[], $3::bigint[]) AS r(project, reported) ORDER BY r.project
     ON CONFLICT (producer, project)
     DO UPDATE SET reported = greatest(p.reported, excluded.reported), seen_at = excluded.seen_at`,
    [producer, [...byProject.keys()], [...byProject.values()]],
  );
}

/** A killed gateway reported too little, a lost chunk never arrived: the larger number is what was accepted. */
export async function readAccepted(pool: LedgerPool): Promise<Map<string, number>> {
  const { rows } = await pool.query<{ project: string; accepted: string }>(
    'SELECT project, sum(greatest(reported, arrived)) AS accepted FROM delivery.producers GROUP BY project',
  );
  return new Map(rows.map((row) => [row.project, Number(row.accepted)]));
}

export async function readTotals(pool: LedgerPool): Promise<Map<string, ProjectTotals>> {
  const { rows } = await pool.query<{ project: string; stored: string; deduplicated: string; dead: string }>(
    'SELECT project, stored, deduplicated, dead FROM delivery.totals',
  );
  return new Map(
    rows.map(({ project, stored, deduplicated, dead }) => [
      project,
      { stored: Number(stored), deduplicated: Number(deduplicated), dead: Number(dead) },
    ]),
  );
}
