import type { Chunk, Ledger, StoreLevel } from '@tickrate/pipeline';
import { createRepeatedTask, type RepeatedTask } from '@tickrate/platform';

interface UpkeepOptions {
  readonly ledger: Pick<Ledger, 'maintain' | 'unstored' | 'batch'>;
  levels(): Promise<readonly StoreLevel[]>;
  findChunks(chunkIds: readonly string[]): Promise<ReadonlyMap<string, Chunk | null>>;
  /** Completes a batch. */
  replay(batchId: string): Promise<void>;
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  onFault(fault: unknown): void;
  readonly everyMs?: number;
}

const batchesPerRound = 50;
/** A batch that is not stored after this time is checked. */
const orphanAfterMs = 10 * 60_000;

/** Background work: partitions and expired keys of the ledger, and batches whose jobs are gone. */
export function createUpkeep(options: UpkeepOptions): RepeatedTask {
  const { sleep, onFault, everyMs = 5 * 60_000 } = options;
  return createRepeatedTask('upkeep', {
    async run(signal) {
      await maintain(options).catch(onFault);
      await recoverOrphans(options, signal).catch(onFault);
    },
    sleep,
    everyMs,
  });
}

async function maintain({ ledger, levels, onFault }: UpkeepOptions): Promise<void> {
  const known = await levels().catch((fault: unknown) => {
    onFault(fault);
    return undefined;
  });
  const oldest = known?.map((level) => level.oldestMs).filter((ms) => ms !== null);
  const oldestPendingMs = oldest?.length === 0 ? null : oldest?.reduce((a, b) => Math.min(a, b));
  await ledger.maintain({ oldestPendingMs });
}

/** A batch whose chunks are all in the queue will be delivered again; a batch with missing chunks will not. */
async function recoverOrphans(options: UpkeepOptions, signal: AbortSignal): Promise<void> {
  const { ledger, findChunks, replay } = options;
  for (const batchId of await ledger.unstored(orphanAfterMs, batchesPerRound)) {
    if (signal.aborted) return;
    const batch = await ledger.batch(batchId);
    if (batch === null || batch.stored) continue;
    const found = await findChunks(batch.chunks.map((chunk) => chunk.id));
    if ([...found.values()].some((chunk) => chunk === null)) await replay(batchId);
  }
}
