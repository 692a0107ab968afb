import type { Queryable } from '@tickrate/postgres';

/** The free space on the disks of a store. */
export interface DiskLevel {
  readonly freeBytes: number;
  readonly totalBytes: number;
}

/** Older reports are ignored. */
const longestAge = '10 minutes';

export async function reportDisk(
  db: Queryable,
  store: string,
  { freeBytes, totalBytes }: DiskLevel,
): Promise<void> {
  await db.query(
    `INSERT INTO delivery.disks (store, free_bytes, total_bytes, read_at) VALUES ($1, $2, $3, clock_timestamp())
     ON CONFLICT (store) DO UPDATE
        SET free_bytes = excluded.free_bytes, total_bytes = excluded.total_bytes, read_at = excluded.read_at`,
    [store, freeBytes, totalBytes],
  );
}

export async function readDisks(db: Queryable): Promise<Map<string, DiskLevel>> {
  const rows = await db.query<{ store: string; free: number; total: number }>(
    `SELECT store, free_bytes AS free, total_bytes AS total FROM delivery.disks
      WHERE read_at > clock_timestamp() - interval '${longestAge}'`,
  );
  return new Map(rows.map(({ store, free, total }) => [store, { freeBytes: free, totalBytes: total }]));
}

export async function readDatabaseBytes(db: Queryable): Promise<number> {
  const rows = await db.query<{ bytes: string }>('SELECT pg_database_size(current_database()) AS bytes');
  return Number(rows[0]?.bytes);
}
