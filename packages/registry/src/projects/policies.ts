import { isPolicyName, parameterInvalid, policyFault } from '@tickrate/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import { violatedConstraint } from '../store/database-fault.ts';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { checkProviders, NoSealer, resealed, type Sealer, sealProviders } from '../store/provider-secrets.ts';
import { findProject } from './edit-project.ts';
import { projectNotFound } from './projects.ts';

export interface PolicyRequest {
  readonly projectId: string;
  /** The name of the policy: `quotas`, `retention`, … The code that owns the name defines the schema of the value. */
  readonly name: string;
  readonly value: object;
}

interface Deps {
  readonly database: Kysely<RegistryDatabase> | Transaction<RegistryDatabase>;
  readonly now: () => number;
  readonly sealer: Sealer | null;
}

/** Replaces the project's policy of that name. Throws 1003 for an invalid value. */
export async function setPolicy({ database, now, sealer }: Deps, request: PolicyRequest): Promise<void> {
  const { projectId, name } = request;
  const fault = isPolicyName(name) ? policyFault(name, request.value) : null;
  if (fault !== null) throw parameterInvalid(name, fault);
  if (name === 'providers') await checkProvidersOf(database, request);
  const stored =
    name === 'providers' ? sealProviders(sealer, projectId, { ...request.value }) : request.value;
  const value = JSON.stringify(stored);
  const changed = new Date(now());
  await database
    .insertInto('registry.policies')
    .values({ project_id: projectId, name, value, changed })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet({ value, changed }))
    .execute()
    .catch((error: unknown) => {
      throw violatedConstraint(error, '23503') === null ? error : projectNotFound(projectId);
    });
}

async function checkProvidersOf(
  database: Deps['database'],
  { projectId, value }: PolicyRequest,
): Promise<void> {
  const project = await findProject(database, projectId);
  if (project === null) throw projectNotFound(projectId);
  checkProviders({ ...value }, project);
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
export async function resealProviders({ database, sealer }: Omit<Deps, 'now'>): Promise<Resealing> {
  if (sealer === null) throw new NoSealer();
  const rows = await database
    .selectFrom('registry.policies')
    .select(['project_id', sql<Record<string, unknown>>`value`.as('value')])
    .where('name', '=', 'providers')
    .execute();
  const lost: string[] = [];
  let sealed = 0;
  for (const { project_id: projectId, value } of rows) {
    const { anew, lost: isLost } = resealed(sealer, projectId, value);
    if (isLost) lost.push(projectId);
    if (anew === null) continue;
    const { numUpdatedRows } = await database
      .updateTable('registry.policies')
      .set({ value: JSON.stringify(anew) })
      .where('project_id', '=', projectId)
      .where('name', '=', 'providers')
      .where(sql<boolean>`value = ${JSON.stringify(value)}::jsonb`)
      .executeTakeFirst();
    sealed += Number(numUpdatedRows);
  }
  return { sealed, lost };
}

export async function readPolicies(
  { database }: Pick<Deps, 'database'>,
  projectId: string,
): Promise<ReadonlyMap<string, object>> {
  const rows = await database
    .selectFrom('registry.policies')
    .select(['name', sql<object>`value`.as('value')])
    .where('project_id', '=', projectId)
    .orderBy('name')
    .execute();
  return new Map(rows.map((row) => [row.name, row.value]));
}
