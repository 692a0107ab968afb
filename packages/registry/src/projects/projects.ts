import { createNamedId, parameterMissing, type RandomBytes, systemError } from '@tickrate/contract';
import type { Kysely, Selectable } from 'kysely';
import { checkText } from '../store/check-text.ts';
import type { RegistryDatabase } from '../store/database-schema.ts';

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

interface Deps {
  readonly database: Kysely<RegistryDatabase>;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
}

export async function createProject(deps: Deps, request: ProjectRequest): Promise<Project> {
  if (request.name === '') throw parameterMissing('name');
  checkText('name', request.name, 200);
  const row = await deps.database
    .insertInto('registry.projects')
    .values({
      id: createNamedId('p', deps.randomBytes),
      name: request.name,
      test_mode: request.testMode ?? false,
      created: new Date(deps.now()),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return projectOf(row);
}

export async function listProjects({ database }: Pick<Deps, 'database'>): Promise<Project[]> {
  const rows = await database
    .selectFrom('registry.projects')
    .selectAll()
    .orderBy('created')
    .orderBy('id')
    .execute();
  return rows.map(projectOf);
}

export function projectNotFound(projectId: string): Error {
  return systemError('objectNotFound', { objectType: 'project', invalidIdentifier: projectId });
}

export function projectOf(row: Selectable<RegistryDatabase['registry.projects']>): Project {
  return { id: row.id, name: row.name, testMode: row.test_mode, createdMs: row.created.getTime() };
}
