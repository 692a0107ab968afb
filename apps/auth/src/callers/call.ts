import type { Actor, SessionActor, SessionRow } from '@tickrate/accounts';
import type { Operation, OperationAnswer, OperationInput } from '@tickrate/contract';
import {
  type answered,
  type OperationCall,
  type OperationRoute,
  operationRoute,
  type RequestContext,
} from '@tickrate/platform';
import type { AuthParts } from '../parts.ts';
import { type Caller, sessionOf } from './caller.ts';

/** A caller with the key of a session. It can reach only the account of the session, in the realm of the session. */
export interface SessionCaller {
  readonly context: RequestContext;
  readonly session: SessionRow;
  readonly apiKey: string;
}

interface SessionCall<O extends Operation> extends OperationInput<O>, SessionCaller {
  /** JSON pointers of the first members of the body that were ignored. */
  readonly unknownMembers: readonly string[];
}

/** A caller with a public key or the key of a session. */
export type AnyCall<O extends Operation = Operation> = OperationCall<O, Caller>;

/** A call of the session API, with the parts that it uses. */
export type AuthRoute = (parts: AuthParts) => OperationRoute<Caller>;

/** A call that requires the key of a session. */
export function sessionRoute<const O extends Operation>(
  operation: O,
  handle: (parts: AuthParts, call: SessionCall<O>) => Promise<OperationAnswer<O> | typeof answered>,
): AuthRoute {
  return anyKeyRoute(operation, (parts, { params, query, body, unknownMembers, context, caller }) => {
    const { apiKey } = caller;
    return handle(parts, {
      params,
      query,
      body,
      unknownMembers,
      context,
      session: sessionOf(caller),
      apiKey,
    });
  });
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
