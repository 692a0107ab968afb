import type { Queryable } from '@tickrate/postgres';
import type { Range } from '../../queue/chunks/ranges.ts';

/** The lost events of one project, as far as the ledger knows them. */
export interface ProjectLosses {
  /** Lost after the seal, or lost by processes that ended long ago. */
  readonly lost: number;
  /** Accepted events that have not arrived, by the process that accepted them. They wait in the queue or are lost. */
  readonly unarrived: ReadonlyMap<string, readonly Range[]>;
}

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

export async function readLosses(db: Queryable): Promise<Map<string, ProjectLosses>> {
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
