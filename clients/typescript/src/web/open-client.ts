import type { Client } from '../core/client.ts';
import type { ClientPlace } from '../core/core.ts';
import { createMemoryStore } from '../core/memory-store.ts';
import { lineOf, type Options } from '../core/options.ts';
import { type Platform, systemPlatform } from '../core/platform.ts';
import { createIndexedDbStore } from './indexed-db-store.ts';

const webTuning = { sealBytes: 48 * 1024, bufferBytes: 2 * 1024 * 1024 };

/** Opens a client with its buffer in IndexedDB, and ties it to the life of the page. Never rejects. */
export async function openClient<C extends Client>(
  start: (place: ClientPlace) => Promise<C>,
  given: Options,
  platform: Platform = systemPlatform(),
): Promise<C> {
  const options = { ...given, tuning: { ...webTuning, ...given.tuning } };
  const store = createIndexedDbStore(lineOf(given.key), platform.randomHex);
  const client = await start({ options, platform, store }).catch(() =>
    start({ options, platform, store: createMemoryStore() }),
  );
  if (typeof document === 'undefined') return client;
  document.addEventListener('visibilitychange', () =>
    client.background(document.visibilityState === 'hidden'),
  );
  addEventListener('pagehide', () => client.background());
  return client;
}
