import { scopesInProject } from '@tickrate/accounts';
import { apiKeyPrefix, type Operation, requireOrigin, roleIn, systemError } from '@tickrate/contract';
import {
  addressBucket,
  apiKeyOf,
  type Counted,
  createRateLimiter,
  type RequestContext,
} from '@tickrate/platform';
import type { Principal, Registry, RegistryCache } from '@tickrate/registry';
import { type Caller, requireScope } from './caller.ts';
import { translateOutage } from './translate-outage.ts';

export interface AdmitDeps {
  /** Throws 6002. Checked before a key is looked up, and again when its owner is known. */
  readonly checkRates: (context: RequestContext, principal: Principal | null) => void;
  readonly cache: Pick<RegistryCache, 'principal' | 'endedSession'>;
  readonly registry: Pick<Registry, 'policies'>;
  /** Where a key is beside the headers of an API key, which come first: a browser's session, the password of a BI tool. */
  readonly keyOf: (context: RequestContext) => string | null;
}

/** The project that a page shows: another tab of the same session may have switched to another one. */
const projectHeader = 'x-tickrate-project';

/** Authenticates and authorizes a caller, and counts the call. Rejects with 2001 to 2008, 6001 or 6002. */
export function createAdmitCaller({ checkRates, cache, registry, keyOf }: AdmitDeps) {
  async function callerOf(principal: Principal): Promise<Caller> {
    const { kind, projectId, accountId } = principal;
    if (kind === 'administrative') {
      return { principal, kind, projectId, accountId: null, scopes: principal.scopes };
    }
    const role = roleIn(principal.scopes);
    if (kind === 'public' || role === null) {
      throw systemError('apiKeyKindNotPermitted', { expectedSessionType: 'administrative' });
    }
    const scopes = (await scopesInProject(registry, projectId, role)) ?? [];
    return { principal, kind, projectId, accountId, scopes };
  }

  async function refusalOf(text: string): Promise<Error> {
    const invalidSessionId = await translateOutage(() => cache.endedSession(text));
    if (invalidSessionId === null) return systemError('apiKeyInvalid');
    return systemError('sessionExpired', { invalidSessionId });
  }

  return async (context: RequestContext, operation: Operation): Promise<Caller> => {
    const text = apiKeyOf(context.request) ?? keyOf(context);
    if (text === null) throw systemError('apiKeyMissing');
    checkRates(context, null);
    const principal = await translateOutage(() => cache.principal(text));
    if (principal === null) throw await refusalOf(text);
    context.keyPrefix = apiKeyPrefix(text);
    context.projectId = principal.projectId;
    checkRates(context, principal);
    requireOrigin(principal.origins, context.request.headers.origin);
    requireProject(context, principal);
    const caller = await translateOutage(() => callerOf(principal));
    if (operation.scope !== undefined) requireScope(caller, operation.scope);
    return caller;
  };
}

/** Throws 2008, so that no page shows another project's data under the name of its own. */
function requireProject({ request }: RequestContext, { projectId }: Principal): void {
  const shown = request.headers[projectHeader];
  if (shown !== undefined && shown !== projectId) throw systemError('sessionInOtherProject', { projectId });
}

export interface ManagementRates {
  /** Requests per second; 0 means no limit. */
  readonly perAddress: number;
  readonly perKey: number;
  readonly now: () => number;
}

/** Counts in the memory of this process: first by address, before the key is known, and then by key. */
export function createCheckRates({ perAddress, perKey, now }: ManagementRates): AdmitDeps['checkRates'] {
  const limiter = createRateLimiter<'address' | 'key'>({
    policies: { address: rate(perAddress), key: rate(perKey) },
    now,
  });
  return (context, principal) => {
    const address: Counted<'address' | 'key'>[] =
      perAddress === 0 ? [] : [{ policy: 'address', key: addressBucket(context.clientAddress) }];
    const { response } = context;
    const refusal =
      principal === null
        ? limiter.take(address, { response })
        : limiter.take(perKey === 0 ? [] : [{ policy: 'key', key: principal.keyId }], {
            response,
            beside: address,
          });
    if (refusal !== null) throw refusal;
  };
}

function rate(perSecond: number) {
  return { perSecond, burst: Math.max(1, Math.ceil(perSecond)) };
}
