import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

export interface Identity {
  readonly uid: number;
  readonly gid: number;
}

const NOBODY: Identity = { uid: 65534, gid: 65534 };

/** PostgreSQL refuses to run as root. Then it runs as `nobody`, otherwise as our own user (undefined). */
export function serverIdentity(): Identity | undefined {
  return process.getuid?.() === 0 ? nobody() : undefined;
}

function nobody(): Identity {
  try {
    const found = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
    return found === null ? NOBODY : { uid: Number(found[1]), gid: Number(found[2]) };
  } catch {
    return NOBODY;
  }
}

/** Whether the identity can pass through this folder and all its parents. */
export function canReach(folder: string, identity: Identity | undefined): boolean {
  if (identity === undefined) return true;
  for (let at = realpathSync(folder); ; at = dirname(at)) {
    const { uid, gid, mode } = statSync(at);
    if ((mode & searchBit({ uid, gid }, identity)) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function searchBit(owner: Identity, identity: Identity): number {
  if (owner.uid === identity.uid) return 0o100;
  return owner.gid === identity.gid ? 0o010 : 0o001;
}
