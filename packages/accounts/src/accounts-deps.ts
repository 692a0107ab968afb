import type { RandomBytes } from '@tickrate/contract';
import type { Postgres } from '@tickrate/postgres';

/** Keyed hashes of secrets and addresses: the same parts give the same bytes, and the bytes reveal nothing. */
export interface Keyring {
  mac(purpose: string, ...parts: readonly string[]): Buffer;
}

/** Encrypts what the database must not reveal. */
export interface SealingBox {
  seal(text: string): Buffer;
  /** Throws for bytes that this box has not sealed. */
  open(bytes: Uint8Array): string;
}

/** Takes as long without a stored hash as with one. `rehash` is set if the hash needs newer parameters. */
export type VerifyPassword = (
  stored: string | null,
  derived: string,
) => Promise<{ readonly ok: boolean; readonly rehash: string | null }>;

/** What the calls on accounts need. */
export interface AccountsDeps {
  readonly db: Postgres;
  readonly keyring: Keyring;
  readonly box: SealingBox;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly newId: () => string;
  readonly verifyPassword: VerifyPassword;
}
