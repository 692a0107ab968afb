import type { RandomBytes } from '@tickrate/contract';
import type { Queryable } from '@tickrate/postgres';
import type { Sealer } from './provider-secrets.ts';

/** What the calls of the registry use. A call that changes several rows needs a transaction as `db`. */
export interface RegistryDeps {
  readonly db: Queryable;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  /** Null in a process that neither reads nor writes secrets. */
  readonly sealer: Sealer | null;
}
