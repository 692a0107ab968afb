import {
  type Database,
  findInvitationsOf,
  type Invitation,
  nameOfKey,
  rolesToGive,
  scopesInProject,
} from '@tickrate/accounts';
import { commonScopes, isPermitted } from '@tickrate/contract';
import type { KeyRecord, Registry, Share } from '@tickrate/registry';

export interface Grants {
  readonly keys: (KeyRecord & { readonly loses: string[] })[];
  readonly invitations: (Invitation & { readonly ends: boolean })[];
  readonly shares: (Share & { readonly ends: boolean })[];
}

interface Asked {
  readonly projectId: string;
  readonly accountId: string;
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
  registry: Pick<Registry, 'inTransaction'>,
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
