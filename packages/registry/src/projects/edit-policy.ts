import type { Queryable } from '@tickrate/postgres';
import type { Sealer } from '../store/provider-secrets.ts';
import { recordVersion, requireVersion } from '../store/record-version.ts';
import { type PolicyRequest, readPolicies, setPolicy } from './policies.ts';
import { lockProject } from './projects.ts';

export interface PolicyEdit extends PolicyRequest {
  /** The version that `policyVersion` returned. */
  readonly version: string;
}

/** `value` is null for a policy that is not set. */
export function policyVersion(value: object | null): string {
  return recordVersion(value);
}

/** Edits of policies of one project run one at a time. */
export async function editPolicy(
  deps: {
    readonly db: Queryable;
    readonly now: () => number;
    readonly sealer: Sealer | null;
  },
  edit: PolicyEdit,
): Promise<void> {
  await lockProject(deps.db, edit.projectId);
  const policies = await readPolicies(deps, edit.projectId);
  requireVersion(policyVersion(policies.get(edit.name) ?? null), edit.version);
  await setPolicy(deps, edit);
}
