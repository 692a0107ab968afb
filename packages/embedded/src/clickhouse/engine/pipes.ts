import { execFile } from 'node:child_process';
import { closeSync, constants, mkdirSync, openSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

const BATCH = 16;

/** Returns a function that resolves with a free pipe. */
export async function createPipes(folder: string): Promise<() => Promise<Pipe>> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const free: string[] = [];
  let made = 0;
  let making: Promise<unknown> | undefined;
  const make = async (): Promise<void> => {
    const paths = Array.from({ length: BATCH }, (_, i) => join(folder, `pipe-${made + i}`));
    made += BATCH;
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths], { env: { PATH: '/usr/bin:/bin' } });
    free.push(...paths);
  };
  await make();
  return async () => {
    for (let path = free.pop(); ; path = free.pop()) {
      if (path !== undefined) return open(path, (returned) => free.push(returned));
      making ??= make().finally(() => {
        making = undefined;
      });
      await making;
    }
  };
}

/** A named pipe that the engine writes a result into: nothing is buffered, and a slow reader slows the engine. */
export type Pipe = ReturnType<typeof open>;

function open(path: string, giveBack: (path: string) => void) {
  const reading = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  // Open until the statement has ended: without a writer the reader would see the end before the beginning.
  const writing = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const output = new Socket({ fd: reading, readable: true, writable: false });
  return {
    path,
    output,
    /** Signals the end of the data to the reader: call it when the engine has ended the statement. */
    end: () => closeSync(writing),
    /** Releases the pipe; only after `end` and when the output has been read to its end. */
    release() {
      output.destroy();
      giveBack(path);
    },
  };
}
