import { statfs } from 'node:fs/promises';
import type { Engine } from './engine.ts';
import { EngineError } from './engine-error.ts';

/**
 * The engine goes on when a write fails for want of space: it answers that rows are stored whose files are empty, and
 * puts such a part in the place of those that it merged. This keeps it from writing while space is short, and ends the
 * process when a write failed all the same: at the next start the engine lays broken parts aside, and takes what they
 * were merged from.
 */
export interface DiskGuard {
  /** Resolves when there is room to write so much. Throws 243 otherwise. */
  admit(bytes: number): Promise<void>;
  /** Resolves when all that the engine wrote until now is written; never does when some of it is lost. */
  confirm(): Promise<void>;
  stop(): Promise<void>;
}

export interface DiskGuardOptions {
  readonly engine: Pick<Engine, 'connect'>;
  readonly folder: string;
  /** Ends the process. */
  readonly onLost: (writes: number) => void;
  readonly floorBytes?: number;
}

const NOT_ENOUGH_SPACE = 243;
const FLOOR_BYTES = 64 * 1024 * 1024;
/** Merges begin again when so many times the floor is free. */
const RESUME_FACTOR = 1.25;
/** What is inserted takes its place once packed as it came, and once as a part. */
const ROOM_FACTOR = 2;
/** A disk that fills at 600 MB/s takes as long to come from the floor to its end. */
const LOOK_MS = 100;
const COUNT_MS = 1000;
const FAILED_WRITES = `SELECT sum(value) FROM system.events WHERE event = 'WriteBufferFromFileDescriptorWriteFailed'`;

export function createDiskGuard(options: DiskGuardOptions): DiskGuard {
  const { engine, folder, onLost, floorBytes = FLOOR_BYTES } = options;
  const connection = engine.connect('disk-guard');
  let last: Promise<unknown> = Promise.resolve();
  let merging = true;

  /** The connection takes one statement at a time. */
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
    if (merging && free < floorBytes) {
      merging = false;
      // Those that run are given up too.
      await run('SYSTEM STOP MERGES');
    } else if (!merging && free >= floorBytes * RESUME_FACTOR) {
      merging = true;
      await run('SYSTEM START MERGES');
    }
  }

  const looking = repeat(look, LOOK_MS);
  const counting = repeat(confirm, COUNT_MS);
  return {
    confirm,
    async admit(bytes) {
      const missing = floorBytes + ROOM_FACTOR * bytes - (await freeBytes(folder));
      if (missing > 0) throw new EngineError(NOT_ENOUGH_SPACE, 'NOT_ENOUGH_SPACE', refusal(missing));
    },
    async stop() {
      looking.stop();
      counting.stop();
      await Promise.all([looking.done(), counting.done()]);
      await last;
      await connection.close();
    },
  };
}

function refusal(missingBytes: number): string {
  return `Not enough space on the disk: ${missingBytes} bytes are missing, and nothing is written until they are free`;
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** One after the other, with a pause. What fails is tried again: a folder that cannot be read stops nothing. */
function repeat(work: () => Promise<void>, pauseMs: number): { stop: () => void; done: () => Promise<void> } {
  let running: Promise<void> = Promise.resolve();
  let isBusy = false;
  const timer = setInterval(() => {
    if (isBusy) return;
    isBusy = true;
    running = work()
      .catch(() => undefined)
      .finally(() => {
        isBusy = false;
      });
  }, pauseMs);
  return { stop: () => clearInterval(timer), done: () => running };
}
