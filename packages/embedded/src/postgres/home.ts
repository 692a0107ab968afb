import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { canReach, type Identity } from './identity.ts';

const SHARED = '/var/lib/tickrate';

/**
 * The folder of the cluster: the data folder itself. If the server's account cannot pass through a parent of it (such
 * as /root), it is a separate folder below /var/lib, and the data folder contains a link to it.
 */
export function clusterHome(dataDir: string, identity: Identity | undefined) {
  const link = join(dataDir, 'elsewhere');
  if (existsSync(link)) return { folder: realpathSync(link), elsewhere: true };
  const folder = realpathSync(dataDir);
  if (!canReach(folder, identity)) openTemporary(folder);
  if (canReach(folder, identity)) return { folder, elsewhere: false };
  mkdirSync(SHARED, { recursive: true, mode: 0o755 });
  const other = mkdtempSync(join(SHARED, 'data-'));
  chmodSync(other, 0o711);
  writeFileSync(join(other, 'belongs-to'), `${folder}\n`);
  symlinkSync(other, link);
  return { folder: other, elsewhere: true };
}

/** Deletes the part of the data folder that is stored elsewhere, if any. Deleting the folder itself would keep that part. */
export function removeElsewhere(dataDir: string, shared = SHARED): void {
  const link = join(dataDir, 'elsewhere');
  if (!existsSync(link)) return;
  const folder = realpathSync(link);
  const owner = readFileSync(join(folder, 'belongs-to'), 'utf8').trim();
  const isOurs = dirname(folder) === shared && owner === realpathSync(dataDir);
  if (isOurs) rmSync(folder, { recursive: true, force: true });
}

/** Lets other accounts pass through our temporary folders, which are created closed, but not read them. */
function openTemporary(folder: string): void {
  const root = realpathSync(tmpdir());
  for (let at = folder; at.startsWith(`${root}/`); at = dirname(at)) {
    const { uid, mode } = statSync(at);
    if (uid === process.getuid?.()) chmodSync(at, (mode & 0o7777) | 0o011);
  }
}
