import {
  type Database,
  findInvitationsOf,
  findRole,
  type Invitation,
  type Queryable,
  withdrawInvitationsOf,
} from '@tickrate/accounts';
import { commonScopes, isPermitted } from '@tickrate/contract';
import type { KeyRecord, Registry, Share } from '@tickrate/registry';
import { nameOfKey } from '../calls/caller.ts';
import { rolesOfProject, scopesInProject } from './roles-of-project.ts';

type Rights = Pick<Registry, 'inTransaction'>;

interface Maker {
  readonly projectId: string;
  readonly accountId: string;
}

/**
 * After a change of a role, in its transaction: what the member made may do no more than the member may now. Its keys
 * lose scopes, invitations end that it could no longer send, and so do links that it could no longer make.
 */
export async function limitRights(
  tx: Queryable,
  registry: Rights,
  { projectId, accountId }: Maker,
): Promise<void> {
  const inside = registry.inTransaction(tx);
  // An edit of the project's roles comes before or after, not meanwhile.
  await tx.query('SELECT FROM registry.projects WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
  const role = await findRole(tx, { accountId, projectId });
  const scopes = (role === null ? null : await scopesInProject(inside, projectId, role)) ?? [];
  const keys = await inside.limitKeysMadeBy({ projectId, accountId, scopes });
  const keptRoles = await rolesToGive(inside, projectId, scopes);
  await withdrawInvitationsOf(tx, [accountId], { keptRoles, projectId });
  await limitInvitationsOfKeys(tx, registry, keys);
  if (!isPermitted(scopes, 'queries:write')) await inside.endSharesOf({ projectId, accountId });
}

/** Ends the open invitations of keys to roles that the keys may no longer give. */
export async function limitInvitationsOfKeys(
  tx: Queryable,
  registry: Rights,
  keys: readonly KeyRecord[],
): Promise<void> {
  const inside = registry.inTransaction(tx);
  for (const { id, projectId, scopes } of keys)
    await withdrawInvitationsOf(tx, [nameOfKey(id)], {
      keptRoles: await rolesToGive(inside, projectId, scopes),
    });
}

async function rolesToGive(
  registry: Pick<Registry, 'policies'>,
  projectId: string,
  scopes: readonly string[],
): Promise<string[]> {
  if (!isPermitted(scopes, 'members:write')) return [];
  const roles = await rolesOfProject(registry, projectId);
  return roles
    .filter((role) => role.scopes.every((scope) => isPermitted(scopes, scope)))
    .map(({ name }) => name);
}

export interface Grants {
  readonly keys: (KeyRecord & { readonly loses: string[] })[];
  readonly invitations: (Invitation & { readonly ends: boolean })[];
  readonly shares: (Share & { readonly ends: boolean })[];
}

interface Asked extends Maker {
  /** The role that the member would get. Null for a removal. */
  readonly role: string | null;
  readonly nowMs: number;
}

/**
 * What a member made and what still works: keys, open invitations and links, also those of its keys. Each with what
 * `limitRights` would take from it.
 */
export async function findGrants(
  accounts: Database,
  registry: Rights,
  { nowMs, role, ...maker }: Asked,
): Promise<Grants> {
  const inside = registry.inTransaction(accounts);
  const made = await inside.keysMadeBy(maker);
  const keys = made.filter(
    ({ revokedMs, expiresMs }) => revokedMs === null && (expiresMs ?? Number.POSITIVE_INFINITY) > nowMs,
  );
  const keyIds = made.map(({ id }) => id);
  const invitedBy = [maker.accountId, ...keyIds.map(nameOfKey)];
  const invitations = await findInvitationsOf(accounts, { projectId: maker.projectId, invitedBy, nowMs });
  const shares = await inside.sharesOf({ ...maker, keyIds });
  const scopes = (role === null ? null : await scopesInProject(inside, maker.projectId, role)) ?? [];
  const kept = new Map([[maker.accountId, await rolesToGive(inside, maker.projectId, scopes)]]);
  for (const key of made) {
    const left = commonScopes(key.scopes, scopes);
    kept.set(nameOfKey(key.id), await rolesToGive(inside, maker.projectId, left));
  }
  return {
    keys: keys.map((key) => ({ ...key, loses: key.scopes.filter((scope) => !isPermitted(scopes, scope)) })),
    invitations: invitations.map((each) => ({
      ...each,
      ends: kept.get(each.invitedBy)?.includes(each.role) !== true,
    })),
    shares: shares.map((share) => ({ ...share, ends: !isPermitted(scopes, 'queries:write') })),
  };
}
