import { type PostgresSource, type Queryable, usePostgres } from '@tickrate/postgres';
import { readKey } from '../queue/chunks/idempotency-key.ts';
import { buryFragment, buryJob, type DeadFragment, type DeadJob, splitFragment } from './dead/ledger-dead.ts';
import type { SealableChunk } from './sealing/seal-arguments.ts';
import { hashKey, literal } from './sealing/seal-arguments.ts';
import { sealBatch } from './sealing/seal-batch.ts';
import { type BatchRow, readSealedBatch, type SealedBatch } from './sealing/sealed-batch.ts';
import { type MaintainOptions, maintainLedger } from './tables/maintain-ledger.ts';

export interface FragmentPart {
  readonly firstRow: number;
  readonly rows: number;
}

export type LedgerOptions = PostgresSource & {
  /** How long a repeated idempotency key counts as a repeat. */
  readonly keyLifetimeMs?: number;
};

/** 28 days, for which a client keeps events, and time for retries. */
const keyLifetimeDays = 32;
const dayMs = 24 * 60 * 60 * 1_000;

/**
 * The delivery ledger makes the "at least once" of the queue "exactly once" in ClickHouse. Every method is one
 * transaction and is safe to repeat. It rejects with PostgresUnavailable if Postgres does not answer in time.
 */
export type Ledger = ReturnType<typeof createLedger>;

export function createLedger(options: LedgerOptions) {
  const { keyLifetimeMs = keyLifetimeDays * dayMs } = options;
  const { postgres: db, close } = usePostgres(options);

  return {
    /**
     * Fixes the chunks, and their rows, that form the batch. A chunk belongs to the batch that sealed it first. The ids of
     * `chunks` are distinct. Resolves when the composition is durable.
     */
    seal: (batchId: string, chunks: readonly SealableChunk[]) =>
      sealBatch(db, { batchId, chunks, keyLifetimeMs }),
    /** Returns those of these keys that were sealed with another body. */
    reusedKeys: (asked: readonly AskedKey[]) => findReusedKeys(db, asked),
    /** The composition of a sealed batch. Null if the ledger does not know it, or has dropped it. */
    async batch(batchId: string): Promise<SealedBatch | null> {
      const rows = await db.query<BatchRow>(selectBatch, [batchId]);
      return rows[0] === undefined ? null : readSealedBatch(rows[0]);
    },
    /**
     * As `batch`, for a worker that did not seal it. The worker calls it before it inserts rows of the batch, so that any
     * other can find out whether the store's answer to its own insert may be about a repeat. Null if the batch is stored.
     */
    async takeOver(batchId: string): Promise<SealedBatch | null> {
      const rows = await db.query<BatchRow>(updateTakenOver, [batchId]);
      return rows[0] === undefined ? null : readSealedBatch(rows[0]);
    },
    /** Counts the rows of the batch as stored, once. Resolves with true for the call that counted them. */
    async stored(batchId: string): Promise<boolean> {
      const rows = await db.query<{ stored: boolean }>('SELECT delivery.stored($1)', [batchId]);
      return rows[0]?.stored === true;
    },
    /** Records the parts of a refused part before they are inserted. Only the first record counts. */
    split: (batchId: string, path: string, parts: readonly FragmentPart[]) =>
      splitFragment(db, { batchId, path, parts }),
    async fragmentStored(batchId: string, path: string): Promise<void> {
      await db.query("SELECT delivery.close_fragment($1, $2, 'stored')", [batchId, path]);
    },
    /** Keeps the rows of a part as dead letters. Resolves with false if they were kept before, or if the batch is stored. */
    buryFragment: (dead: DeadFragment) => buryFragment(db, dead),
    /** Keeps a job without a valid chunk. Resolves with false if it was kept before. */
    buryJob: (dead: DeadJob) => buryJob(db, dead),
    /** Marks chunks of a batch as lost: they do not count as stored. Resolves with false if the batch is stored. */
    async lose(batchId: string, chunkIds: readonly string[]): Promise<boolean> {
      const rows = await db.query<{ lost: boolean }>(selectLose, [batchId, chunkIds]);
      return rows[0]?.lost === true;
    },
    /** The ids of batches that were sealed before this time and are not stored, oldest first. */
    async unstored(olderThanMs: number, limit: number): Promise<string[]> {
      const rows = await db.query<{ id: string }>(selectUnstored, [olderThanMs, limit]);
      return rows.map((row) => row.id);
    },
    /** Creates the next partitions, drops old ones, and deletes expired keys. */
    maintain: (maintenance: MaintainOptions) => maintainLedger(db, maintenance),
    /** Resolves when Postgres answers. */
    ping: async () => void (await db.query('SELECT 1')),
    close,
  };
}

const batchColumns = `
         b.id, b.chunk_ids AS "chunkIds", b.chunk_rows AS "chunkRows", b.drops, b.rows, b.stored_at IS NOT NULL AS stored,
         b.taken_over AS "takenOver", (extract(epoch FROM clock_timestamp() - b.sealed_at) * 1000)::float8 AS "ageMs",
         (SELECT coalesce(json_agg(json_build_object('path', f.path, 'firstRow', f.first_row, 'rows', f.rows,
                                                     'state', f.state) ORDER BY f.first_row, f.path), '[]')
            FROM delivery.fragments f WHERE f.day = b.day AND f.batch = b.id) AS fragments`;

const whereId = 'WHERE b.day = delivery.day_of($1) AND b.id = $1';

const selectBatch = `SELECT ${batchColumns} FROM delivery.batches b ${whereId}`;

const updateTakenOver = `
  UPDATE delivery.batches b SET taken_over = true ${whereId} AND b.stored_at IS NULL
  RETURNING ${batchColumns}`;

const selectLose = 'SELECT delivery.lose($1, $2) AS lost';

const selectUnstored = `
  SELECT id FROM delivery.batches
   WHERE stored_at IS NULL AND sealed_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
   ORDER BY sealed_at LIMIT $2`;

/** A key of a request, as in `IdempotentRun`, and its project. */
interface AskedKey {
  readonly projectId: string;
  readonly key: string;
}

/** Returns those keys that were sealed with another body and have not expired. */
async function findReusedKeys(db: Queryable, asked: readonly AskedKey[]): Promise<AskedKey[]> {
  const named = asked.map(({ projectId, key }) => ({ projectId, ...readKey(key) }));
  const rows = await db.query<{ place: number }>(selectReused, [
    literal(named.map(({ projectId, name }) => hashKey(projectId, name))),
    literal(named.map(({ body }) => body ?? 'NULL')),
  ]);
  return rows.flatMap(({ place }) => asked[place - 1] ?? []);
}

const selectReused = `
  SELECT a.place::int AS place
    FROM unnest($1::uuid[], $2::int[]) WITH ORDINALITY AS a(key, body, place)
    JOIN delivery.keys k ON k.key = a.key AND k.body <> a.body AND k.expires_at > clock_timestamp()`;
