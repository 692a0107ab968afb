import type { Queryable } from '@tickrate/postgres';
import type { Accounts } from '../accounts.ts';

/** How failures close a bucket: after `free` of them, for `firstMs`, doubling up to `longestMs`. */
const lockout = { free: 5, firstMs: 1_000, longestMs: 15 * 60_000 } as const;

/**
 * Counts an attempt before it is made, so that concurrent attempts cannot exceed the limit. Null when the attempt is
 * allowed; else how long the bucket stays closed. A closed bucket counts nothing.
 */
export async function chargeTry(db: Queryable, bucket: Buffer, nowMs: number): Promise<number | null> {
  const charged = await db.query(
    `INSERT INTO auth.throttles AS t (bucket, failures, touched) VALUES ($1, 1, $2)
     ON CONFLICT (bucket) DO UPDATE SET failures = t.failures + 1, touched = $2,
       locked_until = CASE WHEN t.failures + 1 >= $3
         THEN $2::timestamptz + LEAST($5::float8, $4::float8 * 2 ^ LEAST(t.failures + 1 - $3::int, 40)) * interval '1 millisecond' END
     WHERE t.locked_until IS NULL OR t.locked_until <= $2 RETURNING failures`,
    [bucket, new Date(nowMs), lockout.free, lockout.firstMs, lockout.longestMs],
  );
  if (charged.length > 0) return null;
  const [row] = await db.query<{ locked_until: Date | null }>(
    'SELECT locked_until FROM auth.throttles WHERE bucket = $1',
    [bucket],
  );
  return Math.max(1, (row?.locked_until?.getTime() ?? nowMs) - nowMs);
}

/** The attempt succeeded: resets the count. */
export async function forgiveTries(db: Queryable, bucket: Buffer): Promise<void> {
  await db.query('DELETE FROM auth.throttles WHERE bucket = $1', [bucket]);
}

export interface Allowance {
  readonly burst: number;
  readonly perSecond: number;
}

interface Bucket {
  readonly bucket: Buffer;
  readonly allowance: Allowance;
}

export interface Taken {
  /** Null if all of them had enough, else the delay until the first empty one has the next token. */
  readonly waitMs: number | null;
  /** The remaining tokens of each bucket that gave. */
  readonly left: readonly number[];
}

/** Takes one token from each of the buckets. Null if all of them had one, else the delay as of `Taken`. */
export async function takeFrom(
  db: Queryable,
  asked: readonly Bucket[],
  nowMs: number,
): Promise<number | null> {
  return (await takeTokens(db, asked, { nowMs, count: 1 })).waitMs;
}

/** Takes from the buckets of a client address, one for each allowance. */
export function takeOfAddress(
  { db, keyring, now }: Accounts,
  network: string,
  { allowances, count }: { readonly allowances: readonly Allowance[]; readonly count: number },
): Promise<Taken> {
  const asked = allowances.map((allowance) => ({
    bucket: keyring.mac('address', network, String(allowance.burst), String(allowance.perSecond)),
    allowance,
  }));
  return takeTokens(db, asked, { nowMs: now(), count });
}

/**
 * Takes from each of the token buckets, in their order, until one has too little. Several at a time, at most the burst of
 * each, are taken from all buckets or from none.
 */
async function takeTokens(
  db: Queryable,
  asked: readonly Bucket[],
  { nowMs, count }: { readonly nowMs: number; readonly count: number },
): Promise<Taken> {
  const values = asked.flatMap(({ bucket, allowance: { burst, perSecond } }) => [bucket, burst, perSecond]);
  const [row] = await db.query<{ left: (number | null)[] }>(takeSql(asked.length), [
    new Date(nowMs),
    count,
    ...values,
  ]);
  const left = (row?.left ?? []).filter((each) => each !== null);
  const empty = asked[left.length];
  return { left, waitMs: empty === undefined ? null : 1000 / empty.allowance.perSecond };
}

/** A bucket is used only if the one before it gave. */
function takeSql(buckets: number): string {
  const all = Array.from({ length: buckets }, (_, at) => bucketSql(at));
  const tooLittle = all.slice(1).map(({ bucket, left }) => `(t.bucket = ${bucket} AND ${left} < $2)`);
  const begins =
    buckets === 1
      ? ''
      : `WHERE $2 = 1 OR NOT EXISTS (
    SELECT FROM auth.throttles t WHERE ${tooLittle.join(' OR ')})`;
  const taking = all.map(
    ({ bucket, burst, left }, at) => `t${at} AS (INSERT INTO auth.throttles AS t (bucket, tokens, touched)
      SELECT ${bucket}, ${burst} - $2::float8, $1::timestamptz ${at === 0 ? begins : `FROM t${at - 1}`}
      ON CONFLICT (bucket) DO UPDATE SET touched = GREATEST(t.touched, $1), tokens = ${left} - $2
      WHERE ${left} >= $2 RETURNING tokens)`,
  );
  const left = all.map((_, at) => `(SELECT tokens FROM t${at})`);
  return `WITH ${taking.join(', ')} SELECT ARRAY[${left.join(', ')}] AS left`;
}

function bucketSql(at: number) {
  const of = (member: number) => `$${at * 3 + member}`;
  const [bucket, burst] = [`${of(3)}::bytea`, `${of(4)}::float8`];
  const gained = `${of(5)}::float8 * GREATEST(0, EXTRACT(EPOCH FROM $1::timestamptz - t.touched))`;
  return { bucket, burst, left: `LEAST(${burst}, t.tokens + ${gained})` };
}
