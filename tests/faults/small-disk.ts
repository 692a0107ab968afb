import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  rmSync,
  statfsSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

export const diskKinds = ['tmpfs', 'ext4'] as const;
export type DiskKind = (typeof diskKinds)[number];

/** A separate file system, small enough to fill quickly. */
export interface SmallDisk {
  readonly path: string;
  freeBytes(): number;
  /** Takes all free space, to the last byte. */
  fill(): void;
  /** Frees that much of what `fill` took; all of it when left out. */
  release(bytes?: number): void;
  /** Unmounts it; nothing may have a file open on it. */
  remove(): void;
}

const mib = 1024 ** 2;

/** Null when this process may not mount. */
export function mountSmallDisk(kind: DiskKind, megabytes: number): SmallDisk | null {
  const folder = mkdtempSync(join(tmpdir(), `tickrate-small-${kind}-`));
  // As root, Postgres runs under another account, which needs access.
  chmodSync(folder, 0o755);
  const path = join(folder, 'disk');
  try {
    run('mkdir', path);
    if (kind === 'tmpfs') run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path);
    else mountImage(join(folder, 'image'), path, megabytes);
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return null;
  }
  return { path, freeBytes: () => freeOf(path), ...createFiller(path), remove: () => unmount(folder, path) };
}

/** Leaves more space than the engine reserves for an insert and less than it uses: some writes fail. */
export async function keepAlmostFull(disk: SmallDisk): Promise<void> {
  for (let round = 0; round < 40; round++) {
    disk.fill();
    await delay(10 + (round % 5) * 10);
    disk.release(mib + 3_000 * 2 ** (round % 11));
    await delay(10 + (round % 15) * 10);
  }
}

/** Leaves space for inserts and merges, until another program takes it while they run. */
export async function fillSuddenly(disk: SmallDisk): Promise<void> {
  for (let round = 0; round < 12; round++) {
    disk.release(100 * mib);
    await delay(100 + (round % 10) * 25);
    disk.fill();
    await delay(100);
  }
}

/** The loop device goes with the mount. */
function mountImage(image: string, path: string, megabytes: number): void {
  run('truncate', '-s', `${megabytes}M`, image);
  run('mkfs.ext4', '-q', '-m', '0', image);
  run('mount', '-o', 'loop', image, path);
}

function unmount(folder: string, path: string): void {
  run('umount', path);
  rmSync(folder, { recursive: true, force: true });
}

function createFiller(path: string) {
  const block = Buffer.alloc(mib, 'x');
  const file = openSync(join(path, 'filler'), 'w');
  closeSync(file);
  let taken = 0;
  const opened = (work: (file: number) => void) => {
    const target = openSync(join(path, 'filler'), 'r+');
    try {
      work(target);
    } finally {
      closeSync(target);
    }
  };
  return {
    fill: () =>
      opened((target) => {
        for (let size = mib; size >= 1; ) {
          try {
            taken += writeSync(target, block, 0, size, taken);
          } catch {
            size = Math.floor(size / 2);
          }
        }
      }),
    release: (bytes = taken) =>
      opened((target) => {
        taken = Math.max(0, taken - bytes);
        ftruncateSync(target, taken);
      }),
  };
}

function freeOf(path: string): number {
  const { bavail, bsize } = statfsSync(path);
  return bavail * bsize;
}

function run(file: string, ...args: readonly string[]): void {
  execFileSync(file, args, { stdio: 'ignore' });
}
