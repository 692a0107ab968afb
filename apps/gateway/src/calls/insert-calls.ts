import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@tickrate/contract';
import { createRowFrame } from '@tickrate/events';
import { answerJson, answerText } from '@tickrate/platform';
import type { GatewayEvents } from '../gateway-events.ts';
import { admitPartial, admitSingle, admitWhole, checkUtf8 } from '../reading/admit.ts';
import { type MultiBody, readMultiArray, readMultiLines } from '../reading/multi-body.ts';
import { finishInTurns } from '../reading/paced.ts';
import { ndjsonTypes, type ReceiveBody } from '../reading/receive-body.ts';
import type { RejectUnfound, UnfoundCall } from '../rejecting/reject-unfound.ts';
import { type RejectEvent, rejectedBody } from '../rejecting/rejected-span.ts';
import type { Rejection } from '../rejecting/rejection.ts';
import { keyedByRequest } from '../storing/idempotency.ts';
import type { StoreMulti } from '../storing/store-multi.ts';
import type { StoreRows } from '../storing/store-rows.ts';
import { noticesOf, tellNotices } from './event-notices.ts';
import type { FindEventType, FoundType, SendableType } from './find-event-type.ts';
import { type BeginCall, type InsertCall, requestKeyOf, senderOf } from './insert-call.ts';
import type { InsertLines } from './insert-lines.ts';
import { requiredEventType } from './insert-query.ts';

export interface InsertDeps {
  readonly beginCall: BeginCall;
  readonly findEventType: FindEventType;
  readonly receiveBody: ReceiveBody;
  readonly rejectUnfound: RejectUnfound;
  readonly storeRows: StoreRows;
  readonly storeMulti: StoreMulti;
  readonly insertLines: InsertLines;
  /** What is told of rejected events of a request. */
  readonly rejectionsOf: (call: InsertCall, body: Buffer) => RejectEvent;
  readonly events: GatewayEvents;
  readonly storesAddress: 'none' | 'prefix';
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface InsertCalls {
  readonly insert: Handler;
  readonly batchInsert: Handler;
  readonly multiInsert: Handler;
}

/**
 * The three insert calls, each in this order: who, how often, is there room, the body, the rows, the queue, the answer.
 * Nothing is read of a body before its sender is known, and nothing is answered 200 before the queue has it.
 */
export function createInsertCalls(deps: InsertDeps): InsertCalls {
  return {
    insert: createInsert(deps),
    batchInsert: createBatchInsert(deps),
    multiInsert: createMultiInsert(deps),
  };
}

function createInsert({ beginCall, receiveBody, storeRows, ...deps }: InsertDeps): Handler {
  return async (request, response) => {
    const call = await beginCall(request, response);
    const expected = { projectId: call.principal.projectId, limitBytes: limits.singleEventBodyBytes };
    const type = await findType(deps, request, { call, body: expected, isArray: false });
    const { clamped } = await receiveBody(request, expected, async (body) => {
      const frame = createRowFrame(senderOf(call, deps.storesAddress), type);
      return storeRows(call, body, (rows) => {
        admitSingle(rows, frame, body);
        return keyedByRequest(requestKeyOf(call), body, rows.starts.length);
      });
    });
    tellNotices(response, clamped);
    noteDeprecation(deps, response, type.isDeprecated);
    answerText(response, 'true');
  };
}

function createBatchInsert({ beginCall, receiveBody, storeRows, ...deps }: InsertDeps): Handler {
  return async (request, response) => {
    const call = await beginCall(request, response);
    const { partial } = call.query;
    const expected = { projectId: call.principal.projectId, limitBytes: limits.eventBodyBytes };
    const type = await findType(deps, request, { call, body: expected, isArray: true });
    const answer = await receiveBody(request, expected, async (body) => {
      const frame = createRowFrame(senderOf(call, deps.storesAddress), type);
      let rejected: readonly Rejection[] = [];
      const { accepted, clamped } = await storeRows(call, body, function* (rows) {
        if (partial) rejected = yield* admitPartial(rows, frame, body);
        else yield* admitWhole(rows, frame, body);
        return keyedByRequest(requestKeyOf(call), body, rows.starts.length);
      });
      if (partial) return { accepted, rejected, ...noticesOf(clamped) };
      tellNotices(response, clamped);
      return true;
    });
    noteDeprecation(deps, response, type.isDeprecated);
    answerJson(response, answer);
  };
}

function createMultiInsert({
  beginCall,
  receiveBody,
  storeMulti,
  insertLines,
  ...deps
}: InsertDeps): Handler {
  return async (request, response) => {
    const call = await beginCall(request, response);
    const { atomic } = call.query;
    const isLines = isNdjson(request);
    if (isLines && !atomic) {
      const answer = await insertLines.stream(request, call);
      noteDeprecation(deps, response, answer.usesDeprecated);
      answerJson(response, answer.body());
      return;
    }
    const expected = { projectId: call.principal.projectId, limitBytes: limits.eventBodyBytes };
    const answer = await receiveBody(request, expected, async (body) => {
      const isBeacon = !isLines && mediaTypeOf(request) === 'text/plain' && body[0] === openingBrace;
      if (isBeacon && !atomic) {
        const lines = await insertLines.whole(body, call);
        return { usesDeprecated: lines.usesDeprecated, body: lines.body() };
      }
      const multi = await readMulti(body, isLines || isBeacon, deps.rejectionsOf(call, body));
      const stored = await storeMulti(call, multi, { atomic, requestKey: requestKeyOf(call) });
      const { accepted, rejected, clamped, usesDeprecated } = stored;
      return { usesDeprecated, body: { accepted, rejected, ...noticesOf(clamped) } };
    });
    noteDeprecation(deps, response, answer.usesDeprecated);
    answerJson(response, answer.body);
  };
}

/** Throws what is wrong with the body as a whole, once that has been counted. */
async function readMulti(body: Buffer, isLines: boolean, reject: RejectEvent): Promise<MultiBody> {
  try {
    checkUtf8(body);
    return await finishInTurns(isLines ? readMultiLines(body) : readMultiArray(body));
  } catch (error) {
    const rejected = rejectedBody(null, { body, error });
    if (rejected !== null) reject(rejected);
    throw error;
  }
}

type Lookup = Pick<InsertDeps, 'findEventType' | 'rejectUnfound'>;

/** Throws 8001, 8002 or 8004 once the events that named it have been counted. */
async function findType(
  { findEventType, rejectUnfound }: Lookup,
  request: IncomingMessage,
  sought: Omit<UnfoundCall, 'error'>,
): Promise<SendableType> {
  const { principal, query } = sought.call;
  const known = findEventType(principal.projectId, requiredEventType(query), query.eventTypeVersion);
  const found: FoundType = known instanceof Promise ? await known : known;
  if (found.ok) return found.type;
  await rejectUnfound(request, { ...sought, error: found.error });
  throw found.error;
}

function noteDeprecation(
  deps: Pick<InsertDeps, 'events'>,
  response: ServerResponse,
  isDeprecated: boolean,
): void {
  if (!isDeprecated) return;
  response.setHeader('Deprecation', 'true');
  deps.events.deprecatedVersionUsed();
}

function isNdjson(request: IncomingMessage): boolean {
  return ndjsonTypes.includes(mediaTypeOf(request));
}

function mediaTypeOf(request: IncomingMessage): string {
  const type = request.headers['content-type'] ?? '';
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}

/** A text that `sendBeacon` sends is NDJSON if it begins with an object, and JSON if it begins with an array. */
const openingBrace = '{'.charCodeAt(0);
