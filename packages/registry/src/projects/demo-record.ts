import { milliseconds } from '@tickrate/postgres';
import { returnedRow } from '../store/record-version.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';
import { createProject } from './projects.ts';

/** A link of the console, below its address. */
export interface TourStop {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly path: string;
}

/** What the process of the simulated game reports. */
export interface DemoProgress {
  readonly projectId: string;
  /** Past events. */
  readonly sent: number;
  readonly expected: number;
  /** Whether all past events were sent. */
  readonly hasArrived: boolean;
  readonly tour: readonly TourStop[];
}

/** The simulated game. There is at most one in an installation. */
export interface DemoRecord {
  /** Null while none is played. */
  readonly projectId: string | null;
  readonly startedMs: number | null;
  readonly arrivedMs: number | null;
  readonly sent: number;
  readonly expected: number;
  readonly tour: readonly TourStop[];
}

const columns = `project_id AS "projectId", ${milliseconds('started')} AS "startedMs",
  ${milliseconds('arrived')} AS "arrivedMs", sent, expected, tour`;
const mostSilenceMs = 150_000;
/** The channel on which the process of the game hears that one is to be played. */
export const demoChannel = 'tickrate_demo';

/** Null if no process plays it: none reported within two and a half minutes. */
export async function findDemo({ db, now }: RegistryDeps): Promise<DemoRecord | null> {
  const sql = `SELECT ${columns} FROM registry.demo WHERE seen > $1`;
  const [demo] = await db.query<DemoRecord>(sql, [new Date(now() - mostSilenceMs)]);
  return demo ?? null;
}

/** Its process calls this repeatedly: it is there, and got so far. Returns what it is to play. */
export async function keepDemo(
  { db, now }: RegistryDeps,
  progress: DemoProgress | null,
): Promise<DemoRecord> {
  const { projectId = null, sent = 0, expected = 0, hasArrived = false, tour = [] } = progress ?? {};
  const rows = await db.query<DemoRecord>(
    `INSERT INTO registry.demo AS d (seen) VALUES ($1)
     ON CONFLICT (only_row) DO UPDATE SET seen = $1,
       sent = CASE WHEN d.project_id = $2 THEN $3 ELSE d.sent END,
       expected = CASE WHEN d.project_id = $2 THEN $4 ELSE d.expected END,
       tour = CASE WHEN d.project_id = $2 THEN $5::jsonb ELSE d.tour END,
       arrived = CASE WHEN d.project_id = $2 AND $6 THEN COALESCE(d.arrived, $1) ELSE d.arrived END
     RETURNING ${columns}`,
    [new Date(now()), projectId, sent, expected, JSON.stringify(tour), hasArrived],
  );
  return returnedRow(rows);
}

/** Creates the project of the simulated game. Does nothing if it is there, or if no process plays it. */
export async function beginDemo(deps: RegistryDeps): Promise<void> {
  const { db, now } = deps;
  const [demo] = await db.query<DemoRecord>(`SELECT ${columns} FROM registry.demo FOR UPDATE`);
  if (demo === undefined || demo.projectId !== null) return;
  const { id } = await createProject(deps, { name: 'Ember Arena' });
  await db.query(
    "UPDATE registry.demo SET project_id = $1, started = $2, arrived = NULL, sent = 0, tour = '[]'",
    [id, new Date(now())],
  );
  await db.query('SELECT pg_notify($1, $2)', [demoChannel, '']);
}
