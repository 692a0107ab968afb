import { setTimeout as delay } from 'node:timers/promises';
import { WarehouseFault } from '../warehouse-fault.ts';

/** The error of a connection when the process on its other side ends. */
const lostCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'NO_ANSWER']);

/** Whether the server ended, or closed the connection, before it answered. */
export function isLost(error: unknown): boolean {
  return error instanceof WarehouseFault && lostCodes.has(error.code);
}

export interface EngineBackOptions {
  /** Whether the query itself could have ended the engine. It is then not sent again. */
  readonly isSuspect: () => boolean;
  /** How long the restart of a server can take; 0 if nothing restarts it. */
  readonly backWithinMs: number;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

const pauseMs = 100;

/**
 * Sends a query again that was lost with the server before its answer started: another query may have ended the engine,
 * which restarts within seconds. Throws the error of the last attempt.
 */
export async function withEngineBack<Result>(
  { isSuspect, backWithinMs, now, signal }: EngineBackOptions,
  attempt: () => Promise<Result>,
): Promise<Result> {
  let firstLostAt: number | null = null;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      firstLostAt ??= now();
      const isOver = isSuspect() || now() - firstLostAt >= backWithinMs;
      if (!isLost(error) || isOver || signal?.aborted === true) throw error;
      await delay(pauseMs);
    }
  }
}
