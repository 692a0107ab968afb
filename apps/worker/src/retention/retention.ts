import { createRepeatedTask, type RepeatedTask } from '@tickrate/platform';
import type { Registry } from '@tickrate/registry';
import type { ExpiredPartition, Expirer } from '@tickrate/warehouse';
import { type RetainedProject, retentionRules } from './retention-rules.ts';

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
