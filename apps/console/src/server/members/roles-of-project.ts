import { builtInRoles, parameterInvalid, readRoles, scopesOfRole } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';
import { type Caller, requireAll } from '../calls/caller.ts';

export interface ProjectRole {
  readonly name: string;
  readonly builtIn: boolean;
  readonly scopes: readonly string[];
}

type RolePolicies = Pick<Registry, 'policies'>;

/** The built-in roles, then the project's own in the order of their names. */
export async function rolesOfProject(registry: RolePolicies, projectId: string): Promise<ProjectRole[]> {
  const own = [...readRoles(await registry.policies(projectId))].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    ...builtInRoles.map((name) => ({ name, builtIn: true, scopes: scopesOfRole(name) ?? [] })),
    ...own.map(([name, scopes]) => ({ name, builtIn: false, scopes })),
  ];
}

/** Null for a role that the project does not have or no longer has: it grants nothing. */
export async function scopesInProject(
  registry: RolePolicies,
  projectId: string,
  role: string,
): Promise<readonly string[] | null> {
  return scopesOfRole(role) ?? readRoles(await registry.policies(projectId)).get(role) ?? null;
}

/** Throws 1003 if the project does not have the role, and 2006 if it has more rights than the caller. */
export async function requireRole(
  registry: Pick<Registry, 'policies'>,
  caller: Caller,
  role: string,
): Promise<void> {
  const scopes = await scopesInProject(registry, caller.projectId, role);
  if (scopes === null) throw parameterInvalid('role', 'not a role of this project');
  requireAll(caller, scopes);
}
