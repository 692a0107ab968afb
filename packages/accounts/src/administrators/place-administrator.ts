import { scopeOfRole } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import { addMember } from './members.ts';
import { claimDefaultProject, holdRole, noteDefaultProject } from './roles.ts';

/** The project that a sign-in opens. `default`: the first project of an administrator, which is created now. */
export type ChosenProject = { readonly kind: 'default' } | { readonly kind: 'given'; readonly id: string };

export interface CreatedProject {
  readonly id: string;
  readonly name: string;
}

/** Creates a project with a first public key, in the transaction. */
export type CreateProject = (tx: Queryable, name: string, createdBy: string) => Promise<CreatedProject>;

/** The project of an administrator's session, and its permissions. */
export interface Place {
  readonly projectId: string;
  readonly scopes: readonly string[];
  readonly created: CreatedProject | null;
}

interface Placing {
  readonly accountId: string;
  readonly project: ChosenProject;
  readonly createProject: CreateProject;
  readonly nowMs: number;
}

/** Null if another request changed the role, or created the default project, meanwhile. */
export async function placeAdministrator(
  tx: Queryable,
  { accountId, project, createProject, nowMs }: Placing,
): Promise<Place | null> {
  if (project.kind === 'given') {
    const role = await holdRole(tx, { accountId, projectId: project.id });
    return role === null ? null : { projectId: project.id, scopes: [scopeOfRole(role)], created: null };
  }
  // Concurrent requests of the same account wait at this claim, and find the project when they decide again.
  if (!(await claimDefaultProject(tx, accountId))) return null;
  const created = await createProject(tx, 'My project', accountId);
  await addMember(tx, { accountId, projectId: created.id, role: 'owner', nowMs });
  await noteDefaultProject(tx, accountId, created.id);
  return { projectId: created.id, scopes: [scopeOfRole('owner')], created };
}
