import { findSession, type SessionRow } from '@tickrate/accounts';
import { apiKeyPrefix, hashApiKey, type Operation, requireOrigin, systemError } from '@tickrate/contract';
import { apiKeyOf, type RequestContext } from '@tickrate/platform';
import type { Principal } from '@tickrate/registry';
import type { AuthParts } from '../parts.ts';

export interface Caller {
  readonly principal: Principal;
  readonly apiKey: string;
  /** Null for a public key. */
  readonly live: SessionRow | null;
}

/**
 * Identifies the caller of an operation before its body is read. `costly` operations hash a password or send a mail: they
 * count against the rates of the client address, like a sign-in. Rejects with 2001 to 2004 and 2007, with 6001 during an
 * outage, and with 6002.
 */
export async function admitCaller(
  parts: AuthParts,
  context: RequestContext,
  { operation, costly }: { readonly operation: Operation; readonly costly: ReadonlySet<Operation> },
): Promise<Caller> {
  const expected = operation.keys.includes('public') ? 'public' : 'session';
  const apiKey = apiKeyOf(context.request);
  if (apiKey === null) throw systemError('apiKeyMissing');
  const caller = await findCaller(parts, apiKey);
  const { principal } = caller;
  context.keyPrefix = apiKeyPrefix(apiKey);
  context.projectId = principal.projectId;
  if (principal.kind === 'administrative')
    throw systemError('apiKeyKindNotPermitted', { expectedSessionType: expected });
  requireOrigin(principal.origins, context.request.headers.origin);
  if (expected === 'session') sessionOf(caller);
  if (costly.has(operation)) await parts.checkAddress(context);
  return caller;
}

/** Reads sessions from their own store, so that an ended session is rejected at once. */
async function findCaller({ accounts, cache }: AuthParts, apiKey: string): Promise<Caller> {
  const isSession = apiKey.startsWith('tk_ses_');
  const session = isSession ? await findSession(accounts.db, hashApiKey(apiKey)) : null;
  if (session && (session.ended !== null || session.expires.getTime() <= accounts.now())) {
    throw systemError('sessionExpired', { invalidSessionId: session.id });
  }
  if (session) return { apiKey, live: session, principal: principalOf(session) };
  const principal = await cache.principal(apiKey);
  if (principal === null || principal.kind === 'session') throw systemError('apiKeyInvalid');
  return { apiKey, live: null, principal };
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

export function sessionOf({ live }: Caller): SessionRow {
  if (live === null) throw systemError('apiKeyKindNotPermitted', { expectedSessionType: 'session' });
  return live;
}

const recentMs = 15 * 60_000;

export function isRecent({ proven }: SessionRow, nowMs: number): boolean {
  return nowMs - proven.getTime() <= recentMs;
}

/** A change of the sign-in methods requires credentials that were proven recently. Throws 2005. */
export function requireRecentSignIn({ accounts }: AuthParts, session: SessionRow): void {
  if (isRecent(session, accounts.now())) return;
  const fields = 'sign in again first: this needs a sign-in within 15 minutes';
  throw systemError('notPermitted', {}, { fields });
}
