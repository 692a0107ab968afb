import type { ProviderSettings } from '@tickrate/contract';

export type ProviderName = 'steam' | 'itchIo' | 'discord' | 'openId' | 'device' | 'deviceTest';

/** A token as a client sent it; `fields` have the names of the AuthenticationRequest. */
export interface PresentedToken {
  readonly provider: ProviderName;
  readonly index: number;
  readonly fields: Readonly<Record<string, string | null>>;
}

/** The same for the same token with all its members. */
export function nameOfToken({ provider, fields }: PresentedToken): string {
  return JSON.stringify([provider, Object.entries(fields).toSorted()]);
}

/**
 * The user that a platform confirms. The key of an identity is (provider, tenant, subject), never the address. `tenant`
 * is the issuer if subjects are unique within one issuer, and '' if the platform numbers all of its users itself.
 */
export interface ProvenIdentity {
  readonly provider: string;
  readonly tenant: string;
  readonly subject: string;
  readonly displayName: string | null;
  readonly avatarUrl: string | null;
  readonly email: { readonly address: string; readonly verified: boolean } | null;
  readonly attributes: Readonly<Record<string, string | boolean>>;
  /** Null if the token names none. Only where the connection has a claim for them. */
  readonly groups?: readonly string[] | null;
}

/** `detail` is for the audit trail and logs, and never contains a secret. */
export type TokenVerdict =
  | { readonly status: 'accepted'; readonly identity: ProvenIdentity }
  | {
      readonly status: 'rejected' | 'expired' | 'alreadyUsed' | 'notConfigured' | 'banned';
      readonly detail: string;
    }
  | { readonly status: 'unavailable'; readonly retryAfterSeconds: number; readonly detail: string }
  | { readonly status: 'misconfigured'; readonly detail: string };

/** The verdict on the token of a user whom the platform numbers among all of its users. */
export function accept(
  provider: ProviderName,
  subject: string,
  more: Partial<ProvenIdentity> = {},
): TokenVerdict & { readonly status: 'accepted' } {
  const nothing = { tenant: '', displayName: null, avatarUrl: null, email: null, attributes: {} };
  return { status: 'accepted', identity: { ...nothing, provider, subject, ...more } };
}

/** Calls the platforms. Never rejects. Returns one verdict per token, in their order, within its deadline. */
export interface TokenVerifier {
  /** `realm` contains the secrets that we issued. */
  verify(
    settings: ProviderSettings,
    tokens: readonly PresentedToken[],
    realm: string,
  ): Promise<readonly TokenVerdict[]>;
}

/** The check of one platform. A rejection is a fault of ours and not a verdict. */
export type Provider = (presented: {
  readonly settings: ProviderSettings;
  readonly fields: PresentedToken['fields'];
  readonly realm: string;
  /** Aborted when no caller waits for the verdict. */
  readonly signal: AbortSignal;
}) => Promise<TokenVerdict>;
