import type { ProviderName, TokenVerifier, VerifyToken } from './provider.ts';

export interface TokenVerifierOptions {
  readonly providers: Partial<Readonly<Record<ProviderName, VerifyToken>>>;
  readonly onFault: (provider: ProviderName, error: unknown) => void;
}

/** All tokens side by side. One that cannot be verified now is unavailable, and never takes another one along. */
export function createTokenVerifier({ providers, onFault }: TokenVerifierOptions): TokenVerifier {
  return {
    verify: (settings, tokens) =>
      Promise.all(
        tokens.map(async (token) => {
          const verify = providers[token.provider];
          if (!verify) return { status: 'notConfigured' as const, detail: 'no such provider is configured' };
          try {
            return await verify(settings, token);
          } catch (error) {
            onFault(token.provider, error);
            return { status: 'unavailable' as const, retryAfterSeconds: 5, detail: 'the provider failed' };
          }
        }),
      ),
  };
}
