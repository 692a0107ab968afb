import { findProjectOwner, type Queryable } from '@tickrate/accounts';
import type { RegistryManagement } from '@tickrate/registry';

/**
 * Whose budget a project's queries count against: the account that owns it. Without one, the owner of the project whose
 * key made it, and so on up to the first project, so that a key gets no further budget with every project that it makes.
 */
export async function findQueryOwner(
  { accounts, registry }: { accounts: Queryable; registry: Pick<RegistryManagement, 'projectLineage'> },
  projectId: string,
): Promise<string> {
  const own = await findProjectOwner(accounts, projectId);
  if (own !== null) return own;
  const lineage = await registry.projectLineage(projectId);
  for (const maker of lineage.slice(1)) {
    const owner = await findProjectOwner(accounts, maker);
    if (owner !== null) return owner;
  }
  return lineage.at(-1) ?? projectId;
}
