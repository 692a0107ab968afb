import type { ProviderSettings } from '@tickrate/contract';

export type ProviderName = 'steam' | 'itchIo' | 'discord' | 'openId' | 'device' | 'deviceTest';

/** A token as a client sent it; `fields` are named as in the AuthenticationRequest. */
export interface PresentedToken {
  readonly provider: ProviderName;
  readonly index: number;
  readonly fields: Readonly<Record<string, string | null>>;
}

/**
 * What a platform vouches for. The key of an identity is (provider, tenant, subject), never the address. `tenant` is the
 * issuer where subjects mean something to one issuer only, and '' where the platform numbers all of its users itself.
 */
export interface ProvenIdentity {
  readonly provider: string;
  readonly tenant: string;
  readonly subject: string;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly email: { readonly address: string; readonly verified: boolean } | null;
  readonly attributes: Readonly<Record<string, string | boolean>>;
}

/** `detail` is for audit and logs, and never a secret. */
export type TokenVerdict =
  | { readonly status: 'accepted'; readonly identity: ProvenIdentity }
  | {
      readonly status: 'rejected' | 'expired' | 'alreadyUsed' | 'notConfigured' | 'banned';
      readonly detail: string;
    }
  | { readonly status: 'unavailable'; readonly retryAfterSeconds: number; readonly detail: string }
  | { readonly status: 'misconfigured'; readonly detail: string };

/** Asks the platforms. Never rejects, and gives one verdict per token, in their order, within its deadline. */
export interface TokenVerifier {
  /** `realm` is where secrets that we issued are looked for. */
  verify(
    settings: ProviderSettings,
    tokens: readonly PresentedToken[],
    realm: string,
  ): Promise<readonly TokenVerdict[]>;
}

export interface Presented {
  readonly settings: ProviderSettings;
  readonly fields: PresentedToken['fields'];
  readonly realm: string;
  /** Aborted when nobody waits for the verdict any more. */
  readonly signal: AbortSignal;
}

/** One platform's check. A rejection is a fault of ours and not a verdict. */
export type Provider = (presented: Presented) => Promise<TokenVerdict>;
