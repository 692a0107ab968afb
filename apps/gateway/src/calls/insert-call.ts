import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RowSender } from '@tickrate/events';
import { senderScope } from '@tickrate/pipeline';
import { addressPrefix, contextOf, type RequestContext } from '@tickrate/platform';
import type { Principal, RegistryCache } from '@tickrate/registry';
import type { CheckQuota } from '../limits/check-quota.ts';
import type { CheckRates } from '../limits/rates.ts';
import type { TurnWatch } from '../limits/turn-watch.ts';
import type { Unavailable } from '../limits/unavailable.ts';
import type { RequestKey } from '../storing/idempotency.ts';
import type { Authenticate } from './authenticate.ts';
import { type InsertQuery, readInsertQuery } from './insert-query.ts';

/** A request whose sender is known and may send, its body not yet read. */
export interface InsertCall {
  readonly context: RequestContext;
  readonly principal: Principal;
  readonly query: InsertQuery;
  /** When its events were received, epoch milliseconds: of a stream, later ones later. */
  readonly receivedMs: number;
}

export type BeginCall = (request: IncomingMessage, response: ServerResponse) => Promise<InsertCall>;

export interface BeginDeps {
  readonly turns: TurnWatch;
  readonly unavailable: Unavailable;
  readonly authenticate: Authenticate;
  readonly policies: RegistryCache['policies'];
  readonly checkRates: CheckRates;
  readonly checkQuota: CheckQuota;
}

export function createBeginCall(deps: BeginDeps): BeginCall {
  const { turns, unavailable, authenticate, policies, checkRates, checkQuota } = deps;
  return async (request, response) => {
    const context = contextOf(request);
    if (turns.isLate({ isNewClient: context.connection?.requests === 1 })) throw unavailable();
    const known = authenticate(context);
    const principal = known instanceof Promise ? await known : known;
    const set = policies(principal.projectId);
    const { rates, quotas } = set instanceof Promise ? await set : set;
    checkRates({ context, principal, rates }, response);
    const checking = checkQuota(principal.projectId, quotas);
    if (checking !== undefined) await checking;
    return { context, principal, query: readInsertQuery(request), receivedMs: context.receivedMs };
  };
}

/** Throws when a sender whose request began may send no more: its key was revoked, its project's quota is used up. */
export type MayGoOn = (call: InsertCall) => Promise<void>;

export function createMayGoOn({ authenticate, policies, checkQuota }: BeginDeps): MayGoOn {
  return async ({ context }) => {
    const { projectId } = await authenticate(context);
    const { quotas } = await policies(projectId);
    await checkQuota(projectId, quotas);
  };
}

/** Under whose name the keys and ids of this request are, and which key it has. */
export function requestKeyOf({ principal, query }: InsertCall): RequestKey {
  const { idempotencyKey, eventType, eventTypeVersion } = query;
  const bodyType = eventType === null ? '' : `${eventType} ${eventTypeVersion ?? ''}`;
  return { scope: senderScope(principal), idempotencyKey, bodyType };
}

/** What the rows of this request say of who sent them. */
export function senderOf(
  { context, principal, query, receivedMs }: InsertCall,
  storesAddress: 'none' | 'prefix',
): RowSender {
  return {
    projectId: principal.projectId,
    keyKind: principal.kind,
    keyLine: principal.keyLine,
    sessionId: principal.sessionId ?? '',
    accountId: principal.accountId ?? '',
    clientAddress: storesAddress === 'prefix' ? addressPrefix(context.clientAddress) : '',
    sdkName: query.sdk.name,
    sdkVersion: query.sdk.version,
    receivedMs,
    skewMs: query.clientTimeMs === null ? 0 : context.receivedMs - query.clientTimeMs,
  };
}
