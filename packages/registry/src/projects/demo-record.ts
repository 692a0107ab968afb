import type { Queryable } from '@tickrate/postgres';

/** The project of the simulated game. */
export interface DemoRecord {
  readonly projectId: string;
  readonly startedMs: number;
  /** Null until all past events were sent. */
  readonly arrivedMs: number | null;
}

interface Deps {
  readonly db: Queryable;
  readonly now: () => number;
}

interface Row {
  readonly project_id: string;
  readonly started: Date;
  readonly arrived: Date | null;
}

export async function findDemo({ db }: Pick<Deps, 'db'>): Promise<DemoRecord | null> {
  const [row] = await db.query<Row>('SELECT project_id, started, arrived FROM registry.demo');
  if (row === undefined) return null;
  const arrivedMs = row.arrived?.getTime() ?? null;
  return { projectId: row.project_id, startedMs: row.started.getTime(), arrivedMs };
}

/** False if there is a demo already. Then nothing was written. */
export async function beginDemo({ db, now }: Deps, projectId: string): Promise<boolean> {
  const rows = await db.query(
    'INSERT INTO registry.demo (project_id, started) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING project_id',
    [projectId, new Date(now())],
  );
  return rows.length > 0;
}

export async function endDemoArrival({ db, now }: Deps): Promise<void> {
  await db.query('UPDATE registry.demo SET arrived = $1', [new Date(now())]);
}
