import type { Options } from '../core/options.ts';
import type { Platform } from '../core/platform.ts';
import { Tickrate as Client } from '../sign-in/tickrate.ts';
import { openClient } from './open-client.ts';

export type * from '../public-types.ts';

/** The client for web pages. */
export class Tickrate extends Client {
  /** Opens the buffer, recovers what earlier pages left, and begins to send. Never rejects. */
  static open(options: Options, platform?: Platform): Promise<Tickrate> {
    return openClient((place) => Tickrate.start(place), options, platform);
  }
}
