import type { Queryable } from '@tickrate/accounts';
import type { RequestContext } from '@tickrate/platform';
import type { RegistryManagement } from '@tickrate/registry';
import type { Analyses, AnalysisResult } from '@tickrate/warehouse';
import type { Caller } from '../calls/caller.ts';
import type { PersonalRegistry } from '../event-types/personal-members.ts';
import { refusalOf, signalOf } from '../queries/query-outcome.ts';
import { findQueryOwner } from '../queries/query-owner.ts';

export interface AnalysisRouteDeps {
  readonly accounts: Queryable;
  readonly registry: PersonalRegistry & Pick<RegistryManagement, 'projectLineage'>;
  readonly warehouse: { readonly analyses: Analyses };
}

/** The project of the caller, the owner whose budget pays, and a signal for when the caller disconnects. */
export async function askerOf(
  { accounts, registry }: AnalysisRouteDeps,
  { projectId, queryOwner }: Caller,
  context: RequestContext,
) {
  const signal = signalOf(context);
  const owner = queryOwner ?? (await findQueryOwner({ accounts, registry }, projectId));
  return { projectId, owner, signal };
}

/** Throws the refusal of an analysis that did not run. */
export function rowsOf<Row>(result: AnalysisResult<Row>) {
  if (result.kind !== 'rows') throw refusalOf(result, 'to');
  return result;
}
