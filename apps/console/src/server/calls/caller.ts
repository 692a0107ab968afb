import { holdRole, nameOfKey, type Queryable, scopesInProject } from '@tickrate/accounts';
import { isPermitted, parameterInvalid, systemError } from '@tickrate/contract';
import type { Principal, Registry } from '@tickrate/registry';

/** The caller: an administrative key, or the session of an administrator. It can access only its project. */
export interface Caller {
  readonly principal: Principal;
  readonly kind: 'administrative' | 'session';
  readonly projectId: string;
  readonly accountId: string | null;
  /** Whose budget its queries use. The default is the owner of the project. */
  readonly queryOwner?: string;
  /** Its permissions, with the scopes of its role. */
  readonly scopes: readonly string[];
}

/** How the audit trail names the caller: `key 019a…` or the id of an account. */
export function nameOf({ accountId, principal }: Caller): string {
  return accountId ?? nameOfKey(principal.keyId);
}

/** The key of the call, which bounds the keys that it creates. Null for a person. */
export function makerOf({ kind, principal }: Caller): string | null {
  return kind === 'administrative' ? principal.keyId : null;
}

/** Roles do not expire: throws 2005 for a key that expires or is bound to origins. */
export function requireLasting({ kind, principal }: Caller): void {
  if (kind !== 'administrative') return;
  if (principal.expiresMs !== null || principal.origins !== null) throw systemError('notPermitted');
}

/** Throws 2006 if the caller does not have the scope. */
export function requireScope({ scopes }: Caller, needed: string): void {
  if (!isPermitted(scopes, needed)) throw systemError('apiKeyScopeMissing', { parameterName: needed });
}

/** Throws 2006 if the caller grants scopes that it does not have. */
export function requireAll(caller: Caller, granted: readonly string[]): void {
  for (const scope of granted) requireScope(caller, scope);
}

/** Throws 1003 if the project does not have the role, and 2006 if it has more rights than the caller. */
export async function requireRole(registry: Registry, caller: Caller, role: string): Promise<void> {
  const scopes = await scopesInProject(registry, caller.projectId, role);
  if (scopes === null) throw parameterInvalid('role', 'not a role of this project');
  requireAll(caller, scopes);
}

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
