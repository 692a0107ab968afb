import { isPolicyName, objectNotFound, policyFault, schemaRefusal } from '@tickrate/contract';
import { outcomeOf, type Queryable } from '@tickrate/postgres';
import { checkProviders, NoSealer, resealed, sealProviders } from '../store/provider-secrets.ts';
import { recordVersion, requireVersion } from '../store/record-version.ts';
import type { RegistryDeps } from '../store/registry-deps.ts';
import { findProject, lockProject } from './projects.ts';

export interface PolicyRequest {
  readonly projectId: string;
  /** The name of the policy: `quotas`, `retention`, … `policySchemas` has the schema of its value. */
  readonly name: string;
  readonly value: object;
}

/** Replaces the project's policy of that name. Throws 1003 for an invalid value. */
export async function setPolicy({ db, now, sealer }: RegistryDeps, request: PolicyRequest): Promise<void> {
  const { projectId, name } = request;
  // Stored secrets of providers are sealed, so their own check opens them first.
  if (name === 'providers') await checkProvidersOf(db, request);
  else checkPolicy(request);
  const stored =
    name === 'providers' ? sealProviders(sealer, projectId, { ...request.value }) : request.value;
  await db
    .query(
      `INSERT INTO registry.policies (project_id, name, value, changed) VALUES ($1, $2, $3, $4)
       ON CONFLICT (project_id, name) DO UPDATE SET value = excluded.value, changed = excluded.changed`,
      [projectId, name, JSON.stringify(stored), new Date(now())],
    )
    .catch((error: unknown) => {
      throw outcomeOf(error) === 'foreignKeyViolation' ? objectNotFound('project', projectId) : error;
    });
}

function checkPolicy({ name, value }: PolicyRequest): void {
  const fault = isPolicyName(name) ? policyFault(name, value) : null;
  if (fault !== null) throw schemaRefusal(fault, 'value');
}

async function checkProvidersOf(db: Queryable, { projectId, value }: PolicyRequest): Promise<void> {
  const project = await findProject(db, projectId);
  if (project === null) throw objectNotFound('project', projectId);
  checkProviders({ ...value }, project);
}

export interface PolicyEdit extends PolicyRequest {
  /** The version that `policyVersion` returned. */
  readonly version: string;
}

/** `value` is null for a policy that is not set. */
export function policyVersion(value: object | null): string {
  return recordVersion(value);
}

/** Edits of policies of one project run one at a time. */
export async function editPolicy(deps: RegistryDeps, edit: PolicyEdit): Promise<void> {
  await lockProject(deps.db, edit.projectId);
  const policies = await readPolicies(deps.db, edit.projectId);
  requireVersion(policyVersion(policies.get(edit.name) ?? null), edit.version);
  await setPolicy(deps, edit);
}

export interface Resealing {
  /** The number of policies that were sealed again. */
  readonly sealed: number;
  /** The projects whose secrets were sealed with an unknown key. */
  readonly lost: readonly string[];
}

/**
 * In all projects, seals secrets that are plain, or sealed with an earlier key, with the current key. Does not
 * overwrite concurrent changes.
 */
export async function resealProviders({ db, sealer }: RegistryDeps): Promise<Resealing> {
  if (sealer === null) throw new NoSealer();
  const rows = await db.query<{ project_id: string; value: Record<string, unknown> }>(
    "SELECT project_id, value FROM registry.policies WHERE name = 'providers'",
  );
  const lost: string[] = [];
  let sealed = 0;
  for (const { project_id: projectId, value } of rows) {
    const { anew, lost: isLost } = resealed(sealer, projectId, value);
    if (isLost) lost.push(projectId);
    if (anew === null) continue;
    const updated = await db.query(
      `UPDATE registry.policies SET value = $3
        WHERE project_id = $1 AND name = 'providers' AND value = $2::jsonb RETURNING project_id`,
      [projectId, JSON.stringify(value), JSON.stringify(anew)],
    );
    sealed += updated.length;
  }
  return { sealed, lost };
}

export async function readPolicies(db: Queryable, projectId: string): Promise<ReadonlyMap<string, object>> {
  const rows = await db.query<{ name: string; value: object }>(
    'SELECT name, value FROM registry.policies WHERE project_id = $1 ORDER BY name',
    [projectId],
  );
  return new Map(rows.map((row) => [row.name, row.value]));
}
