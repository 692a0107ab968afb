import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createMemoryStore } from '../core/memory-store.ts';
import { lineOf, type Options } from '../core/options.ts';
import { type Platform, systemPlatform } from '../core/platform.ts';
import type { Segments } from '../core/segments.ts';
import { type Store, StoreDeleted } from '../core/store.ts';
import { Tickrate as Client } from '../sign-in/tickrate.ts';
import { FileStore } from './file-store.ts';
import { StateFile } from './state-file.ts';

export type * from '../public-types.ts';

/** A client for Node, Electron, Bun and Deno. */
export class Tickrate extends Client {
  /** Opens the buffer, recovers what earlier runs left, and begins to send. Never throws. */
  static async open(options: Options, platform: Platform = systemPlatform()): Promise<Tickrate> {
    const folder = options.folder ?? defaultFolder(options.key);
    const store = new FileStore(folder, platform.randomHex);
    try {
      const client = await Tickrate.start({ options, platform, store });
      store.onDeleted = () => leaveDeleted(client.core.segments, store);
      return client;
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
    client.core.report('folder', `${folder} cannot be written: ${String(error)}`);
    return client;
  }
}

/**
 * Counts the sealed segments that a person deleted, except one that is sent now. The one that grows is sealed: it is written again
 * from its open file.
 */
function leaveDeleted(segments: Segments, store: FileStore): void {
  segments.seal();
  for (const segment of segments.sealed) {
    const { place, sealing, isSending } = segment;
    if (!sealing && !isSending && !store.isThere(place)) segments.isGone(segment, new StoreDeleted());
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
