import type { Accounts, SessionRow } from '@tickrate/accounts';
import { apiKeyPrefix, hashApiKey, systemError } from '@tickrate/contract';
import { apiKeyOf, type RequestContext } from '@tickrate/platform';
import type { Principal, RegistryCache } from '@tickrate/registry';

export interface Caller {
  readonly principal: Principal;
  readonly apiKey: string;
  /** Null for a public key. */
  readonly live: SessionRow | null;
}

export interface CallerDeps {
  readonly registry: Pick<RegistryCache, 'principal'>;
  readonly accounts: Pick<Accounts, 'sessions'>;
  readonly now: () => number;
}

export type IdentifyCaller = ReturnType<typeof createIdentifyCaller>;

/**
 * Identifies the caller by a public key or the key of a session. Reads sessions from their own store, so that an ended
 * session is rejected at once. Rejects with 2001 to 2004 and 2007, or with 6001 during an outage.
 */
export function createIdentifyCaller({ registry, accounts, now }: CallerDeps) {
  async function callerOf(apiKey: string): Promise<Caller> {
    const session = apiKey.startsWith('tk_ses_') ? await accounts.sessions.find(hashApiKey(apiKey)) : null;
    if (session && (session.ended !== null || session.expires.getTime() <= now())) {
      throw systemError('sessionExpired', { invalidSessionId: session.id });
    }
    if (session) return { apiKey, live: session, principal: principalOf(session) };
    const principal = await registry.principal(apiKey);
    if (principal === null || principal.kind === 'session') throw systemError('apiKeyInvalid');
    return { apiKey, live: null, principal };
  }

  return async (context: RequestContext, expected: 'public' | 'session' = 'public'): Promise<Caller> => {
    const text = apiKeyOf(context.request);
    if (text === null) throw systemError('apiKeyMissing');
    const caller = await callerOf(text);
    const { principal } = caller;
    context.keyPrefix = apiKeyPrefix(text);
    context.projectId = principal.projectId;
    if (principal.kind === 'administrative')
      throw systemError('apiKeyKindNotPermitted', { expectedSessionType: expected });
    const { origin } = context.request.headers;
    if (principal.origins !== null && origin !== undefined && !principal.origins.includes(origin)) {
      throw systemError('originNotAllowed');
    }
    return caller;
  };
}

function principalOf(session: SessionRow): Principal {
  return {
    keyId: session.id,
    keyLine: null,
    kind: 'session',
    projectId: session.project_id,
    scopes: [],
    origins: null,
    sessionId: session.id,
    accountId: session.account_id,
    expiresMs: session.expires.getTime(),
    lateEventsUntilMs: null,
  };
}
