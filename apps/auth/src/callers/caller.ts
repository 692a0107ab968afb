import { type Actor, findSession, type SessionActor, type SessionRow } from '@tickrate/accounts';
import {
  apiKeyPrefix,
  hashApiKey,
  type Operation,
  type OperationAnswer,
  requireOrigin,
  systemError,
} from '@tickrate/contract';
import {
  type answered,
  apiKeyOf,
  type OperationCall,
  type OperationRoute,
  operationRoute,
  type RequestContext,
} from '@tickrate/platform';
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

function sessionOf({ live }: Caller): SessionRow {
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

/** A caller with the key of a session. It can reach only the account of the session, in the realm of the session. */
export interface SessionCaller {
  readonly context: RequestContext;
  readonly session: SessionRow;
  readonly apiKey: string;
}

type SessionCall<O extends Operation> = AnyCall<O> & SessionCaller;

/** A caller with a public key or the key of a session. */
export type AnyCall<O extends Operation = Operation> = OperationCall<O, Caller>;

/** A call of the session API, with the parts that it uses. */
export type AuthRoute = (parts: AuthParts) => OperationRoute<Caller>;

/** A call that requires the key of a session. */
export function sessionRoute<const O extends Operation>(
  operation: O,
  handle: (parts: AuthParts, call: SessionCall<O>) => Promise<OperationAnswer<O> | typeof answered>,
): AuthRoute {
  return anyKeyRoute(operation, (parts, call) =>
    handle(parts, { ...call, session: sessionOf(call.caller), apiKey: call.caller.apiKey }),
  );
}

/** A call that accepts a public key too. */
export function anyKeyRoute<const O extends Operation>(
  operation: O,
  handle: (parts: AuthParts, call: AnyCall<O>) => Promise<OperationAnswer<O> | typeof answered>,
): AuthRoute {
  return (parts) => operationRoute<Caller, O>(operation, (call) => handle(parts, call));
}

/** The caller of an act, for the audit trail. */
export function actorOf({ context, caller }: Pick<AnyCall, 'context' | 'caller'>): Actor {
  const { requestId, clientAddress } = context;
  const { live, principal } = caller;
  return { projectId: principal.projectId, sessionId: live?.id ?? null, requestId, clientAddress };
}

/** The account of the session acts on itself. */
export function selfOf({ context, session }: SessionCaller): SessionActor {
  const { requestId, clientAddress } = context;
  return { session, requestId, clientAddress };
}
