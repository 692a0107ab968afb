import type { Actor, SessionActor, SessionRow } from '@tickrate/accounts';
import { type Operation, type OperationAnswer, type OperationInput, systemError } from '@tickrate/contract';
import {
  type answered,
  type OperationCall,
  type OperationRoute,
  operationRoute,
  type RequestContext,
} from '@tickrate/platform';
import type { CheckAddress } from './address-rates.ts';
import type { Caller, IdentifyCaller } from './identify-caller.ts';
import { isRecent } from './recent-sign-in.ts';

/** A caller with the key of a session. It can reach only the account of the session, in the realm of the session. */
export interface SessionCaller {
  readonly context: RequestContext;
  readonly session: SessionRow;
  readonly apiKey: string;
}

export interface SessionCall<O extends Operation> extends OperationInput<O>, SessionCaller {
  /** JSON pointers of the first members of the body that were ignored. */
  readonly unknownMembers: readonly string[];
}

/** A caller with a public key or the key of a session. */
export type AnyCaller = Pick<OperationCall<Operation, Caller>, 'context' | 'caller'>;

export type AnyCall<O extends Operation> = OperationCall<O, Caller>;

export type AuthRoute = OperationRoute<Caller>;

/** A call that requires the key of a session. */
export function sessionRoute<const O extends Operation>(
  operation: O,
  handle: (call: SessionCall<O>) => Promise<OperationAnswer<O> | typeof answered>,
): AuthRoute {
  return operationRoute<Caller, O>(operation, ({ params, query, body, unknownMembers, context, caller }) =>
    handle({
      params,
      query,
      body,
      unknownMembers,
      context,
      session: sessionOf(caller),
      apiKey: caller.apiKey,
    }),
  );
}

/** A call that accepts a public key too. */
export function anyKeyRoute<const O extends Operation>(
  operation: O,
  handle: (call: AnyCall<O>) => Promise<OperationAnswer<O> | typeof answered>,
): AuthRoute {
  return operationRoute<Caller, O>(operation, handle);
}

/** The caller of an act, for the audit trail. */
export function actorOf({ context, caller }: AnyCaller): Actor {
  const { requestId, clientAddress } = context;
  const { live, principal } = caller;
  return { projectId: principal.projectId, sessionId: live?.id ?? null, requestId, clientAddress };
}

/** The account of the session acts on itself. */
export function selfOf({ context, session }: SessionCaller): SessionActor {
  const { requestId, clientAddress } = context;
  return { session, requestId, clientAddress };
}

interface AdmitDeps {
  readonly identify: IdentifyCaller;
  readonly checkAddress: CheckAddress;
  /** Calls that hash a password or send a mail. They count against the rates of the client address, like a sign-in. */
  readonly costly: ReadonlySet<Operation>;
}

/** Identifies the caller of an operation before its body is read. Rejects like `IdentifyCaller`, and with 6002. */
export function createAdmitCaller({ identify, checkAddress, costly }: AdmitDeps) {
  return async (context: RequestContext, operation: Operation): Promise<Caller> => {
    const isPublic = operation.keys.includes('public');
    const caller = await identify(context, isPublic ? 'public' : 'session');
    if (!isPublic) sessionOf(caller);
    if (costly.has(operation)) await checkAddress(context);
    return caller;
  };
}

function sessionOf({ live }: Caller): SessionRow {
  if (live === null) throw systemError('apiKeyKindNotPermitted', { expectedSessionType: 'session' });
  return live;
}

/** A change of the sign-in methods requires credentials that were proven recently. Throws 2005. */
export function requireRecentSignIn(session: SessionRow, nowMs: number): void {
  if (isRecent(session, nowMs)) return;
  throw systemError(
    'notPermitted',
    {},
    { fields: 'sign in again first: this needs a sign-in within 15 minutes' },
  );
}
