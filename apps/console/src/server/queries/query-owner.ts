import { findProjectOwner } from '@tickrate/accounts';
import type { RequestContext } from '@tickrate/platform';
import type { ConsoleParts } from '../../parts.ts';
import type { Caller } from '../calls/caller.ts';
import { signalOf } from './query-outcome.ts';

/** The project of the caller, the owner whose budget pays, and a signal for when the caller disconnects. */
export async function askerOf(
  parts: ConsoleParts,
  { projectId, queryOwner }: Caller,
  context: RequestContext,
) {
  const signal = signalOf(context);
  return { projectId, owner: queryOwner ?? (await findQueryOwner(parts, projectId)), signal };
}

/**
 * Whose budget a project's queries count against: the account that owns it. Without one, the owner of the project whose
 * key made it, and so on up to the first project, so that a key gets no further budget with every project that it makes.
 */
export async function findQueryOwner(
  { accounts, registry }: Pick<ConsoleParts, 'accounts' | 'registry'>,
  projectId: string,
): Promise<string> {
  const own = await findProjectOwner(accounts, projectId);
  if (own !== null) return own;
  const lineage = await registry.projectLineage(projectId);
  for (const maker of lineage.slice(1)) {
    const owner = await findProjectOwner(accounts, maker);
    if (owner !== null) return owner;
  }
  return lineage.at(-1) ?? projectId;
}
