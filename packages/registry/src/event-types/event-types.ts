import { systemError } from '@tickrate/contract';
import { type Kysely, sql } from 'kysely';
import type { RegistryDatabase, VersionStatus } from '../store/database-schema.ts';

export interface EventTypeRecord {
  readonly projectId: string;
  readonly name: string;
  readonly description: string | null;
  readonly createdMs: number;
  /** Why the view of the type could not be made; null when that is not known of it. */
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
  /** Only this type. */
  readonly name?: string;
  /** Only types that come after this one, in the order of the list. */
  readonly after?: { readonly projectId: string; readonly name: string };
  readonly limit?: number;
}

export interface StatusRequest {
  readonly projectId: string;
  readonly name: string;
  readonly version: number;
  readonly status: VersionStatus;
  /** The status that the change is based on. If the stored status differs, the call throws 3004. */
  readonly from?: VersionStatus | undefined;
}

interface VersionRow {
  readonly version: number;
  readonly status: VersionStatus;
  readonly declaration: Record<string, unknown>;
  readonly fingerprint: string;
  readonly created_ms: number;
}

const versionsOfType = sql<VersionRow[]>`
  (SELECT coalesce(json_agg(json_build_object(
      'version', v.version, 'status', v.status, 'declaration', v.declaration,
      'fingerprint', encode(v.fingerprint, 'hex'),
      'created_ms', (extract(epoch FROM v.created) * 1000)::bigint) ORDER BY v.version), '[]')
   FROM registry.event_type_versions v WHERE v.project_id = t.project_id AND v.name = t.name)`;

const viewFaultOfType = sql<string | null>`
  (SELECT f.reason FROM registry.view_faults f WHERE f.project_id = t.project_id AND f.name = t.name)`;

/** Ordered by project and name. */
export async function listEventTypes(
  database: Kysely<RegistryDatabase>,
  { projectId, name, after, limit }: EventTypePage,
): Promise<EventTypeRecord[]> {
  const rows = await database
    .selectFrom('registry.event_types as t')
    .select(['t.project_id', 't.name', 't.description', 't.created'])
    .select([versionsOfType.as('versions'), viewFaultOfType.as('view_fault')])
    .$if(projectId !== undefined, (query) => query.where('t.project_id', '=', projectId ?? ''))
    .$if(name !== undefined, (query) => query.where('t.name', '=', name ?? ''))
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(t.project_id, t.name) > (${after?.projectId}, ${after?.name})`),
    )
    .orderBy('t.project_id')
    .orderBy('t.name')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
  return rows.map((row) => ({
    projectId: row.project_id,
    name: row.name,
    description: row.description,
    createdMs: row.created.getTime(),
    viewFault: row.view_fault,
    versions: row.versions.map(versionOf),
  }));
}

/** Any status can follow any other. The declaration of a version never changes; only whether it is accepted. */
export async function setVersionStatus(
  database: Kysely<RegistryDatabase>,
  { projectId, name, version, status, from }: StatusRequest,
): Promise<void> {
  const ofVersion = { project_id: projectId, name, version };
  const { numUpdatedRows } = await database
    .updateTable('registry.event_type_versions')
    .set({ status })
    .where((where) => where.and(ofVersion))
    .$if(from !== undefined, (query) => query.where('status', '=', from ?? status))
    .executeTakeFirst();
  if (numUpdatedRows > 0n) return;
  const found = await database
    .selectFrom('registry.event_type_versions')
    .select('status')
    .where((where) => where.and(ofVersion))
    .executeTakeFirst();
  if (found) throw systemError('objectChanged');
  throw systemError('objectNotFound', {
    objectType: 'eventTypeVersion',
    invalidIdentifier: `${name}/${version}`,
  });
}

function versionOf(row: VersionRow): EventTypeVersionRecord {
  return {
    version: row.version,
    status: row.status,
    declaration: row.declaration,
    fingerprint: row.fingerprint,
    createdMs: row.created_ms,
  };
}
