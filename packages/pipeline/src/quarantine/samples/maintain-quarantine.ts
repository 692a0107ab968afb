import type { Queryable } from '@tickrate/postgres';

/** How many rejected events are kept. Dead letters are kept until somebody replays or purges them. */
export interface QuarantineLimits {
  /** The newest of each type and reason of a project. */
  readonly events: number;
  /** Of each project. */
  readonly bytes: number;
  readonly ageMs: number;
}

export const defaultQuarantineLimits: QuarantineLimits = {
  events: 1_000,
  bytes: 64 * 1024 * 1024,
  ageMs: 7 * 24 * 60 * 60_000,
};

const deletedAtATime = 2_000;
const mostSteps = 50;

/** Deletes in small steps that delay nobody, and leaves the rest to the next call. */
export async function maintainQuarantine(db: Queryable, limits: QuarantineLimits): Promise<void> {
  const values = [limits.events, limits.bytes, limits.ageMs, deletedAtATime];
  for (let step = 0; step < mostSteps; step += 1) {
    const rows = await db.query<{ deleted: number }>(
      'SELECT delivery.trim_rejected($1, $2, make_interval(secs => $3::float8 / 1000), $4) AS deleted',
      values,
    );
    if ((rows[0]?.deleted ?? 0) < deletedAtATime) break;
  }
  for (const forgotten of forgetting) await db.query(forgotten, [deletedAtATime]);
}

/** The time at which the oldest unfinished replay began: until then, its chunk must be recognised. */
export async function oldestReplayMs(db: Queryable): Promise<number | null> {
  const rows = await db.query<{ ms: number | null }>(
    'SELECT (extract(epoch FROM min(staged_at)) * 1000)::float8 AS ms FROM delivery.replays',
  );
  return rows[0]?.ms ?? null;
}

const forgetting = [
  `DELETE FROM delivery.dead_letters WHERE id IN (
     SELECT id FROM delivery.dead_letters WHERE replay IS NOT NULL AND replayed_at < now() - interval '7 days'
      LIMIT $1)`,
  `DELETE FROM delivery.rejections WHERE (project, type, version, reason) IN (
     SELECT project, type, version, reason FROM delivery.rejections WHERE last_at < now() - interval '30 days' LIMIT $1)`,
  `DELETE FROM delivery.rejection_flushes WHERE producer IN (
     SELECT producer FROM delivery.rejection_flushes WHERE at < now() - interval '7 days' LIMIT $1)`,
  `DELETE FROM delivery.rejection_buckets WHERE ctid IN (
     SELECT ctid FROM delivery.rejection_buckets WHERE at < now() - interval '14 days' LIMIT $1)`,
];
