import {
  createNamedId,
  objectNotFound,
  parameterInvalid,
  parameterMissing,
  systemError,
} from '@tickrate/contract';
import { milliseconds, type Queryable } from '@tickrate/postgres';
import { checkText, recordVersion, requireVersion, returnedRow } from '../store/record-version.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';

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

const projectColumns = `id, name, test_mode AS "testMode", ${milliseconds('created')} AS "createdMs"`;

export async function createProject(deps: RegistryDeps, request: ProjectRequest): Promise<Project> {
  if (request.name === '') throw parameterMissing('name');
  checkText('name', request.name, 200);
  const rows = await deps.db.query<Project>(
    `INSERT INTO registry.projects (id, name, test_mode, created) VALUES ($1, $2, $3, $4) RETURNING ${projectColumns}`,
    [createNamedId('p', deps.randomBytes), request.name, request.testMode ?? false, new Date(deps.now())],
  );
  return returnedRow(rows);
}

export function listProjects(db: Queryable): Promise<Project[]> {
  return db.query<Project>(
    `SELECT ${projectColumns} FROM registry.projects WHERE deleted IS NULL ORDER BY created, id`,
  );
}

/** Null if it does not exist. */
export async function findProject(db: Queryable, projectId: string): Promise<Project | null> {
  const [project] = await db.query<Project>(
    `SELECT ${projectColumns} FROM registry.projects WHERE id = $1 AND deleted IS NULL`,
    [projectId],
  );
  return project ?? null;
}

/** Waits for other edits of the project and its policies. Throws 3001. */
export async function lockProject(tx: Queryable, projectId: string): Promise<Project> {
  const [project] = await tx.query<Project>(
    `SELECT ${projectColumns} FROM registry.projects WHERE id = $1 AND deleted IS NULL FOR NO KEY UPDATE`,
    [projectId],
  );
  if (!project) throw objectNotFound('project', projectId);
  return project;
}

export interface ProjectEdit {
  readonly projectId: string;
  /** The version that `projectVersion` returned. */
  readonly version: string;
  readonly name?: string | undefined;
  readonly testMode?: boolean | undefined;
}

export function projectVersion({ name, testMode }: Pick<Project, 'name' | 'testMode'>): string {
  return recordVersion({ name, testMode });
}

/** Throws 3001 and 3004. */
export async function editProject({ db }: RegistryDeps, edit: ProjectEdit): Promise<Project> {
  if (edit.name === '') throw parameterMissing('name');
  if (edit.name !== undefined) checkText('name', edit.name, 200);
  const current = await lockProject(db, edit.projectId);
  requireVersion(projectVersion(current), edit.version);
  const edited = {
    ...current,
    name: edit.name ?? current.name,
    testMode: edit.testMode ?? current.testMode,
  };
  await db.query('UPDATE registry.projects SET name = $2, test_mode = $3 WHERE id = $1', [
    edit.projectId,
    edited.name,
    edited.testMode,
  ]);
  return edited;
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

export interface ProjectEnd {
  readonly projectId: string;
  /** As a person typed it. */
  readonly name: string;
}

/**
 * From its commit, no call finds the project, and every process refuses its keys within a second. The rows go by
 * `projectRemoval`. Throws 3001, 1003 for another name, and 3002 for the last project, without which nobody can sign in.
 */
export async function endProject({ db, now }: RegistryDeps, { projectId, name }: ProjectEnd): Promise<void> {
  await db.query('SELECT pg_advisory_xact_lock(4772905318245)');
  const project = await lockProject(db, projectId);
  if (name !== project.name) {
    throw parameterInvalid('name', '/name: is not the name of the project');
  }
  const others = await db.query('SELECT FROM registry.projects WHERE id <> $1 AND deleted IS NULL LIMIT 1', [
    projectId,
  ]);
  if (others.length === 0) throw systemError('objectNotEditable', { objectNotEditableReason: 'lastProject' });
  await db.query('UPDATE registry.projects SET deleted = $2 WHERE id = $1', [projectId, new Date(now())]);
  await db.query('UPDATE registry.demo SET project_id = NULL WHERE project_id = $1', [projectId]);
  await db.query('DELETE FROM registry.shares WHERE project_id = $1', [projectId]);
  const keys = 'SELECT id FROM registry.keys WHERE project_id = $1';
  await db.query(`DELETE FROM registry.console_key WHERE key_id IN (${keys})`, [projectId]);
  // Projects that its keys made stay.
  await db.query(`UPDATE registry.keys SET parent_id = NULL WHERE parent_id IN (${keys})`, [projectId]);
  await db.query('UPDATE registry.keys SET revoked = $2 WHERE project_id = $1 AND revoked IS NULL', [
    projectId,
    new Date(now()),
  ]);
}

/**
 * The rows of a project that ended, in the order of their removal: each statement deletes at most $2 rows in the project $1,
 * and returns a row for each. Its people come before.
 */
export const projectRemoval: readonly { readonly kind: string; readonly sql: string }[] = [
  ['viewFaults', 'view_faults'],
  ['eventTypeVersions', 'event_type_versions'],
  ['eventTypes', 'event_types'],
  ['policies', 'policies'],
  ['auditEntries', 'acts'],
  ['dashboardsAndQueries', 'saved'],
  ['keys', 'keys'],
  ['projects', 'projects'],
].map(([kind = '', table = '']) => {
  const column = table === 'projects' ? 'id' : 'project_id';
  return {
    kind,
    sql: `DELETE FROM registry.${table} WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM registry.${table} WHERE ${column} = $1 LIMIT $2)) RETURNING ${column}`,
  };
});
