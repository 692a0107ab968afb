import { apiKeyPrefix, requireOrigin, systemError } from '@tickrate/contract';
import { apiKeyOf, type RequestContext } from '@tickrate/platform';
import { PostgresUnavailable } from '@tickrate/postgres';
import type { Principal, RegistryCache } from '@tickrate/registry';
import { unavailable } from '../limits/unavailable.ts';

interface KnownKeys {
  readonly registry: Pick<RegistryCache, 'principal' | 'lateSender' | 'endedSession'>;
  readonly random: () => number;
}

/**
 * Identifies the sender of a request. A player's session may send for 30 days after its end, except after a ban.
 * Synchronous if the key is known here, which is true except for the first request of a key. Throws or rejects with
 * 2001, 2002, 2004, 2007, or with 6001 if an unknown key cannot be looked up.
 */
export function authenticate(
  { registry, random }: KnownKeys,
  context: RequestContext,
): Principal | Promise<Principal> {
  const text = apiKeyOf(context.request, { allowQuery: true });
  if (text === null) throw systemError('apiKeyMissing');
  const found = registry.principal(text) ?? registry.lateSender(text);
  if (found !== null && !(found instanceof Promise)) return admit(context, text, found);
  return Promise.resolve(found)
    .then(async (principal) => principal ?? (await registry.lateSender(text)))
    .then((principal) => (principal === null ? refuse(registry, text) : admit(context, text, principal)))
    .catch((error: unknown) => {
      throw error instanceof PostgresUnavailable ? unavailable(random, error) : error;
    });
}

async function refuse(registry: KnownKeys['registry'], text: string): Promise<never> {
  const invalidSessionId = await registry.endedSession(text);
  throw invalidSessionId === null
    ? systemError('apiKeyInvalid')
    : systemError('sessionExpired', { invalidSessionId });
}

function admit(context: RequestContext, text: string, principal: Principal): Principal {
  context.keyPrefix = apiKeyPrefix(text);
  context.projectId = principal.projectId;
  requireOrigin(principal.origins, context.request.headers.origin);
  return principal;
}
