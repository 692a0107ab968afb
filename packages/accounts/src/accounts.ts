import type { RandomBytes } from '@tickrate/contract';
import type { KeyedLock } from '@tickrate/platform';
import type { Postgres } from '@tickrate/postgres';

/**
 * The accounts of players and administrators: what the calls on them use. Each call is one transaction, or one step that
 * is safe by itself. A refusal that the client receives is thrown as its error, and changes nothing. It closes nothing.
 */
export interface Accounts {
  readonly db: Postgres;
  readonly keyring: Keyring;
  readonly box: SealingBox;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly newId: () => string;
  readonly verifyPassword: VerifyPassword;
  /**
   * By the bucket of the attempts. Several correct passwords at once must not count as failures: each is charged only
   * after the one before is cleared.
   */
  readonly passwordLock: KeyedLock;
}

/** Keyed hashes of secrets and addresses: the same parts give the same bytes, and the bytes reveal nothing. */
export interface Keyring {
  mac(purpose: string, ...parts: readonly string[]): Buffer;
}

/** Encrypts what the database must not reveal. */
interface SealingBox {
  seal(text: string): Buffer;
  /** Throws for bytes that this box has not sealed. */
  open(bytes: Uint8Array): string;
}

/** Takes as long without a stored hash as with one. `rehash` is set if the hash needs newer parameters. */
type VerifyPassword = (
  stored: string | null,
  derived: string,
) => Promise<{ readonly ok: boolean; readonly rehash: string | null }>;
