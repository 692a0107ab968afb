import type { Options } from './options.ts';
import type { Platform } from './platform.ts';
import type { Store } from './store.ts';

/** Reports what a developer must mend: each id once, and nothing in builds for players. */
export type Tell = (id: string, message: string) => void;

/** What every part of a client needs. */
export interface ClientParts {
  readonly options: Options;
  readonly platform: Platform;
  readonly store: Store;
  readonly tell: Tell;
}

export function createTell({ debug }: Pick<Options, 'debug'>): Tell {
  const told = new Set<string>();
  return (id, message) => {
    if (!debug || told.has(id)) return;
    told.add(id);
    if (typeof debug === 'function') debug(message);
    // biome-ignore lint/suspicious/noConsole: the developer asked for it
    else console.warn(`tickrate: ${message}`);
  };
}
