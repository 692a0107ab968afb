import type { IncomingMessage } from 'node:http';
import { contextOf, type RequestContext } from '@tickrate/platform';
import type { Principal, ProjectPolicies } from '@tickrate/registry';
import { unavailable } from '../limits/unavailable.ts';
import type { GatewayParts } from '../parts.ts';
import { authenticate } from './authenticate.ts';
import type { InsertCall } from './insert-call.ts';
import { readInsertQuery } from './insert-query.ts';

/** Identifies the sender and checks its limits. Synchronous if both are known here. Throws or rejects with the refusal. */
export function beginCall(parts: GatewayParts, request: IncomingMessage): InsertCall | Promise<InsertCall> {
  const context = contextOf(request);
  const isNewClient = context.connection?.requests === 1;
  if (parts.overload.isOverloaded({ isNewClient })) throw unavailable(parts.random);
  const known = authenticate(parts, context);
  if (known instanceof Promise) return known.then((principal) => checkLimits(parts, context, principal));
  return checkLimits(parts, context, known);
}

function checkLimits(
  parts: GatewayParts,
  context: RequestContext,
  principal: Principal,
): InsertCall | Promise<InsertCall> {
  const check = ({ rates, quotas }: ProjectPolicies): InsertCall | Promise<InsertCall> => {
    parts.rates.check({ context, principal, rates });
    const checking = parts.quotas.check(principal.projectId, quotas);
    return checking === undefined
      ? callOf(context, principal)
      : checking.then(() => callOf(context, principal));
  };
  const policies = parts.registry.policies(principal.projectId);
  return policies instanceof Promise ? policies.then(check) : check(policies);
}

function callOf(context: RequestContext, principal: Principal): InsertCall {
  const { request, receivedMs } = context;
  return { context, principal, query: readInsertQuery(request), receivedMs };
}

/**
 * Rejects if a sender whose request began may not continue: its key was revoked, or the quota of its project is used up.
 */
export async function checkStillAllowed(parts: GatewayParts, { context }: InsertCall): Promise<void> {
  const { projectId } = await authenticate(parts, context);
  const { quotas } = await parts.registry.policies(projectId);
  await parts.quotas.check(projectId, quotas);
}
