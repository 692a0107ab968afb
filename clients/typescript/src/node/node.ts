import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '../core/memory-store.ts';
import { lineOf, type Options } from '../core/options.ts';
import { type Platform, systemPlatform } from '../core/platform.ts';
import type { Store } from '../core/store.ts';
import { Tickrate as Client } from '../sign-in/tickrate.ts';
import { createFileStore } from './file-store.ts';
import { StateFile } from './state-file.ts';

export type * from '../public-types.ts';

/** A client for Node, Electron, Bun and Deno. */
export class Tickrate extends Client {
  /** Opens the buffer, recovers what earlier runs left, and begins to send. Never throws. */
  static async open(options: Options, platform: Platform = systemPlatform()): Promise<Tickrate> {
    const folder = options.folder ?? defaultFolder(options.key);
    const store = createFileStore(folder, platform.randomHex);
    try {
      return await Tickrate.start({ options, platform, store });
    } catch (error) {
      await store.close().catch(() => undefined);
      return Tickrate.#inMemory(options, { platform, folder, error });
    }
  }

  static async #inMemory(
    options: Options,
    { platform, folder, error }: { platform: Platform; folder: string; error: unknown },
  ): Promise<Tickrate> {
    // A folder that can be read names the account.
    const store: Store = createMemoryStore(new StateFile(folder, platform.randomHex).read());
    const client = await Tickrate.start({ options, platform, store });
    client.core.tell('folder', `${folder} cannot be written: ${String(error)}`);
    return client;
  }
}

/** The folder of a key and of its successors on this computer. */
function defaultFolder(key: string): string {
  const name = createHash('sha256').update(lineOf(key)).digest('hex').slice(0, 16);
  const home = homedir();
  const places: Partial<Record<NodeJS.Platform, string>> = {
    win32: join(home, 'AppData', 'Local'),
    darwin: join(home, 'Library', 'Application Support'),
  };
  return join(places[process.platform] ?? join(home, '.local', 'share'), 'tickrate', name);
}
