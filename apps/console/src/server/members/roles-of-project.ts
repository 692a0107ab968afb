import { builtInRoles, readRoles, scopesOfRole } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';

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
