import type { KeyKind } from '@tickrate/contract';

/** The caller that a key identifies. */
export interface Principal {
  readonly keyId: string;
  /** The first key of its rotation line. Null for a session. */
  readonly keyLine: string | null;
  readonly kind: KeyKind;
  readonly projectId: string;
  readonly scopes: readonly string[];
  /** The web origins that can use the key. Null means any. */
  readonly origins: readonly string[] | null;
  readonly sessionId: string | null;
  readonly accountId: string | null;
  /** The key is rejected from this time. */
  readonly expiresMs: number | null;
  /** Until this time, a player's ended session may still send events. Null for any other key, and after a ban. */
  readonly lateEventsUntilMs: number | null;
}

/**
 * Finds principals by the hex of the SHA-256 of their key, many in one call. Leaves out revoked and unknown keys.
 * Rejects if it cannot read them.
 */
export type PrincipalSource = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Principal>>;
