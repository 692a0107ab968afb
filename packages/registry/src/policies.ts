import { isPolicyName, parameterInvalid, policyFault } from '@tickrate/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import { violatedConstraint } from './database-fault.ts';
import type { RegistryDatabase } from './database-schema.ts';
import { projectNotFound } from './projects.ts';

export interface PolicyRequest {
  readonly projectId: string;
  /** What it governs: `quotas`, `retention`, … Whoever owns the name owns the shape of the value. */
  readonly name: string;
  readonly value: object;
}

interface Deps {
  readonly database: Kysely<RegistryDatabase> | Transaction<RegistryDatabase>;
  readonly now: () => number;
}

/** Replaces the project's policy of that name. Throws 1003 when the contract gives it another shape. */
export async function setPolicy({ database, now }: Deps, request: PolicyRequest): Promise<void> {
  const fault = isPolicyName(request.name) ? policyFault(request.name, request.value) : null;
  if (fault !== null) throw parameterInvalid(request.name, fault);
  const value = JSON.stringify(request.value);
  const changed = new Date(now());
  await database
    .insertInto('registry.policies')
    .values({ project_id: request.projectId, name: request.name, value, changed })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet({ value, changed }))
    .execute()
    .catch((error: unknown) => {
      throw violatedConstraint(error, '23503') === null ? error : projectNotFound(request.projectId);
    });
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
