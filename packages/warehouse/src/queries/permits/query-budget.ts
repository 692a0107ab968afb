interface Account {
  usedMs: number;
  countedAt: number;
  strikes: number;
  refusedUntil: number;
}

const firstRefusalMs = 60_000;
const longestRefusalMs = 3_600_000;
/** Strikes expire after this time without another. */
const forgetMs = 86_400_000;
const mostOwners = 10_000;

/** Counts in the memory of this process. Used time is restored evenly over the window. */
export function createQueryBudget(options: {
  /** Seconds of queries per owner and window; 0 means no limit. */
  readonly seconds: number;
  readonly windowSeconds: number;
  readonly now: () => number;
}) {
  const { seconds, windowSeconds, now } = options;
  const budgetMs = seconds * 1_000;
  const msBackPerMs = seconds / windowSeconds;
  const owners = new Map<string, Account>();

  function refill(account: Account): void {
    const at = now();
    account.usedMs = Math.max(0, account.usedMs - (at - account.countedAt) * msBackPerMs);
    account.countedAt = at;
  }

  function accountOf(owner: string): Account {
    const known = owners.get(owner);
    if (known !== undefined) return known;
    if (owners.size >= mostOwners) forgetIdle();
    const account = { usedMs: 0, countedAt: now(), strikes: 0, refusedUntil: 0 };
    owners.set(owner, account);
    return account;
  }

  function forgetIdle(): void {
    for (const [owner, account] of owners) {
      refill(account);
      if (account.usedMs === 0 && account.refusedUntil + forgetMs < now()) owners.delete(owner);
    }
  }

  return {
    /** 0 if the owner can run queries now; else the seconds to wait. */
    waitSeconds(owner: string): number {
      const account = owners.get(owner);
      if (account === undefined) return 0;
      refill(account);
      const overMs = seconds === 0 ? -1 : account.usedMs - budgetMs;
      const budgetWaitMs = overMs < 0 ? 0 : overMs / msBackPerMs + 1;
      return Math.ceil(Math.max(account.refusedUntil - now(), budgetWaitMs, 0) / 1_000);
    },
    /** Counts the duration of a query. */
    spend(owner: string, ranMs: number) {
      const account = accountOf(owner);
      refill(account);
      account.usedMs += ranMs;
    },
    /** Refuses the owner for a growing time: a query of it cannot be interrupted. */
    block(owner: string) {
      const account = accountOf(owner);
      // Concurrent queries are stopped together: they count as one strike.
      if (account.refusedUntil > now()) return;
      if (account.refusedUntil + forgetMs < now()) account.strikes = 0;
      account.refusedUntil = now() + Math.min(firstRefusalMs * 2 ** account.strikes, longestRefusalMs);
      account.strikes += 1;
    },
  };
}
