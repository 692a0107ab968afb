import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

export interface DiskLimit {
  /** Before the command line of each driver. */
  readonly prefix: readonly string[];
  /** Leaves no space for a byte, a file or a folder. False if the disk has no file system of its own. */
  fill(): boolean;
  /** Gives that space back. */
  free(): void;
  remove(): void;
}

/**
 * Makes the disk of a folder small: a file system of its own where the system allows to mount one, otherwise a limit on
 * the size of each file.
 */
export function limitDisk(folder: string, kib: number): DiskLimit {
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k,nr_inodes=256`, 'tmpfs', folder]);
  // A signal that the shell ignores stays ignored in the program: its writes fail, as on a full disk.
  if (mount.status !== 0)
    return {
      prefix: ['bash', '-c', 'trap "" XFSZ; ulimit -f "$0"; exec "$@"', String(Math.ceil(kib / 32))],
      fill: () => false,
      free: () => undefined,
      remove: () => undefined,
    };
  const filling = join(folder, 'filling');
  return {
    prefix: [],
    fill() {
      mkdirSync(filling);
      const file = openSync(join(filling, 'bytes'), 'w');
      untilFull(() => writeSync(file, Buffer.alloc(4_096)));
      closeSync(file);
      let count = 0;
      untilFull(() => mkdirSync(join(filling, String(count++))));
      return true;
    },
    free: () => rmSync(filling, { recursive: true }),
    remove: () => void execFileSync('umount', ['--lazy', folder]),
  };
}

function untilFull(act: () => void): void {
  try {
    for (;;) act();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'ENOSPC') throw error;
  }
}
