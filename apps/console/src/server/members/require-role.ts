import { scopesInProject } from '@tickrate/accounts';
import { parameterInvalid } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';
import { type Caller, requireAll } from '../calls/caller.ts';

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
