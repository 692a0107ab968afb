import { createNamedId, parameterMissing, type RandomBytes, systemError } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import { checkText } from '../store/check-text.ts';

export interface Project {
  readonly id: string;
  readonly name: string;
  readonly testMode: boolean;
  readonly createdMs: number;
}

export interface ProjectRequest {
  /** 1 to 200 characters, not unique. */
  readonly name: string;
  readonly testMode?: boolean;
}

interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly test_mode: boolean;
  readonly created: Date;
}

const projectColumns = 'id, name, test_mode, created';

interface Deps {
  readonly db: Queryable;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

export async function createProject(deps: Deps, request: ProjectRequest): Promise<Project> {
  if (request.name === '') throw parameterMissing('name');
  checkText('name', request.name, 200);
  const [row] = await deps.db.query<ProjectRow>(
    `INSERT INTO registry.projects (id, name, test_mode, created) VALUES ($1, $2, $3, $4) RETURNING ${projectColumns}`,
    [createNamedId('p', deps.randomBytes), request.name, request.testMode ?? false, new Date(deps.now())],
  );
  return projectOf(row);
}

export async function listProjects({ db }: Pick<Deps, 'db'>): Promise<Project[]> {
  const rows = await db.query<ProjectRow>(
    `SELECT ${projectColumns} FROM registry.projects ORDER BY created, id`,
  );
  return rows.map(projectOf);
}

/** Null if it does not exist. */
export async function findProject(db: Queryable, projectId: string): Promise<Project | null> {
  const [row] = await db.query<ProjectRow>(`SELECT ${projectColumns} FROM registry.projects WHERE id = $1`, [
    projectId,
  ]);
  return row ? projectOf(row) : null;
}

/** Waits for other edits of the project and its policies. Throws 3001. */
export async function lockProject(tx: Queryable, projectId: string): Promise<Project> {
  const [row] = await tx.query<ProjectRow>(
    `SELECT ${projectColumns} FROM registry.projects WHERE id = $1 FOR NO KEY UPDATE`,
    [projectId],
  );
  if (!row) throw projectNotFound(projectId);
  return projectOf(row);
}

export function projectNotFound(projectId: string): Error {
  return systemError('objectNotFound', { objectType: 'project', invalidIdentifier: projectId });
}

function projectOf(row: ProjectRow | undefined): Project {
  if (row === undefined) throw new Error('PostgreSQL returned no project');
  return { id: row.id, name: row.name, testMode: row.test_mode, createdMs: row.created.getTime() };
}

/**
 * The project, the project whose key created it, the project whose key created that one, and so on. Only the project if an
 * account created it. The first key of a project is created with it and is never deleted.
 */
export async function projectLineage(db: Queryable, projectId: string): Promise<readonly string[]> {
  const [row] = await db.query<{ path: string[] }>(selectLineage, [projectId]);
  return row?.path ?? [projectId];
}

const selectLineage = `
WITH RECURSIVE lineage AS (
  SELECT $1::text COLLATE "C" AS project_id, ARRAY[$1::text COLLATE "C"] AS path
  UNION ALL
  SELECT maker.project_id, lineage.path || maker.project_id
  FROM lineage
  CROSS JOIN LATERAL (
    SELECT parent_id FROM registry.keys WHERE project_id = lineage.project_id ORDER BY created, id LIMIT 1
  ) AS first
  JOIN registry.keys AS maker ON maker.id = first.parent_id
  WHERE maker.project_id <> ALL (lineage.path)
)
SELECT path FROM lineage ORDER BY cardinality(path) DESC LIMIT 1`;

/**
 * Deletes a project with its keys, event types, policies, saved records and audit trail, and the session keys in it. Call
 * it in a transaction. Every process refuses the keys within a second.
 */
export async function deleteProject(tx: Queryable, projectId: string): Promise<void> {
  const ofKeys = 'key_id IN (SELECT id FROM registry.keys WHERE project_id = $1)';
  await tx.query(`DELETE FROM registry.console_key WHERE ${ofKeys}`, [projectId]);
  for (const table of tables)
    await tx.query(`DELETE FROM registry.${table} WHERE project_id = $1`, [projectId]);
  await tx.query('DELETE FROM registry.projects WHERE id = $1', [projectId]);
}

/** Tables that refer to others come first. */
const tables = [
  'demo',
  'view_faults',
  'event_type_versions',
  'event_types',
  'policies',
  'session_keys',
  'acts',
  'saved',
  'keys',
];
