import type { Queryable } from '@tickrate/postgres';
import type { Chunk, IdempotentRun } from '../../queue/chunks/chunk.ts';

/** For the ledger, every replay is a separate process: see `delivery.settle_replay`. */
function sentOf(chunkId: string): Pick<Chunk, 'producer' | 'position'> {
  return { producer: `replay-${chunkId}`, position: { start: 0, settled: 0, voids: [] } };
}

/** A chunk that is not in the queue yet. */
export type StagedChunk = Omit<Chunk, 'producer' | 'position'>;

interface StagedRow {
  readonly chunk: string;
  readonly project: string;
  readonly rows: number;
  readonly idempotency: readonly IdempotentRun[];
  readonly frame: Buffer;
}

/** Stages rejected events that are replayed together. Resolves with false if some are in another replay, or were deleted. */
export async function stageRejected(
  db: Queryable,
  chunk: StagedChunk,
  eventIds: readonly string[],
): Promise<boolean> {
  const rows = await db.query<{ staged: boolean }>(
    'SELECT delivery.stage_rejected($1, $2, $3, $4, $5) AS staged',
    [chunk.id, chunk.projectId, eventIds, JSON.stringify(chunk.idempotency), Buffer.from(chunk.frame)],
  );
  return rows[0]?.staged === true;
}

/** Stages a dead letter as it was read. Resolves with false if it is in another replay, was deleted, or has changed. */
export async function stageDead(
  db: Queryable,
  chunk: StagedChunk,
  letter: { readonly id: string; readonly rows: number; readonly payload: Buffer },
): Promise<boolean> {
  const rows = await db.query<{ staged: boolean }>(
    'SELECT delivery.stage_dead($1, $2, $3, $4, $5, $6, $7) AS staged',
    [
      chunk.id,
      chunk.projectId,
      letter.id,
      letter.rows,
      letter.payload.length,
      chunk.count,
      Buffer.from(chunk.frame),
    ],
  );
  return rows[0]?.staged === true;
}

/**
 * Adds the staged chunks to the queue and accounts for them. Resolves with the number of events. After a crash, the same
 * chunk is added again: the queue and the ledger recognise its id.
 */
export async function finishStaged(
  db: Queryable,
  { projectId, chunkId = null }: { readonly projectId: string | null; readonly chunkId?: string | null },
  add: (chunk: Chunk) => Promise<void>,
): Promise<number> {
  let events = 0;
  for (const id of chunkId === null ? await stagedChunks(db, projectId) : [chunkId]) {
    const rows = await db.query<StagedRow>('SELECT * FROM delivery.replays WHERE chunk = $1', [id]);
    const [staged] = rows;
    if (staged === undefined) continue;
    const { project, rows: count, idempotency, frame } = staged;
    await add({ id, projectId: project, count, idempotency, frame, ...sentOf(id) });
    const [settled] = await db.query<{ settled: boolean }>('SELECT delivery.settle_replay($1) AS settled', [
      id,
    ]);
    if (settled?.settled === true) events += count;
  }
  return events;
}

async function stagedChunks(db: Queryable, projectId: string | null): Promise<string[]> {
  const rows = await db.query<{ chunk: string }>(
    'SELECT chunk FROM delivery.replays WHERE $1::text IS NULL OR project = $1 ORDER BY chunk',
    [projectId],
  );
  return rows.map(({ chunk }) => chunk);
}
