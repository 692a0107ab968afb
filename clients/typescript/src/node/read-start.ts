import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs';

/** A segment is never longer. A longer file has bytes of something else at its end. */
const segmentBytes = 512 * 1024;

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
