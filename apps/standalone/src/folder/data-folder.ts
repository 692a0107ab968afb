import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { claimFolder, type FolderOwner, prepareDataFolder, removeElsewhere } from '@tickrate/embedded';
import { readFileIfAny, writePrivateFile } from '@tickrate/platform';
import { StartFault } from '../start-fault.ts';

const marker = 'tickrate-data';
const markerText = 'Tickrate keeps its data in this folder. `npm start -- --fresh` deletes it.\n';
const ownerFile = 'owner.json';
/** Enough space for two empty databases with their logs, and for the first events. */
const neededBytes = 512 * 1024 * 1024;

/**
 * Claims the folder in which one instance keeps everything. Creates it if it is missing. With `fresh`, deletes its
 * content first. Throws a StartFault or an EmbeddedFault if the folder belongs to another program or user, is in use, is
 * not writable, or is on a full disk. Then it is unchanged. `uid` is the user of the process; undefined where users have
 * no numbers.
 */
export function openDataFolder(
  path: string,
  { fresh, uid = process.getuid?.() }: { readonly fresh: boolean; readonly uid?: number | undefined },
): FolderOwner {
  const isNew = isEmpty(path);
  if (!isNew && !existsSync(join(path, marker))) {
    throw new StartFault(
      `The folder ${path} holds something that Tickrate did not put there`,
      'Choose another one with --data DIR',
    );
  }
  if (!isNew && uid === 0) requireOwnFolder(path);
  prepareDataFolder(path, neededBytes);
  const owner = claimFolder(path);
  if (fresh) empty(path);
  if (isNew) writeFileSync(join(path, marker), markerText);
  return owner;
}

/** Root could write in any user's folder, and would leave files that its owner cannot open. */
function requireOwnFolder(path: string): void {
  const { uid } = statSync(join(path, marker));
  if (uid === 0) return;
  throw new StartFault(
    `The data in ${path} belongs to another user (${uid})`,
    'Start as that user, or choose another folder with --data DIR',
  );
}

function isEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    // For any other kind of path, the preparation finds and reports the fault.
    if (error instanceof Error && 'code' in error) return true;
    throw error;
  }
}

/** The marker stays, so that after a kill the folder is still recognised as ours. */
function empty(path: string): void {
  removeElsewhere(join(path, 'postgres'));
  for (const name of readdirSync(path)) {
    if (name !== marker && name !== ownerFile) rmSync(join(path, name), { recursive: true, force: true });
  }
}

/** A secret of this folder: created once, in a separate file that people do not edit or delete. */
export function keptSecret(
  folder: string,
  name: 'database-password' | 'auth-secret' | 'secrets-key' | 'admin-password',
): string {
  const path = join(folder, name);
  const kept = readFileIfAny(path)?.trim() ?? '';
  if (kept !== '') return kept;
  const secret = randomBytes(24).toString('hex');
  writePrivateFile(path, `${secret}\n`);
  return secret;
}
