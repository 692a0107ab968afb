import type { Consent, DeviceToken } from './saved-state.ts';

/** What `Tickrate.open` takes. */
export interface Options {
  /** Address of the gateway, or of anything that answers `/.well-known/tickrate`. */
  readonly url: string;
  /** A public key of the project. */
  readonly key: string;
  /** Address of auth. The default is what `/.well-known/tickrate` says, otherwise `url`. */
  readonly sessionsUrl?: string;
  /** The default is what was remembered, otherwise `unknown`: nothing is sent and nothing is stored. */
  readonly consent?: Consent;
  /** `device` (the default) makes an account of this installation. `key` sends with the key alone, as nobody. */
  readonly account?: 'device' | 'key';
  /** Node: the folder of the buffer. The default is one for a key and its successors in the folder of the user's application data. */
  readonly folder?: string;
  /** Reports what a developer must mend. `true` writes to the console. Leave it out in builds for players. */
  readonly debug?: boolean | ((message: string) => void);
  /** Called if events of a player wait because only the player can sign in again. */
  readonly onSignInNeeded?: () => void;
  /** The `traceparent` (W3C Trace Context) to send with a request of events, if the game has one. */
  readonly traceparent?: () => string | undefined;
  /** For tests of this SDK. */
  readonly tuning?: Tuning;
}

export interface Tuning {
  readonly sealAfterMs?: number;
  readonly sealBytes?: number;
  readonly sealEvents?: number;
  readonly bufferBytes?: number;
  readonly maxAgeMs?: number;
  readonly backoffFromMs?: number;
  readonly backoffToMs?: number;
}

/** What generated code makes of the members of an event. */
export interface TickrateEvent {
  readonly eventType: string;
  readonly eventTypeVersion?: number;
  /** When it happened, if not now: RFC 3339. */
  readonly occurredAt?: string;
  readonly event: object;
}

/** Why events were lost: see docs/clients.md. */
export type LossReason =
  | 'bufferFull'
  | 'tooOld'
  | 'tooLarge'
  | 'diskFull'
  | 'storage'
  | 'torn'
  | 'damaged'
  | 'rejected'
  | 'refused'
  | 'consent'
  | 'closed';

/** What `onLoss` reports. */
export interface Loss {
  readonly reason: LossReason;
  readonly count: number;
}

/** A session of a player, as a segment's principal needs it. */
export interface Session {
  readonly apiKey: string;
  readonly accountId: string;
  /** UNIX seconds. */
  readonly start: number;
  readonly expiry: number;
  readonly device?: DeviceToken;
}

/** What a public key shares with the keys that succeed it by rotation. */
export function lineOf(key: string): string {
  return key.slice(0, 12);
}
