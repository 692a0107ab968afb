import { readRetention } from '@tickrate/contract';
import { createRepeatedTask, type RepeatedTask } from '@tickrate/platform';
import type { Registry } from '@tickrate/registry';
import type { ExpiredPartition, Expirer, ExpiryRule } from '@tickrate/warehouse';

interface RetentionOptions {
  readonly registry: Pick<Registry, 'projects' | 'policies'>;
  readonly warehouse: Expirer;
  settledUntilMs(): Promise<number>;
  now(): number;
  /** For projects without a policy; null keeps forever. */
  readonly defaultDays: number | null;
  readonly everyMs: number;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  /** Including runs that found nothing. */
  onExpired(removed: readonly ExpiredPartition[], nowMs: number): void;
  onFault(fault: unknown): void;
}

/**
 * Removes the events beyond the retention of their projects. Any number of workers may run it concurrently. Draining
 * gives up the current step, which ClickHouse may still complete.
 */
export function createRetention(options: RetentionOptions): RepeatedTask {
  const { everyMs, sleep, now, onExpired, onFault } = options;
  return createRepeatedTask('retention', {
    run: (signal) =>
      removeExpired(options, signal)
        .then((removed) => onExpired(removed, now()))
        .catch((fault: unknown) => {
          if (!signal.aborted) onFault(fault);
        }),
    sleep,
    everyMs,
  });
}

async function removeExpired(options: RetentionOptions, signal: AbortSignal): Promise<ExpiredPartition[]> {
  const { registry, warehouse, settledUntilMs, now, defaultDays } = options;
  const projects = await registry.projects();
  const retained: RetainedProject[] = [];
  for (const { id: projectId } of projects) {
    const policies = await registry.policies(projectId);
    retained.push({ projectId, policy: policies.get('retention') });
  }
  const rules = retentionRules(retained, { nowMs: now(), defaultDays });
  return warehouse.removeExpired({ rules, settledUntilMs: await settledUntilMs(), signal });
}

interface RetainedProject {
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
