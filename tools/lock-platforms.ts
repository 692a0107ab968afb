import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type LockedPackage, missingPlatforms } from './missing-platforms.ts';

/**
 * A mirror of the registry may lack the packages of other platforms; npm then leaves them out of the lock file, and
 * `npm ci` refuses a lock file without them. This adds them: with their platform, and without a checksum.
 */
const path = join(import.meta.dirname, '../package-lock.json');
const lock: { packages: Record<string, LockedPackage> } = JSON.parse(readFileSync(path, 'utf8'));
const missing = missingPlatforms(lock.packages);
const packages = Object.entries({ ...lock.packages, ...missing }).toSorted(([a], [b]) =>
  a.localeCompare(b, 'en'),
);
writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
console.log(`added ${Object.keys(missing).length} packages of other platforms`);
