import { settleWithin } from '../concurrency/settle-within.ts';

/** null when all is well, otherwise a short reason; throwing is a reason too. It must not wait for ever. */
export type HealthCheck = () => string | null | Promise<string | null>;

export interface HealthReport {
  readonly ready: boolean;
  /** By check: null, or why it is not well. */
  readonly checks: Readonly<Record<string, string | null>>;
}

export type Health = ReturnType<typeof createHealth>;

export function createHealth(options: {
  readonly checks: Readonly<Record<string, HealthCheck>>;
  /** For each check. */
  readonly timeoutMs?: number;
  /** How long a result is repeated without another check. */
  readonly cacheMs?: number;
  readonly now?: () => number;
}) {
  const { checks, timeoutMs = 2000, cacheMs = 1000, now = Date.now } = options;
  let phase: 'starting' | 'started' | 'stopping' = 'starting';
  let last: { readonly atMs: number; readonly findings: Promise<HealthReport['checks']> } | null = null;

  async function findings(): Promise<HealthReport['checks']> {
    const found = Object.entries(checks).map(
      async ([name, check]) => [name, await bounded(check, timeoutMs)] as const,
    );
    return Object.fromEntries(await Promise.all(found));
  }

  return {
    /** Whether requests should be sent here, and if not, why. Never throws. */
    report: async () => {
      if (last === null || now() - last.atMs >= cacheMs) last = { atMs: now(), findings: findings() };
      const own = phase === 'started' ? null : `the process is ${phase}`;
      const found = { process: own, ...(await last.findings) };
      return { ready: Object.values(found).every((reason) => reason === null), checks: found };
    },
    /** Before this readiness is false: the components are still starting. */
    markStarted: () => {
      if (phase === 'starting') phase = 'started';
    },
    /** From here on readiness is false for good. */
    markStopping: () => {
      phase = 'stopping';
    },
  };
}

async function bounded(check: HealthCheck, timeoutMs: number): Promise<string | null> {
  try {
    // In a promise, because a check may return or throw at once.
    const checking = (async () => check())();
    return await settleWithin(timeoutMs, checking, () => new Error(`no answer within ${timeoutMs} ms`));
  } catch (error) {
    return error instanceof Error && error.message !== '' ? error.message : 'the check failed';
  }
}
