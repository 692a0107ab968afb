import { parameterInvalid } from '@tickrate/contract';
import type { Registry } from '@tickrate/registry';
import { type Caller, requireAll } from '../calls/caller.ts';
import { scopesInProject } from './roles-of-project.ts';

/** Throws 1003 unless the project has the role, and 2006 when it may do more than who gives it. */
export async function requireRole(
  registry: Pick<Registry, 'policies'>,
  caller: Caller,
  role: string,
): Promise<void> {
  const scopes = await scopesInProject(registry, caller.projectId, role);
  if (scopes === null) throw parameterInvalid('role', 'no role of this project');
  requireAll(caller, scopes);
}
