import type { Options, Tuning } from './options.ts';
import type { Platform } from './platform.ts';
import type { Store } from './store.ts';

/** What a client is made of: options, and the place where it runs. */
export interface ClientPlace {
  readonly options: Options;
  readonly platform: Platform;
  readonly store: Store;
}

/**
 * What every part of a client uses, and none changes. A part adds itself for those after it, in this order: the device's state, the
 * connection, the accounts, the segments, the sender. Each holds its own state, and the others call it.
 */
export interface Core extends ClientPlace {
  readonly tuned: Required<Tuning>;
  readonly report: Report;
}

export const defaultTuning: Required<Tuning> = {
  sealAfterMs: 30_000,
  sealBytes: 65_536,
  sealEvents: 500,
  bufferBytes: 8 * 1024 * 1024,
  maxAgeMs: 28 * 86_400_000,
  backoffFromMs: 1_000,
  backoffToMs: 300_000,
};

/**
 * Reports what a developer must mend. Players never see it, so the texts are in a file of their own, which is loaded in
 * debug mode only.
 */
export type Report = (problem: Problem, detail?: unknown) => void;

export type Problem =
  | 'consent'
  | 'track'
  | 'tooLarge'
  | 'storage'
  | 'seal'
  | 'read'
  | 'deleted'
  | 'send'
  | 'state'
  | 'device'
  | 'sessions'
  | 'changed'
  | 'folder'
  | 'address'
  | 'answer';

export const silence = () => undefined;
