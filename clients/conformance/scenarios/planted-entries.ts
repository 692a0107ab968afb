import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Each makes an entry at a path with the name of a segment: by hand, or as a tool that cleans up does. */
export const plantedEntries: readonly ((path: string) => void)[] = [
  (path) => mkdirSync(path),
  (path) => symlinkSync(path, path),
  (path) => symlinkSync(dirname(path), path),
  (path) => execFileSync('mkfifo', [path]),
  (path) => {
    writeFileSync(path, '');
    truncateSync(path, 400 * 1024 * 1024);
  },
];
