import { setTimeout as delay } from 'node:timers/promises';
import { WarehouseFault } from '../warehouse-fault.ts';

/** What a connection ends with when the process on its other side ends. */
const lostCodes: ReadonlySet<string> = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'NO_ANSWER']);

/** Whether the server ended, or ended the connection, before it answered. */
export function isLost(error: unknown): boolean {
  return error instanceof WarehouseFault && lostCodes.has(error.code);
}

export interface EngineBackOptions {
  /** Whether the query itself may be what the engine ended for: then it is not sent again. */
  readonly isSuspect: () => boolean;
  /** How long a server may take to come back; 0 when nothing brings it back. */
  readonly backWithinMs: number;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

const pauseMs = 100;

/**
 * Sends a query again that was lost with the server before it had answered anything: another's query may have ended the
 * engine, which is back within seconds. Throws what the last attempt threw.
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
