import { rmSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreAbsent, namesIn } from './absent-files.ts';

const asideBytes = 1024 * 1024;

/** Moves a refused segment into the folder of those set aside, and deletes the oldest of them beyond 1 MiB. */
export async function moveAside(path: string, aside: string, name: string): Promise<void> {
  await rename(path, join(aside, name)).catch(ignoreAbsent);
  const files = namesIn(aside)
    .toSorted()
    .map((each) => ({ path: join(aside, each), bytes: statSync(join(aside, each)).size }));
  let bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  for (const file of files) {
    if (bytes <= asideBytes) break;
    rmSync(file.path, { force: true });
    bytes -= file.bytes;
  }
}
