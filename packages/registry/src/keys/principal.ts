import type { KeyKind } from '@tickrate/contract';

/** Who calls: what a key stands for. */
export interface Principal {
  readonly keyId: string;
  /** The first of the keys that replaced one another up to this one; null for a session. */
  readonly keyLine: string | null;
  readonly kind: KeyKind;
  readonly projectId: string;
  readonly scopes: readonly string[];
  /** The web origins that may use the key; null means any. */
  readonly origins: readonly string[] | null;
  readonly sessionId: string | null;
  readonly accountId: string | null;
  /** From this time on the key is refused. */
  readonly expiresMs: number | null;
}

/**
 * Finds principals by the hex of the SHA-256 of their key, many in one call. What is revoked or unknown is left out.
 * Rejects when it cannot know.
 */
export type PrincipalSource = (hashes: readonly string[]) => Promise<ReadonlyMap<string, Principal>>;
