import type { IncomingMessage, ServerResponse } from 'node:http';
import { createRowFrame, type RowFrame, type RowSender, type RowType } from '@tickrate/events';
import { senderScope } from '@tickrate/pipeline';
import { addressPrefix, contextOf, type RequestContext } from '@tickrate/platform';
import type { Principal, ProjectPolicies, RegistryCache } from '@tickrate/registry';
import type { CheckQuota } from '../limits/check-quota.ts';
import type { OverloadCheck } from '../limits/overload-check.ts';
import type { CheckRates } from '../limits/rates.ts';
import type { Unavailable } from '../limits/unavailable.ts';
import type { RequestKey } from '../storing/idempotency.ts';
import type { Authenticate } from './authenticate.ts';
import { createInsertQueryReader, type InsertQuery } from './insert-query.ts';

/** A request whose sender is identified and permitted. Its body was not read yet. */
export interface InsertCall {
  readonly context: RequestContext;
  readonly principal: Principal;
  readonly query: InsertQuery;
  /** When its events were received, epoch milliseconds. Later parts of a stream have a later time. */
  readonly receivedMs: number;
}

/** Synchronous if the key and the policies are known here. Throws or rejects with the refusal. */
export type BeginCall = (
  request: IncomingMessage,
  response: ServerResponse,
) => InsertCall | Promise<InsertCall>;

export interface BeginDeps {
  readonly overload: OverloadCheck;
  readonly unavailable: Unavailable;
  readonly authenticate: Authenticate;
  readonly policies: RegistryCache['policies'];
  readonly checkRates: CheckRates;
  readonly checkQuota: CheckQuota;
}

export function createBeginCall(deps: BeginDeps): BeginCall {
  const { overload, unavailable, authenticate, policies, checkRates, checkQuota } = deps;
  const readQuery = createInsertQueryReader();

  function check(
    context: RequestContext,
    principal: Principal,
    { rates, quotas }: ProjectPolicies,
  ): InsertCall | Promise<InsertCall> {
    checkRates({ context, principal, rates }, context.response);
    const checking = checkQuota(principal.projectId, quotas);
    const call = () => {
      const { request, receivedMs } = context;
      return { context, principal, query: readQuery(request), receivedMs };
    };
    return checking === undefined ? call() : checking.then(call);
  }

  function checkLimits(context: RequestContext, principal: Principal): InsertCall | Promise<InsertCall> {
    const set = policies(principal.projectId);
    if (set instanceof Promise) return set.then((late) => check(context, principal, late));
    return check(context, principal, set);
  }

  return (request) => {
    const context = contextOf(request);
    if (overload.isOverloaded({ isNewClient: context.connection?.requests === 1 })) throw unavailable();
    const known = authenticate(context);
    if (known instanceof Promise) return known.then((principal) => checkLimits(context, principal));
    return checkLimits(context, known);
  };
}

/**
 * Throws if a sender whose request began may not continue: its key was revoked, or the quota of its project is used up.
 */
export type MayGoOn = (call: InsertCall) => Promise<void>;

export function createMayGoOn({ authenticate, policies, checkQuota }: BeginDeps): MayGoOn {
  return async ({ context }) => {
    const { projectId } = await authenticate(context);
    const { quotas } = await policies(projectId);
    await checkQuota(projectId, quotas);
  };
}

/** The sender to which the keys and ids of this request belong, and its key. */
export function requestKeyOf({ principal, query }: InsertCall): RequestKey {
  const { idempotencyKey, eventType, eventTypeVersion } = query;
  const bodyType = eventType === null ? '' : `${eventType} ${eventTypeVersion ?? ''}`;
  return { scope: senderScope(principal), idempotencyKey, bodyType };
}

/** Returns the frame of the rows of a request: its sender, encoded. */
export type FrameOf = (call: InsertCall, type: RowType) => RowFrame;

export function createFrames(storesAddress: 'none' | 'prefix'): FrameOf {
  const latest = new WeakMap<Principal, EncodedFrame>();
  return (call, type) => {
    const { principal, query } = call;
    const { name, version } = query.sdk;
    const known = latest.get(principal);
    const isSame = known?.type === type && known.sdkName === name && known.sdkVersion === version;
    if (known !== undefined && isSame) return { ...known.frame, ...timesOf(call) };
    const frame = createRowFrame(senderOf(call, storesAddress), type);
    // With addresses, the frames of one key differ.
    if (storesAddress === 'none') latest.set(principal, { type, sdkName: name, sdkVersion: version, frame });
    return frame;
  };
}

interface EncodedFrame {
  readonly type: RowType;
  readonly sdkName: string;
  readonly sdkVersion: string;
  readonly frame: RowFrame;
}

function timesOf({ context, query, receivedMs }: InsertCall): Pick<RowSender, 'receivedMs' | 'skewMs'> {
  return { receivedMs, skewMs: query.clientTimeMs === null ? 0 : context.receivedMs - query.clientTimeMs };
}

/** Returns the sender that the rows of this request name. */
export function senderOf(call: InsertCall, storesAddress: 'none' | 'prefix'): RowSender {
  const { context, principal, query } = call;
  return {
    projectId: principal.projectId,
    keyKind: principal.kind,
    keyLine: principal.keyLine,
    sessionId: principal.sessionId ?? '',
    accountId: principal.accountId ?? '',
    clientAddress: storesAddress === 'prefix' ? addressPrefix(context.clientAddress) : '',
    sdkName: query.sdk.name,
    sdkVersion: query.sdk.version,
    ...timesOf(call),
  };
}
