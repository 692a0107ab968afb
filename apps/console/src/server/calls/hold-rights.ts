import { holdRole, type Queryable, scopesInProject } from '@tickrate/accounts';
import type { Registry } from '@tickrate/registry';
import { type Caller, makerOf, requireAll } from './caller.ts';

/**
 * For a call that leaves something behind: what the caller may do now, which cannot change until the transaction ends. A
 * call is admitted with rights of up to a second ago, and what it leaves would outlive them. Throws 2002 or 2006.
 */
export async function holdRights(
  tx: Queryable,
  registry: Registry,
  { caller, needed }: { readonly caller: Caller; readonly needed: readonly string[] },
): Promise<void> {
  const { projectId, accountId } = caller;
  const inside = registry.inTransaction(tx);
  const role = accountId === null ? null : await holdRole(tx, { accountId, projectId });
  // Accounts, then the project, then keys: changes of members and roles lock in this order.
  await tx.query('SELECT FROM registry.projects WHERE id = $1 FOR NO KEY UPDATE', [projectId]);
  const makerId = makerOf(caller);
  if (makerId !== null) {
    const { scopes } = await inside.holdKey(makerId);
    return requireAll({ ...caller, scopes }, needed);
  }
  const scopes = role === null ? null : await scopesInProject(inside, projectId, role);
  requireAll({ ...caller, scopes: scopes ?? [] }, needed);
}
