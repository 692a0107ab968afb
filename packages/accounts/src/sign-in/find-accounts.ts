import type { Accounts } from '../accounts.ts';
import { type AccountRow, findAccounts, findAddress } from '../people/accounts.ts';
import { foldAddress } from '../people/address.ts';
import { findOwners, type IdentityKey } from '../people/identities.ts';
import { inRealm } from '../store/in-realm.ts';

interface IdentityOwner {
  readonly accountId: string | null;
  /** Without an owner: the account that has proved the confirmed address. */
  readonly emailAccountId: string | null;
}

/** Of confirmed identities, in the order of the argument. `verifiedAddress`: the one that the platform confirms. */
export async function findIdentityOwners(
  { db }: Accounts,
  realm: string,
  asked: readonly { readonly key: IdentityKey; readonly verifiedAddress: string | null }[],
): Promise<IdentityOwner[]> {
  const people = inRealm(db, realm);
  const owners = await findOwners(
    people,
    asked.map(({ key }) => key),
  );
  return Promise.all(
    asked.map(async ({ verifiedAddress }, at) => {
      const accountId = owners[at] ?? null;
      if (accountId !== null || verifiedAddress === null) return { accountId, emailAccountId: null };
      const holder = await findAddress(people, foldAddress(verifiedAddress));
      return { accountId, emailAccountId: holder?.verified ? holder.id : null };
    }),
  );
}

export interface SignInAccount extends AccountRow {
  /** Granted in the project. */
  readonly roles: readonly string[];
}

/** `projectId` is null for a built-in role: those cannot be granted in a project. */
export async function findSignInAccounts(
  { db }: Accounts,
  realm: string,
  { ids, projectId }: { readonly ids: readonly string[]; readonly projectId: string | null },
): Promise<SignInAccount[]> {
  if (ids.length === 0) return [];
  const people = inRealm(db, realm);
  const rows = await findAccounts(people, ids);
  const granted =
    projectId === null
      ? []
      : await people.rows<{ account_id: string; role: string }>(
          `SELECT r.account_id, r.role FROM auth.roles r JOIN auth.accounts a ON a.id = r.account_id AND a.realm = $1
           WHERE r.account_id = ANY ($2) AND r.project_id = $3 ORDER BY r.role`,
          [ids, projectId],
        );
  const roles = Map.groupBy(granted, ({ account_id }) => account_id);
  return rows.map((row) => ({ ...row, roles: (roles.get(row.id) ?? []).map(({ role }) => role) }));
}
