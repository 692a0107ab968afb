/** Records used tokens. Resolves with whether this is the first use; rejects when it is unknown. */
export interface SpentTokens {
  spend(hash: string, expiresMs: number): Promise<boolean>;
}

/** Covers this process only. When it is full of valid tokens, it rejects instead of forgetting one. */
export function createSpentTokens(now: () => number, most = 100_000): SpentTokens {
  const spent = new Map<string, number>();
  return {
    async spend(hash, expiresMs) {
      if (spent.has(hash)) return false;
      if (spent.size >= most) {
        for (const [each, untilMs] of spent) if (untilMs < now()) spent.delete(each);
        if (spent.size >= most) throw new Error('Too many tokens are remembered as used');
      }
      spent.set(hash, expiresMs);
      return true;
    },
  };
}
