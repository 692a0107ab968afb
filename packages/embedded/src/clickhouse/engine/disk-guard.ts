import { statfs } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { Code, fault } from '../answer/http-fault.ts';
import type { Engine } from './engine.ts';

const FLOOR_BYTES = 64 * 1024 * 1024;
/** Merges start again when this many times the floor is free. */
const RESUME_FACTOR = 1.25;
/** Inserted data uses space twice: compressed as it arrived, and as a part. */
const ROOM_FACTOR = 2;
/** A disk that fills at 600 MB/s takes this long from the floor to its end. */
const LOOK_MS = 100;
const COUNT_MS = 1000;
/** While such a disk cannot reach the floor sooner. Far below `old_parts_lifetime`, which keeps what a failed merge replaced. */
const REST_MS = 5_000;
const FILLED_BYTES_A_MS = 600_000;
const FAILED_WRITES = `SELECT sum(value) FROM system.events WHERE event = 'WriteBufferFromFileDescriptorWriteFailed'`;

/**
 * The engine continues when a write fails on a full disk: it confirms rows whose files are empty, and replaces the
 * sources of a merge by such a part. This guard prevents writes while space is short, and ends the process when a write
 * fails anyway. At its next start, the engine sets broken parts aside and uses the parts that they were merged from.
 */
export type DiskGuard = ReturnType<typeof createDiskGuard>;

/** `onLost` ends the process. */
export function createDiskGuard(engine: Engine, folder: string, onLost: (writes: number) => void) {
  const connection = engine.connect();
  let last: Promise<unknown> = Promise.resolve();
  let merging = true;
  let untilFloorMs = 0;

  /** The connection runs one statement at a time. */
  function run(sql: string): Promise<string> {
    const outcome = last.then(() => connection.query(sql, 'TSVRaw'));
    last = outcome.catch(() => undefined);
    return outcome.then(({ bytes }) => Buffer.from(bytes).toString().trim());
  }

  async function confirm(): Promise<void> {
    const lost = Number(await run(FAILED_WRITES));
    if (lost === 0) return;
    onLost(lost);
    await new Promise(() => undefined);
  }

  async function look(): Promise<void> {
    const free = await freeBytes(folder);
    untilFloorMs = (free - FLOOR_BYTES) / FILLED_BYTES_A_MS;
    if (merging && free < FLOOR_BYTES) {
      merging = false;
      // This also cancels running merges.
      await run('SYSTEM STOP MERGES');
    } else if (!merging && free >= FLOOR_BYTES * RESUME_FACTOR) {
      merging = true;
      await run('SYSTEM START MERGES');
    }
  }

  const pauseMs = (shortestMs: number) => Math.max(shortestMs, Math.min(REST_MS, untilFloorMs));
  const looking = repeat(look, () => pauseMs(LOOK_MS));
  const counting = repeat(confirm, () => pauseMs(COUNT_MS));
  return {
    /** Resolves if every write of the engine so far succeeded. Never resolves if one was lost. */
    confirm,
    /** Resolves if the disk has space for so much. Throws 243 otherwise. */
    async admit(bytes: number): Promise<void> {
      const missing = FLOOR_BYTES + ROOM_FACTOR * bytes - (await freeBytes(folder));
      if (missing > 0)
        throw fault(Code.notEnoughSpace, `Not enough space on the disk: free at least ${missing} bytes`);
    },
    async stop(): Promise<void> {
      await Promise.all([looking.stop(), counting.stop()]);
      await last;
      await connection.close();
    },
  };
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Repeats the work with pauses. A failure is retried: an unreadable folder stops nothing. */
function repeat(work: () => Promise<void>, pauseMs: () => number): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  async function run(): Promise<void> {
    while (!signal.aborted) {
      await work().catch(() => undefined);
      await delay(pauseMs(), undefined, { signal }).catch(() => undefined);
    }
  }
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
