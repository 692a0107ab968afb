import { setTimeout as delay } from 'node:timers/promises';
import type { SmallDisk } from './small-disk.ts';

const mebibyte = 1024 ** 2;

/** Leaves more space than the engine reserves for an insert and less than it uses: some writes fail. */
export async function keepAlmostFull(disk: SmallDisk): Promise<void> {
  for (let round = 0; round < 40; round++) {
    disk.fill();
    await delay(10 + (round % 5) * 10);
    disk.release(mebibyte + 3_000 * 2 ** (round % 11));
    await delay(10 + (round % 15) * 10);
  }
}

/** Leaves space for inserts and merges, until another program takes it while they run. */
export async function fillSuddenly(disk: SmallDisk): Promise<void> {
  for (let round = 0; round < 12; round++) {
    disk.release(100 * mebibyte);
    await delay(100 + (round % 10) * 25);
    disk.fill();
    await delay(100);
  }
}
