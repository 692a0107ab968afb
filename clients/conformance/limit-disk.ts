import { execFileSync, spawnSync } from 'node:child_process';

export interface DiskLimit {
  /** Before the command line of each driver. */
  readonly prefix: readonly string[];
  remove(): void;
}

/**
 * Makes the disk of a folder small: a file system of its own where the system allows to mount one, otherwise a limit on
 * the size of each file.
 */
export function limitDisk(folder: string, kib: number): DiskLimit {
  const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kib}k`, 'tmpfs', folder]);
  // A signal that the shell ignores stays ignored in the program: its writes fail, as on a full disk.
  if (mount.status !== 0)
    return {
      prefix: ['bash', '-c', 'trap "" XFSZ; ulimit -f "$0"; exec "$@"', String(Math.ceil(kib / 32))],
      remove: () => undefined,
    };
  return { prefix: [], remove: () => void execFileSync('umount', ['--lazy', folder]) };
}
