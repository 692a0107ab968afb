import { createRowFrame, type RowFrame, type RowSender, type RowType } from '@tickrate/events';
import { senderScope } from '@tickrate/pipeline';
import { addressPrefix, type RequestContext } from '@tickrate/platform';
import type { Principal } from '@tickrate/registry';
import type { RequestKey } from '../storing/idempotency.ts';
import type { InsertQuery } from './insert-query.ts';

/** A request whose sender is identified and permitted. Its body was not read yet. */
export interface InsertCall {
  readonly context: RequestContext;
  readonly principal: Principal;
  readonly query: InsertQuery;
  /** When its events were received, epoch milliseconds. Later parts of a stream have a later time. */
  readonly receivedMs: number;
}

/** The sender to which the keys and ids of this request belong, and its key. */
export function requestKeyOf({ principal, query }: InsertCall): RequestKey {
  const { idempotencyKey, eventType, eventTypeVersion } = query;
  const bodyType = eventType === null ? '' : `${eventType} ${eventTypeVersion ?? ''}`;
  return { scope: senderScope(principal), idempotencyKey, bodyType };
}

/** What this process stores of the client address. */
export type StoredAddress = 'none' | 'prefix';

/** The last frame of each key. With addresses, the frames of one key differ. */
const latestFrames = new WeakMap<Principal, EncodedFrame>();

/** Returns the frame of the rows of a request: its sender, encoded. */
export function frameOf(call: InsertCall, type: RowType, stored: StoredAddress): RowFrame {
  if (stored !== 'none') return createRowFrame(senderOf(call, stored), type);
  const { principal, query } = call;
  const { name, version } = query.sdk;
  const known = latestFrames.get(principal);
  const isSame = known?.type === type && known.sdkName === name && known.sdkVersion === version;
  if (known !== undefined && isSame) return { ...known.frame, ...timesOf(call) };
  const frame = createRowFrame(senderOf(call, stored), type);
  latestFrames.set(principal, { type, sdkName: name, sdkVersion: version, frame });
  return frame;
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
export function senderOf(call: InsertCall, stored: StoredAddress): RowSender {
  const { context, principal, query } = call;
  return {
    projectId: principal.projectId,
    keyKind: principal.kind,
    keyLine: principal.keyLine,
    sessionId: principal.sessionId ?? '',
    accountId: principal.accountId ?? '',
    clientAddress: stored === 'prefix' ? addressPrefix(context.clientAddress) : '',
    sdkName: query.sdk.name,
    sdkVersion: query.sdk.version,
    ...timesOf(call),
  };
}
