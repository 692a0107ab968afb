import type { Accounts, TokenMemory } from '@tickrate/accounts';
import type { Erasures, Quarantine } from '@tickrate/pipeline';
import type { Registry, RegistryCache } from '@tickrate/registry';
import type { Warehouse } from '@tickrate/warehouse';
import type { StudioProvider } from './administrators/studio-provider.ts';
import type { AuthEvents } from './auth-events.ts';
import type { CheckAddress } from './callers/address-rates.ts';
import type { AuthValues } from './config.ts';
import type { MailFlows } from './mail/mail-flows.ts';
import type { PasswordHasher } from './passwords/password-hasher.ts';
import type { JudgePassword } from './passwords/password-weakness.ts';
import type { ReadSettings } from './sign-in/settings.ts';
import type { AnsweredSignIn } from './sign-in/sign-in.ts';
import type { VerifyTokens } from './sign-in/verify-tokens.ts';

/** What the calls of the session API use. `app.ts` creates it, and the functions of the rooms take it. */
export interface AuthParts {
  readonly config: Pick<AuthValues, 'adminSignup' | 'adminOidcTrustAddresses'>;
  readonly events: AuthEvents;
  /** The accounts in PostgreSQL, the keys that protect their secrets, and the clock. */
  readonly accounts: Accounts;
  readonly registry: Registry;
  /** Public keys, cached from PostgreSQL. */
  readonly cache: RegistryCache;
  readonly readSettings: ReadSettings;
  readonly checkAddress: CheckAddress;
  readonly isAdministratorAddress: (address: string) => boolean;
  readonly verifyTokens: VerifyTokens;
  /** Signs administrators in. Null unless it is configured. */
  readonly studio: StudioProvider | null;
  /** The claims that its ID tokens lack, as JSON, by their hash. */
  readonly userinfo: Pick<TokenMemory, 'recall' | 'remember'>;
  readonly hasher: PasswordHasher;
  readonly judgePassword: JudgePassword;
  readonly mails: MailFlows;
  /** By its fingerprint: each sign-in that is in progress at this process. */
  readonly inFlight: Map<string, Promise<AnsweredSignIn>>;
  /** The events of an account, for exports; null without ClickHouse. */
  readonly warehouse: Warehouse | null;
  readonly quarantine: Quarantine;
  readonly erasures: Erasures;
}
