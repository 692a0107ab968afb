import type { Kysely } from 'kysely';
import type { RegistryDatabase } from '../store/database-schema.ts';

interface ViewOwner {
  readonly projectId: string;
  readonly name: string;
}

/** Why a type has no view of its newest version; null when it has one. The author of the declaration gets a notice. */
export async function recordViewFault(
  database: Kysely<RegistryDatabase>,
  { projectId, name }: ViewOwner,
  reason: string | null,
): Promise<void> {
  if (reason === null) {
    await database
      .deleteFrom('registry.view_faults')
      .where('project_id', '=', projectId)
      .where('name', '=', name)
      .execute();
    return;
  }
  await database
    .insertInto('registry.view_faults')
    .values({ project_id: projectId, name, reason })
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doUpdateSet({ reason }))
    .execute();
}
