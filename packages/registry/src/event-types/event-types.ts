import { objectNotFound, systemError } from '@tickrate/contract';
import { milliseconds, type Queryable } from '@tickrate/postgres';
import type { VersionStatus } from './event-type.ts';

export interface EventTypeRecord {
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdMs: number;
  /** The reason why the view of the type could not be created. Null if there is none. */
  readonly viewFault: string | null;
  /** All of them, oldest first. */
  readonly versions: readonly EventTypeVersionRecord[];
}

export interface EventTypeVersionRecord {
  readonly version: number;
  readonly status: VersionStatus;
  readonly declaration: Readonly<Record<string, unknown>>;
  /** SHA-256 of the canonical text: equal for equal declarations. */
  readonly fingerprint: string;
  readonly createdMs: number;
}

export interface EventTypePage {
  /** Types of this project. The default is all projects. */
  readonly projectId?: string;
  readonly name?: string;
  /** Only types that come after this one, in the order of the list. */
  readonly after?: { readonly projectId: string; readonly name: string };
  readonly limit?: number;
  /** Only types with each of these in their name, in any case. */
  readonly words?: readonly string[];
}

export interface StatusRequest {
  readonly projectId: string;
  readonly name: string;
  readonly version: number;
  readonly status: VersionStatus;
  /** The status that the change is based on. If the stored status differs, the call throws 3004. */
  readonly from?: VersionStatus | undefined;
}

const selectTypes = `
SELECT t.project_id AS "projectId", t.name, t.description, ${milliseconds('t.created')} AS "createdMs",
       (SELECT f.reason FROM registry.view_faults f
         WHERE f.project_id = t.project_id AND f.name = t.name) AS "viewFault",
       (SELECT coalesce(json_agg(json_build_object(
            'version', v.version, 'status', v.status, 'declaration', v.declaration,
            'fingerprint', encode(v.fingerprint, 'hex'),
            'createdMs', (extract(epoch FROM v.created) * 1000)::bigint) ORDER BY v.version), '[]')
          FROM registry.event_type_versions v WHERE v.project_id = t.project_id AND v.name = t.name) AS versions
  FROM registry.event_types t
 WHERE ($1::text IS NULL OR t.project_id = $1) AND ($2::text IS NULL OR t.name = $2)
   AND ($3::text IS NULL OR (t.project_id, t.name) > ($3, $4))
   AND NOT EXISTS (SELECT FROM unnest($6::text[]) AS w (word) WHERE strpos(lower(t.name), lower(w.word)) = 0)
 ORDER BY t.project_id, t.name LIMIT $5`;

/** Ordered by project and name. */
export function listEventTypes(
  db: Queryable,
  { projectId, name, after, limit, words }: EventTypePage,
): Promise<EventTypeRecord[]> {
  return db.query<EventTypeRecord>(selectTypes, [
    projectId ?? null,
    name ?? null,
    after?.projectId ?? null,
    after?.name ?? null,
    limit ?? null,
    words ?? [],
  ]);
}

/** Throws 3001. */
export async function findEventType(
  db: Queryable,
  projectId: string,
  name: string,
): Promise<EventTypeRecord> {
  const [found] = await listEventTypes(db, { projectId, name });
  if (found === undefined || found.versions.length === 0) throw objectNotFound('eventType', name);
  return found;
}

/** Any status can follow any other. The declaration of a version never changes; only whether it is accepted. */
export async function setVersionStatus(
  db: Queryable,
  { projectId, name, version, status, from }: StatusRequest,
): Promise<void> {
  const place = [projectId, name, version];
  const changed = await db.query(
    `UPDATE registry.event_type_versions SET status = $4
      WHERE project_id = $1 AND name = $2 AND version = $3 AND ($5::text IS NULL OR status = $5) RETURNING version`,
    [...place, status, from ?? null],
  );
  if (changed.length > 0) return;
  const found = await db.query(
    'SELECT status FROM registry.event_type_versions WHERE project_id = $1 AND name = $2 AND version = $3',
    place,
  );
  if (found.length > 0) throw systemError('objectChanged');
  throw objectNotFound('eventTypeVersion', `${name}/${version}`);
}

/** The number of event types of the project without a view of their newest version. */
export async function countViewFaults(db: Queryable, projectId: string): Promise<number> {
  const sql = 'SELECT count(*)::int AS count FROM registry.view_faults WHERE project_id = $1';
  const [row] = await db.query<{ count: number }>(sql, [projectId]);
  return row?.count ?? 0;
}

/** Names of the types whose view ClickHouse refuses, at most 20. */
export async function listViewFaults(db: Queryable, projectId: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(
    'SELECT name FROM registry.view_faults WHERE project_id = $1 ORDER BY name LIMIT 20',
    [projectId],
  );
  return rows.map(({ name }) => name);
}
