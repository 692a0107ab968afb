import type { Queryable } from '@tickrate/postgres';

/** One-time tokens, for all processes: true for the first use. `hash` is hex. */
export function createStoredSpentTokens(db: Queryable) {
  return {
    async spend(hash: string, expiresMs: number): Promise<boolean> {
      const spent = await db.query(
        `INSERT INTO auth.spent_tokens (hash, expires) VALUES (decode($1, 'hex'), $2)
         ON CONFLICT DO NOTHING RETURNING hash`,
        [hash, new Date(expiresMs)],
      );
      return spent.length > 0;
    },
  };
}
