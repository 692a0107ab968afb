import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { canReach, type Identity } from './identity.ts';

const SHARED = '/var/lib/tickrate';

/**
 * Where the cluster lives: the data folder itself, or, when the server's account cannot pass through a parent
 * of it (such as /root), a folder of its own below /var/lib that a link in the data folder leads to.
 */
export function clusterHome(
  dataDir: string,
  identity: Identity | undefined,
): { home: string; elsewhere: boolean } {
  const link = join(dataDir, 'elsewhere');
  if (existsSync(link)) return { home: realpathSync(link), elsewhere: true };
  if (canReach(dataDir, identity)) return { home: realpathSync(dataDir), elsewhere: false };
  mkdirSync(SHARED, { recursive: true, mode: 0o755 });
  const home = mkdtempSync(join(SHARED, 'data-'));
  chmodSync(home, 0o711);
  symlinkSync(home, link);
  return { home, elsewhere: true };
}
