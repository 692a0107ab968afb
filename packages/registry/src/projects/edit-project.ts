import { parameterMissing } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import { checkText } from '../store/check-text.ts';
import { recordVersion, requireVersion } from '../store/record-version.ts';
import { lockProject, type Project } from './projects.ts';

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
export async function editProject(tx: Queryable, edit: ProjectEdit): Promise<Project> {
  if (edit.name === '') throw parameterMissing('name');
  if (edit.name !== undefined) checkText('name', edit.name, 200);
  const current = await lockProject(tx, edit.projectId);
  requireVersion(projectVersion(current), edit.version);
  const edited = {
    ...current,
    name: edit.name ?? current.name,
    testMode: edit.testMode ?? current.testMode,
  };
  await tx.query('UPDATE registry.projects SET name = $2, test_mode = $3 WHERE id = $1', [
    edit.projectId,
    edited.name,
    edited.testMode,
  ]);
  return edited;
}
