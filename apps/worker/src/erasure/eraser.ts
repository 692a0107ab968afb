import type { ErasureCertificate } from '@tickrate/contract';
import type { ErasureWork, LeasedErasure } from '@tickrate/pipeline';
import { createRepeatedTask, type RepeatedTask } from '@tickrate/platform';
import {
  type EraseAccountDeps,
  type EventsToRemove,
  finishErasure,
  prepareErasure,
} from './erase-account.ts';

export interface EraseAllOptions extends EraseAccountDeps {
  onErased(certificate: ErasureCertificate): void;
  /** It is retried. */
  onFault(fault: unknown): void;
  /** The time after which another worker continues the erasures of a dead one. */
  readonly leaseMs?: number;
}

interface EraserOptions extends EraseAllOptions {
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  readonly everyMs?: number;
}

/** Executes the requested erasures, with one rewrite of the parts for all of them. Each runs on one worker. */
export function createEraser(options: EraserOptions): RepeatedTask {
  const { sleep, onFault, everyMs = 2_000 } = options;
  let open = 0;
  return createRepeatedTask('eraser', {
    async run(signal) {
      try {
        open = await eraseAll(options, signal);
      } catch (fault) {
        if (!signal.aborted) onFault(fault);
      }
    },
    sleep: (delayMs, signal) => sleep(open > 0 ? delayMs : 10 * delayMs, signal),
    everyMs,
  });
}

// The erasures that share one rewrite of ClickHouse's parts.
const mostAtOnce = 200;

/** Each open erasure once. Resolves with their number. */
export async function eraseAll(options: EraseAllOptions, signal: AbortSignal): Promise<number> {
  const { work, onFault, leaseMs = 60_000 } = options;
  const erasures = await leaseOpen(work, leaseMs);
  const renewal = setInterval(() => {
    for (const { id } of erasures) void work.renew(id, leaseMs).catch(onFault);
  }, leaseMs / 3);
  try {
    const prepared = await prepareAll(options, erasures, signal);
    await removeEvents(options, prepared, signal);
  } finally {
    clearInterval(renewal);
  }
  return erasures.length;
}

async function leaseOpen(work: ErasureWork, leaseMs: number): Promise<LeasedErasure[]> {
  const erasures: LeasedErasure[] = [];
  while (erasures.length < mostAtOnce) {
    const ids = erasures.map(({ id }) => id);
    const erasure = await work.lease(leaseMs, ids);
    if (erasure === null) break;
    erasures.push(erasure);
  }
  return erasures;
}

type Prepared = ReadonlyMap<LeasedErasure, EventsToRemove>;

async function prepareAll(
  options: EraseAllOptions,
  erasures: readonly LeasedErasure[],
  signal: AbortSignal,
): Promise<Prepared> {
  // One query of the queue for all of them.
  let settled: Promise<number> | undefined;
  const deps = {
    ...options,
    settledUntilMs: () => {
      settled ??= options.settledUntilMs();
      return settled;
    },
  };
  const guarded = createGuard(options, signal);
  const prepared = new Map<LeasedErasure, EventsToRemove>();
  for (const erasure of erasures) {
    await guarded(erasure, async () => {
      const account = await prepareErasure(deps, erasure, signal);
      if (account === null) await options.work.release(erasure.id, null);
      else prepared.set(erasure, account);
    });
  }
  return prepared;
}

async function removeEvents(
  options: EraseAllOptions,
  prepared: Prepared,
  signal: AbortSignal,
): Promise<void> {
  const guarded = createGuard(options, signal);
  const removal = options.warehouse.removeAccounts([...prepared.values()], signal);
  await Promise.allSettled([removal]);
  for (const [erasure, account] of prepared) {
    await guarded(erasure, async () => {
      await removal;
      const certificate = await finishErasure(options, erasure, account);
      if (certificate !== null) options.onErased(certificate);
      await options.work.release(erasure.id, null);
    });
  }
}

/** A fault of one erasure is stored with it and does not delay the others. */
function createGuard({ work, onFault }: EraseAllOptions, signal: AbortSignal) {
  return async (erasure: LeasedErasure, step: () => Promise<void>): Promise<void> => {
    try {
      signal.throwIfAborted();
      await step();
    } catch (fault) {
      if (!signal.aborted) onFault(fault);
      await work.release(erasure.id, signal.aborted ? null : String(fault).slice(0, 500)).catch(onFault);
    }
  };
}
