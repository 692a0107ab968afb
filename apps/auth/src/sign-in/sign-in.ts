import type { Database, ExchangeRow, RandomBytes, SessionRow } from '@tickrate/accounts';
import type { AuthenticationRequest, ProviderSettings } from '@tickrate/contract';
import type { SecretBox } from '@tickrate/platform';
import type { Principal } from '@tickrate/registry';
import type { Policies } from '../exchange/facts.ts';
import type { Credentials } from './credentials.ts';
import type { Keyring } from './keyring.ts';

/** The realm of administrators; a player's realm is the project. */
export const installationRealm = 'installation';

/** One request on its way through the exchange. */
export interface SignIn {
  readonly request: AuthenticationRequest;
  readonly credentials: Credentials;
  readonly principal: Principal;
  /** The session whose key was sent; null for a public key. */
  readonly live: SessionRow | null;
  readonly realm: string;
  readonly role: string;
  readonly clientAddress: string;
  readonly requestId: string;
  readonly settings: ProjectSettings;
  readonly exchange: ExchangeRow;
  /** The same for the same request of the same sender, and for no other. */
  readonly fingerprint: Buffer;
  /** The client named the exchange itself. */
  readonly named: boolean;
}

export interface ProjectSettings {
  readonly policies: Policies;
  readonly providers: ProviderSettings;
}

/** What every part of the sign-in stands on. */
export interface Ground {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly box: SecretBox;
  readonly now: () => number;
  readonly randomBytes: RandomBytes;
  readonly newId: () => string;
}
