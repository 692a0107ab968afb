import type { LookupFunction } from 'node:net';
import { withoutReordering } from '@tickrate/contract';
import type { JWTPayload } from 'jose';
import { createCircuitBreaker } from './circuit-breaker.ts';
import { createDeviceProvider, deviceTestProvider, type FindDeviceSecret } from './devices.ts';
import { createDiscordProvider } from './discord.ts';
import { createIssuerKeys } from './issuer-keys.ts';
import { createItchIoProvider } from './itch-io.ts';
import { createOpenIdProvider, type SpendToken } from './open-id.ts';
import { createOutboundHttp } from './outbound-http.ts';
import { createPlatformClient } from './platform-client.ts';
import type { Provider, ProviderName, TokenVerdict, TokenVerifier } from './provider.ts';
import { createSteamProvider } from './steam.ts';

interface TokenVerifierOptions {
  readonly findDeviceSecret: FindDeviceSecret;
  readonly spendToken: SpendToken;
  readonly moreClaims?: (hash: string) => Promise<JWTPayload>;
  /** Allows providers at plain HTTP and private addresses. */
  readonly development: boolean;
  readonly now: () => number;
  /** Receives our own faults; the token's verdict is then `unavailable`. */
  readonly onFault: (error: unknown, provider: ProviderName) => void;
  readonly onVerdict?: (provider: ProviderName, verdict: TokenVerdict) => void;
  readonly deadlineMs?: number;
  readonly lookup?: LookupFunction;
}

/** `close` closes idle connections to the platforms. */
interface ClosableTokenVerifier extends TokenVerifier {
  close(): void;
}

const usualDeadlineMs = 8_000;

export function createTokenVerifier(options: TokenVerifierOptions): ClosableTokenVerifier {
  const { now, onFault, onVerdict = () => undefined, deadlineMs = usualDeadlineMs } = options;
  const http = createOutboundHttp(options);
  const client = createPlatformClient(http, createCircuitBreaker(now));
  const providers: Readonly<Record<ProviderName, Provider>> = {
    steam: createSteamProvider(client),
    itchIo: createItchIoProvider(client),
    discord: createDiscordProvider(client, now),
    openId: createOpenIdProvider({
      keys: createIssuerKeys({ client, now }),
      spendToken: options.spendToken,
      moreClaims: options.moreClaims ?? (async () => ({})),
      now,
    }),
    device: createDeviceProvider(options.findDeviceSecret),
    deviceTest: deviceTestProvider,
  };
  return {
    async verify(settings, tokens, realm) {
      const deadline = startDeadline(deadlineMs);
      const verdicts = tokens.map(({ provider, fields }) => {
        const verdict = providers[provider]({ settings, fields, realm, signal: deadline.signal });
        const sure = verdict.catch((error: unknown): TokenVerdict => {
          onFault(error, provider);
          return unavailable('a fault of ours');
        });
        return Promise.race([sure, deadline.passed]).then((reached) => {
          onVerdict(provider, reached);
          return withPlainName(reached);
        });
      });
      return Promise.all(verdicts).finally(deadline.end);
    },
    close: http.close,
  };
}

function withPlainName(verdict: TokenVerdict): TokenVerdict {
  if (verdict.status !== 'accepted' || verdict.identity.displayName === null) return verdict;
  const displayName = withoutReordering(verdict.identity.displayName);
  return { ...verdict, identity: { ...verdict.identity, displayName } };
}

function startDeadline(deadlineMs: number) {
  const controller = new AbortController();
  const { promise: passed, resolve } = Promise.withResolvers<TokenVerdict>();
  const timer = setTimeout(() => {
    resolve(unavailable('there was no verdict in time'));
    controller.abort();
  }, deadlineMs);
  return { signal: controller.signal, passed, end: () => clearTimeout(timer) };
}

function unavailable(detail: string): TokenVerdict {
  return { status: 'unavailable', retryAfterSeconds: 5, detail };
}
