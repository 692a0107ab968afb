import type { ClickHouse } from '../../clickhouse.ts';
import type { WarehousePlace } from '../../table/events-table.ts';
import type { QueryLimits } from '../query-limits.ts';
import { createPermitQueue, type PermitRequest } from './permit-queue.ts';
import { createQueryBudget } from './query-budget.ts';
import { createQuerySemaphore, type QueryPermit } from './query-semaphore.ts';

export type PermitResult =
  | (QueryPermit & { readonly kind: 'permit' })
  | { readonly kind: 'busy'; readonly retryAfterSeconds: number };

export interface QueryPermitsOptions {
  readonly place: WarehousePlace;
  readonly timeoutMs: number;
  readonly limits: QueryLimits;
  readonly now: () => number;
}

/** After its limit, an interruptible query ends within some milliseconds. */
const overrunMs = 2_000;

/** Permits for queries: each owner has a limit of concurrent queries and of query seconds, over all its projects. */
export type QueryPermits = ReturnType<typeof createQueryPermits>;

export function createQueryPermits(clickhouse: ClickHouse, options: QueryPermitsOptions) {
  const { limits, now } = options;
  const stoppedAfterMs = limits.mostSeconds * 1_000 + overrunMs;
  const budget = createQueryBudget({
    seconds: limits.budgetSeconds,
    windowSeconds: limits.budgetWindowSeconds,
    now,
  });
  const semaphore = createQuerySemaphore(clickhouse, {
    ...options,
    mostAtOnce: limits.mostAtOnce,
    mostAtOnceOverall: limits.mostAtOnceOverall,
    killAfterMs: stoppedAfterMs,
    onEnded(owner, ranMs) {
      budget.spend(owner, ranMs);
      queue.serve();
    },
    onLate: budget.block,
  });
  const queue = createPermitQueue<QueryPermit>({ ...limits, acquire: semaphore.acquire });
  return {
    /** Waits a short time for a permit. Rejects with the reason of the signal. */
    async acquire(who: PermitRequest, signal?: AbortSignal): Promise<PermitResult> {
      const waitSeconds = budget.waitSeconds(who.owner);
      if (waitSeconds > 0) return { kind: 'busy', retryAfterSeconds: waitSeconds };
      const permit = await queue.acquire(who, signal);
      if (permit === null) return { kind: 'busy', retryAfterSeconds: 1 };
      // The query that it waited for may have used the rest of the budget.
      const laterWaitSeconds = budget.waitSeconds(who.owner);
      if (laterWaitSeconds === 0) return { kind: 'permit', ...permit };
      permit.release({ hasEnded: true });
      return { kind: 'busy', retryAfterSeconds: laterWaitSeconds };
    },
  };
}
