import type { Queryable } from '@tickrate/postgres';
import type { MalformedJob } from '../../queue/chunks/chunk.ts';

export interface DeadFragment {
  readonly batchId: string;
  readonly path: string;
  /** The reason of ClickHouse, as a stable name. */
  readonly reason: string;
  readonly detail: string;
  /** The rows of the part, one letter for each chunk. */
  readonly letters: readonly DeadLetter[];
}

export interface DeadLetter {
  readonly id: string;
  readonly projectId: string;
  readonly chunkId: string;
  /** Within the batch. */
  readonly firstRow: number;
  readonly rows: number;
  /** A zstd frame of the rows, or the whole frame of the chunk if it cannot be read. */
  readonly payload: Uint8Array;
  /** The number of rows by type. Empty if they cannot be read. */
  readonly types: Readonly<Record<string, number>>;
}

export interface DeadJob {
  readonly id: string;
  readonly job: MalformedJob;
}

interface Split {
  readonly batchId: string;
  readonly path: string;
  readonly parts: readonly { readonly firstRow: number; readonly rows: number }[];
}

export async function splitFragment(db: Queryable, { batchId, path, parts }: Split): Promise<void> {
  await db.query('SELECT delivery.split($1, $2, $3, $4)', [
    batchId,
    path,
    parts.map((part) => part.firstRow),
    parts.map((part) => part.rows),
  ]);
}

export async function buryFragment(db: Queryable, dead: DeadFragment): Promise<boolean> {
  const { letters } = dead;
  const rows = await db.query<{ buried: boolean }>(
    'SELECT delivery.bury_fragment($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) AS buried',
    [
      dead.batchId,
      dead.path,
      dead.reason,
      dead.detail,
      letters.map((letter) => letter.id),
      letters.map((letter) => letter.projectId),
      letters.map((letter) => letter.chunkId),
      letters.map((letter) => letter.firstRow),
      letters.map((letter) => letter.rows),
      letters.map((letter) => Buffer.from(letter.payload)),
      letters.map((letter) => JSON.stringify(letter.types)),
    ],
  );
  return rows[0]?.buried === true;
}

export async function buryJob(db: Queryable, { id, job }: DeadJob): Promise<boolean> {
  const rows = await db.query<{ buried: boolean }>(
    'SELECT delivery.bury_job($1, $2, $3, $4, $5, $6, $7, $8) AS buried',
    [
      id,
      job.projectId,
      job.id,
      job.count,
      job.reason,
      Buffer.from(job.raw),
      job.sent?.producer ?? null,
      job.sent?.start ?? null,
    ],
  );
  return rows[0]?.buried === true;
}
