import { setTimeout as delay } from 'node:timers/promises';
import type { SmallDisk } from './small-disk.ts';

const mebibyte = 1024 ** 2;

/** A little is free, more than the engine reserves for an insert and less than it takes: some writes fail. */
export async function keepAlmostFull(disk: SmallDisk): Promise<void> {
  for (let round = 0; round < 40; round++) {
    disk.fill();
    await delay(10 + (round % 5) * 10);
    disk.release(mebibyte + 3_000 * 2 ** (round % 11));
    await delay(10 + (round % 15) * 10);
  }
}

/** There is room for an insert and for merges, until somebody else takes it while they run. */
export async function fillSuddenly(disk: SmallDisk): Promise<void> {
  for (let round = 0; round < 12; round++) {
    disk.release(100 * mebibyte);
    await delay(100 + (round % 10) * 25);
    disk.fill();
    await delay(100);
  }
}
