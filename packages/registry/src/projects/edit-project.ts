import { parameterMissing } from '@tickrate/contract';
import type { Kysely, Transaction } from 'kysely';
import { checkText } from '../store/check-text.ts';
import type { RegistryDatabase } from '../store/database-schema.ts';
import { recordVersion, requireVersion } from '../store/record-version.ts';
import { type Project, projectNotFound, projectOf } from './projects.ts';

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

export async function findProject(
  database: Kysely<RegistryDatabase>,
  projectId: string,
): Promise<Project | null> {
  const row = await database
    .selectFrom('registry.projects')
    .selectAll()
    .where('id', '=', projectId)
    .executeTakeFirst();
  return row ? projectOf(row) : null;
}

export async function editProject(
  database: Transaction<RegistryDatabase>,
  edit: ProjectEdit,
): Promise<Project> {
  if (edit.name === '') throw parameterMissing('name');
  if (edit.name !== undefined) checkText('name', edit.name, 200);
  const row = await database
    .selectFrom('registry.projects')
    .selectAll()
    .where('id', '=', edit.projectId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!row) throw projectNotFound(edit.projectId);
  const current = projectOf(row);
  requireVersion(projectVersion(current), edit.version);
  const edited = await database
    .updateTable('registry.projects')
    .set({ name: edit.name ?? current.name, test_mode: edit.testMode ?? current.testMode })
    .where('id', '=', edit.projectId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return projectOf(edited);
}
