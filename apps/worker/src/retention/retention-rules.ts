import { readRetention } from '@tickrate/contract';
import type { ExpiryRule } from '@tickrate/warehouse';

export interface RetainedProject {
  readonly projectId: string;
  /** Its policy `retention`; undefined without one. */
  readonly policy: unknown;
}

interface Times {
  readonly nowMs: number;
  /** The default for projects without a policy; null means forever. */
  readonly defaultDays: number | null;
}

const dayMs = 86_400_000;

/**
 * The expired events. Days end at midnight in UTC, so that the rules change once a day. An unreadable policy removes
 * nothing, because a removal cannot be undone.
 */
export function retentionRules(
  projects: readonly RetainedProject[],
  { nowMs, defaultDays }: Times,
): ExpiryRule[] {
  const midnightMs = Math.floor(nowMs / dayMs) * dayMs;
  const rules = projects.flatMap(({ projectId, policy }) => rulesOf(policy ?? {}, defaultDays, projectId));
  const alike = Map.groupBy(rules, ({ days, types }) => JSON.stringify([days, types]));
  return [...alike.values()].flatMap(([first, ...others]) => {
    if (first === undefined) return [];
    const projectIds = [first, ...others].map((rule) => rule.projectId);
    return [{ projectIds, types: first.types, receivedBeforeMs: midnightMs - first.days * dayMs }];
  });
}

function rulesOf(policy: unknown, defaultDays: number | null, projectId: string) {
  const retention = readRetention(policy, defaultDays);
  if (retention === null) return [];
  const { days, types } = retention;
  const except = [...types.keys()].sort();
  const own = [...types].flatMap(([type, daysOfType]) =>
    daysOfType === null ? [] : [{ projectId, days: daysOfType, types: { only: [type] } }],
  );
  return days === null ? own : [{ projectId, days, types: except.length === 0 ? null : { except } }, ...own];
}
