import type { IncomingMessage } from 'node:http';
import { apiKeyPrefix, systemError } from '@tickrate/contract';
import { apiKeyOf, type RequestContext } from '@tickrate/platform';
import { type Principal, type RegistryCache, RegistryUnavailable } from '@tickrate/registry';
import type { Unavailable } from './unavailable.ts';

/**
 * Who sends this request. Synchronous when the key is known here, which it is for all but the first request of a key.
 * Throws or rejects with 2001, 2002, 2007, or 6001 when an unknown key cannot be looked up.
 */
export type Authenticate = (context: RequestContext) => Principal | Promise<Principal>;

export function createAuthenticate(
  registry: Pick<RegistryCache, 'principal'>,
  unavailable: Unavailable,
): Authenticate {
  return (context) => {
    const text = apiKeyOf(context.request, { allowQuery: true });
    if (text === null) throw systemError('apiKeyMissing');
    const found = registry.principal(text);
    if (!(found instanceof Promise)) return admit(context, text, found);
    return found.then(
      (principal) => admit(context, text, principal),
      (error: unknown) => {
        throw error instanceof RegistryUnavailable ? unavailable(error) : error;
      },
    );
  };
}

function admit(context: RequestContext, text: string, principal: Principal | null): Principal {
  if (principal === null) throw systemError('apiKeyInvalid');
  context.keyPrefix = apiKeyPrefix(text);
  context.projectId = principal.projectId;
  if (!isOriginAllowed(context.request, principal)) throw systemError('originNotAllowed');
  return principal;
}

function isOriginAllowed(request: IncomingMessage, { origins }: Principal): boolean {
  const { origin } = request.headers;
  return origins === null || origin === undefined || origins.includes(origin);
}
