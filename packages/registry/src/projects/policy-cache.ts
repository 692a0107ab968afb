import { policyFault, type QuotasPolicy, type RatesPolicy } from '@tickrate/contract';
import { RecentMap } from '@tickrate/platform';
import type { Queryable } from '@tickrate/postgres';
import { LookupCache } from '../caches/lookup-cache.ts';

/** The settings of one project that override the defaults. */
export interface ProjectPolicies {
  readonly rates: RatesPolicy;
  readonly quotas: QuotasPolicy;
}

export interface PolicyCache {
  /** Synchronous if known. Never rejects. */
  get(projectId: string): ProjectPolicies | Promise<ProjectPolicies>;
  invalidate(projectId: string): void;
  clear(): void;
}

export interface PolicyCacheOptions {
  readonly db: Queryable;
  readonly trusted: () => boolean;
  readonly onFault: (error: unknown) => void;
}

interface PolicyRow {
  readonly project_id: string;
  readonly name: string;
  readonly value: unknown;
}

const maxProjects = 20_000;
const nothingSet: ProjectPolicies = { rates: {}, quotas: {} };

/** The policies in the registry. A policy that is invalid or cannot be read never causes the loss of an event. */
export function createPolicyCache({ db, trusted, onFault }: PolicyCacheOptions): PolicyCache {
  const good = new RecentMap<string, ProjectPolicies>(maxProjects);
  const cache = new LookupCache<ProjectPolicies>({
    load,
    trusted,
    maxPresent: maxProjects,
    maxAbsent: maxProjects,
  });

  async function load(projectIds: readonly string[]): Promise<ReadonlyMap<string, ProjectPolicies>> {
    const rows = await db.query<PolicyRow>(
      'SELECT project_id, name, value FROM registry.policies WHERE project_id = ANY ($1) AND name = ANY ($2)',
      [projectIds, Object.keys(nothingSet)],
    );
    const groups = Map.groupBy(rows, (row) => row.project_id);
    return new Map([...groups].map(([projectId, stored]) => [projectId, readPolicies(projectId, stored)]));
  }

  function readPolicies(projectId: string, rows: readonly PolicyRow[]): ProjectPolicies {
    const lastGood = good.get(projectId) ?? nothingSet;
    const read: Record<keyof ProjectPolicies, unknown> = { ...nothingSet };
    for (const { name, value } of rows) {
      if (!isCached(name)) continue;
      const fault = policyFault(name, value);
      read[name] = fault === null ? value : lastGood[name];
      if (fault !== null)
        onFault(
          new Error(`The policy ${name} of ${projectId} is not in force: ${fault.place} ${fault.message}`),
        );
    }
    const policies = read as ProjectPolicies;
    good.set(projectId, policies);
    return policies;
  }

  return {
    get(projectId) {
      const found = cache.get(projectId);
      if (!(found instanceof Promise)) return found ?? nothingSet;
      return found.then(
        (policies) => policies ?? nothingSet,
        (error: unknown) => {
          onFault(error);
          return good.get(projectId) ?? nothingSet;
        },
      );
    },
    invalidate: (projectId) => cache.invalidate(projectId),
    clear: () => cache.clear(),
  };
}

function isCached(name: string): name is keyof ProjectPolicies {
  return Object.hasOwn(nothingSet, name);
}
