import { Client } from '../core/client.ts';
import type { Options } from '../core/options.ts';
import type { Platform } from '../core/platform.ts';
import { openClient } from './open-client.ts';

export type * from '../public-types.ts';

/** The client for web pages without `signIn`. */
export const Tickrate = {
  open: (options: Options, platform?: Platform): Promise<Client> =>
    openClient((place) => Client.start(place), options, platform),
};
