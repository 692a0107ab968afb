import { builtInRoles, isPermitted, readRoles, scopesOfRole } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import { nameOfKey, withdrawInvitationsOf } from './invitations.ts';
import { type Administrator, findRole } from './roles.ts';

export interface RolePolicies {
  policies(projectId: string): Promise<ReadonlyMap<string, object>>;
}

/** The built-in roles, then the project's own in the order of their names. */
export async function rolesOfProject(registry: RolePolicies, projectId: string) {
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

/** What a member made in a project and what outlives the membership: the registry in the transaction of the change. */
export interface MadeByMember extends RolePolicies {
  limitKeysMadeBy(
    limit: Administrator & { readonly scopes: readonly string[] },
  ): Promise<readonly LimitedKey[]>;
  endSharesOf(maker: Administrator): Promise<void>;
}

interface LimitedKey {
  readonly id: string;
  readonly projectId: string;
  readonly scopes: readonly string[];
}

/**
 * After a change of a role, in its transaction: what the member made may do no more than the member may now. Its keys
 * lose scopes, invitations end that it could no longer send, and so do links that it could no longer make.
 */
export async function limitRights(
  tx: Queryable,
  made: MadeByMember,
  { projectId, accountId }: Administrator,
): Promise<void> {
  // An edit of the project's roles comes before or after, not meanwhile.
  await tx.query('SELECT FROM registry.projects WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
  const role = await findRole(tx, { accountId, projectId });
  const scopes = (role === null ? null : await scopesInProject(made, projectId, role)) ?? [];
  const keys = await made.limitKeysMadeBy({ projectId, accountId, scopes });
  const keptRoles = await rolesToGive(made, projectId, scopes);
  await withdrawInvitationsOf(tx, [accountId], { keptRoles, projectId });
  await limitInvitationsOfKeys(tx, made, keys);
  if (!isPermitted(scopes, 'queries:write')) await made.endSharesOf({ projectId, accountId });
}

/** Ends the open invitations of keys to roles that the keys may no longer give. */
export async function limitInvitationsOfKeys(
  tx: Queryable,
  registry: RolePolicies,
  keys: readonly LimitedKey[],
): Promise<void> {
  for (const { id, projectId, scopes } of keys)
    await withdrawInvitationsOf(tx, [nameOfKey(id)], {
      keptRoles: await rolesToGive(registry, projectId, scopes),
    });
}

/** The roles that a caller with these scopes may give to others. */
export async function rolesToGive(
  registry: RolePolicies,
  projectId: string,
  scopes: readonly string[],
): Promise<string[]> {
  if (!isPermitted(scopes, 'members:write')) return [];
  const roles = await rolesOfProject(registry, projectId);
  return roles
    .filter((role) => role.scopes.every((scope) => isPermitted(scopes, scope)))
    .map(({ name }) => name);
}
