import { isPermitted, systemError } from '@tickrate/contract';
import type { Principal } from '@tickrate/registry';

/** Who manages: an administrative key, or the session of an administrator. Everything it may touch is its project. */
export interface Caller {
  readonly principal: Principal;
  readonly kind: 'administrative' | 'session';
  readonly projectId: string;
  /** Of a session. */
  readonly accountId: string | null;
  /** What it may do, with a role spelled out. */
  readonly scopes: readonly string[];
}

/** How acts name who did them: `key 019a…` or the id of an account. */
export function nameOf({ accountId, principal }: Caller): string {
  return accountId ?? nameOfKey(principal.keyId);
}

export function nameOfKey(keyId: string): string {
  return `key ${keyId}`;
}

/** The key that the call is made with, and that bounds what it makes; null for a person. */
export function makerOf({ kind, principal }: Caller): string | null {
  return kind === 'administrative' ? principal.keyId : null;
}

/** People keep what they are given: throws 2005 for a key that ends, or that is bound to origins. */
export function requireLasting({ kind, principal }: Caller): void {
  if (kind !== 'administrative') return;
  if (principal.expiresMs !== null || principal.origins !== null) throw systemError('notPermitted');
}

/** Throws 2006 unless the caller may do that. */
export function requireScope({ scopes }: Caller, needed: string): void {
  if (!isPermitted(scopes, needed)) throw systemError('apiKeyScopeMissing', { parameterName: needed });
}

/** Nobody hands on what they do not have. Throws 2006. */
export function requireAll(caller: Caller, granted: readonly string[]): void {
  for (const scope of granted) requireScope(caller, scope);
}
