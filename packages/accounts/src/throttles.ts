import type { Queryable } from './database.ts';

/** How failures close a bucket: after `free` of them, for `firstMs`, doubling up to `longestMs`. */
export interface Lockout {
  readonly free: number;
  readonly firstMs: number;
  readonly longestMs: number;
}

/**
 * Counts a try before it is made, so that no number of tries at once gets more than its share. Null when it may be
 * made; else how long the bucket stays closed. A closed bucket counts nothing.
 */
export async function chargeTry(
  db: Queryable,
  bucket: Buffer,
  { lockout, nowMs }: { readonly lockout: Lockout; readonly nowMs: number },
): Promise<number | null> {
  const now = new Date(nowMs);
  const charged = await db.query(
    `INSERT INTO auth.throttles AS t (bucket, failures, touched) VALUES ($1, 1, $2)
     ON CONFLICT (bucket) DO UPDATE SET failures = t.failures + 1, touched = $2,
       locked_until = CASE WHEN t.failures + 1 >= $3
         THEN $2::timestamptz + LEAST($5::float8, $4::float8 * 2 ^ LEAST(t.failures + 1 - $3::int, 40)) * interval '1 millisecond' END
     WHERE t.locked_until IS NULL OR t.locked_until <= $2 RETURNING failures`,
    [bucket, now, lockout.free, lockout.firstMs, lockout.longestMs],
  );
  if (charged.length > 0) return null;
  const [row] = await db.query<{ locked_until: Date | null }>(
    'SELECT locked_until FROM auth.throttles WHERE bucket = $1',
    [bucket],
  );
  return Math.max(1, (row?.locked_until?.getTime() ?? nowMs) - nowMs);
}

/** The try was a good one: the count begins anew. */
export async function forgiveTries(db: Queryable, bucket: Buffer): Promise<void> {
  await db.query('DELETE FROM auth.throttles WHERE bucket = $1', [bucket]);
}

export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

/** Takes one from the token bucket; null when it was there, else the wait for the next in milliseconds. */
export async function takeFrom(
  db: Queryable,
  bucket: Buffer,
  { allowance, nowMs }: { readonly allowance: Allowance; readonly nowMs: number },
): Promise<number | null> {
  const { burst, perSecond } = allowance;
  const left =
    'LEAST($3::float8, t.tokens + $4::float8 * GREATEST(0, EXTRACT(EPOCH FROM $2::timestamptz - t.touched)))';
  const taken = await db.query(
    `INSERT INTO auth.throttles AS t (bucket, tokens, touched) VALUES ($1, $3::float8 - 1, $2)
     ON CONFLICT (bucket) DO UPDATE SET touched = GREATEST(t.touched, $2), tokens = ${left} - 1
     WHERE ${left} >= 1 RETURNING tokens`,
    [bucket, new Date(nowMs), burst, perSecond],
  );
  return taken.length > 0 ? null : 1000 / perSecond;
}
