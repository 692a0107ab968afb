import { createMemoryStore } from '../core/memory-store.ts';
import type { Options } from '../core/options.ts';
import { type Platform, systemPlatform } from '../core/platform.ts';
import type { Store } from '../core/store.ts';
import { Tickrate as Client } from '../sign-in/tickrate.ts';
import { createFileStore, defaultFolder } from './file-store.ts';

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
    const store: Store = createMemoryStore();
    const client = await Tickrate.start({ options, platform, store });
    client.core.tell('folder', `${folder} cannot be written: ${String(error)}`);
    return client;
  }
}
