import type { Telemetry } from '@tickrate/platform';
import type { ProviderName, TokenVerdict } from './providers/provider.ts';

export type AuthEvents = ReturnType<typeof createAuthEvents>;

const platforms: readonly ProviderName[] = ['steam', 'itchIo', 'discord', 'openId'];

/** Named events of sign-in, in addition to its requests. */
export function createAuthEvents({ logger, metrics }: Telemetry) {
  const faults = metrics.counter({
    name: 'tickrate_auth_dependency_faults_total',
    help: 'Failed calls of sign-in to a dependency, by dependency',
    labels: ['dependency'],
  });
  const unknown = metrics.counter({
    name: 'tickrate_auth_unknown_members_total',
    help: 'Unknown members of requests, which were ignored',
  });
  const verdicts = metrics.counter({
    name: 'tickrate_auth_token_verdicts_total',
    help: 'Verdicts of platforms on tokens',
    labels: ['provider', 'status'],
    from: platforms.map((provider) => ({ provider, status: 'misconfigured' })),
  });
  return {
    /** The operator must fix rejected credentials. The detail contains no secret. */
    tokenVerdict(provider: ProviderName, { status, ...verdict }: TokenVerdict) {
      verdicts.inc({ provider, status });
      if (status !== 'misconfigured' || !('detail' in verdict)) return;
      logger.error(
        { provider, detail: verdict.detail },
        'a platform rejects our credentials for a provider: check the policy "providers"',
      );
    },
    studioProviderFault(detail: string) {
      logger.error({ detail }, 'the identity provider of administrators cannot be used');
    },
    deadGroupRules(rules: readonly string[]) {
      logger.error({ rules }, 'entries of ADMIN_OIDC_GROUPS have no effect: correct their project or role');
    },
    dependencyFault(dependency: string, err: unknown) {
      faults.inc({ dependency });
      logger.warn({ dependency, err }, 'a dependency failed');
    },
    unknownMembers(count: number) {
      unknown.inc(count);
    },
    resealed({ sealed, lost }: { readonly sealed: number; readonly lost: readonly string[] }) {
      if (sealed > 0)
        logger.info({ sealed }, 'provider secrets were encrypted again with the current SECRETS_KEY');
      if (lost.length > 0)
        logger.error(
          { projects: lost },
          'provider secrets cannot be decrypted: set the policy "providers" of these projects again',
        );
    },
    ownerCreated(email: string) {
      logger.info({ email }, 'the first administrator of the installation was created');
    },
  };
}
