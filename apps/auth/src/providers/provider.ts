export type ProviderName = 'steam' | 'itchIo' | 'discord' | 'openId' | 'device' | 'deviceTest';

/** A token as a client sent it; `fields` are named as in the AuthenticationRequest. */
export interface PresentedToken {
  readonly provider: ProviderName;
  readonly index: number;
  readonly fields: Readonly<Record<string, string | null>>;
}

/** What a platform vouches for. The key of an identity is (provider, tenant, subject), never the address. */
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

/** What a project has configured. */
export interface ProviderSettings {
  /** Accepts any `deviceTest` token. Never on a live project. */
  readonly testMode: boolean;
}

/** One verdict for each token, in order. Never rejects; ends within its own deadline. */
export interface TokenVerifier {
  verify(settings: ProviderSettings, tokens: readonly PresentedToken[]): Promise<readonly TokenVerdict[]>;
}

/** Verifies the tokens of one platform. */
export type VerifyToken = (settings: ProviderSettings, token: PresentedToken) => Promise<TokenVerdict>;
