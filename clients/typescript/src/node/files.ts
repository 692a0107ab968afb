import {
  closeSync,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';

/* Files of the buffer can disappear at any moment: other processes send them too, and a person can delete them. */

const asideBytes = 1024 * 1024;
/** A segment is never longer. A longer file has bytes of something else at its end. */
const segmentBytes = 512 * 1024;

export function isAbsent(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ENOENT';
}

export function ignoreAbsent(error: unknown): void {
  if (!isAbsent(error)) throw error;
}

/** Of a folder that may be absent. */
export function namesIn(path: string): string[] {
  return existsSync(path) && statSync(path).isDirectory() ? readdirSync(path) : [];
}

/** The first bytes of a file; null for a folder, a link, a device and a file that cannot be read. */
export function readStart(path: string): string | null {
  try {
    if (!lstatSync(path).isFile()) return null;
    const fd = openSync(path, 'r');
    try {
      const bytes = Buffer.alloc(Math.min(fstatSync(fd).size, segmentBytes));
      return bytes.toString('utf8', 0, readSync(fd, bytes));
    } finally {
      closeSync(fd);
    }
  } catch {
    return null;
  }
}

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

/** Deletes a run without segments. */
export function removeRunIfEmpty(path: string): void {
  try {
    if (readdirSync(path).some((name) => name !== 'lock')) return;
    rmSync(join(path, 'lock'), { force: true });
    rmdirSync(path);
  } catch {
    // Another process is faster, or uses it.
  }
}
