import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@tickrate/contract';
import { answerJson, answerText } from '@tickrate/platform';
import type { GatewayEvents } from '../gateway-events.ts';
import {
  type Admission,
  admitPartial,
  admitSingle,
  admitWhole,
  checkUtf8,
  type Rows,
  refuseBody,
} from '../reading/admit.ts';
import { type MultiBody, readMultiArray, readMultiLines } from '../reading/multi-body.ts';
import { ndjsonTypes, type ReceiveBody } from '../reading/receive-body.ts';
import { isOneSlice, type OpenRows } from '../reading/row-buffers.ts';
import { finish, finishInSlices } from '../reading/sliced.ts';
import type { RejectUnfound, UnfoundCall } from '../rejecting/reject-unfound.ts';
import type { RecordRejected } from '../rejecting/rejection-log.ts';
import { keyedByRequest } from '../storing/idempotency.ts';
import type { StoreMulti } from '../storing/store-multi.ts';
import type { StoredRows, StoreRows } from '../storing/store-rows.ts';
import type { FindEventType, FoundType, SendableType } from './find-event-type.ts';
import { type BeginCall, type FrameOf, type InsertCall, requestKeyOf } from './insert-call.ts';
import type { InsertLines } from './insert-lines.ts';
import { requiredEventType } from './insert-query.ts';
import { noticesOf, setNoticesHeader } from './stream-answer.ts';

export interface InsertDeps {
  readonly beginCall: BeginCall;
  readonly findEventType: FindEventType;
  readonly frameOf: FrameOf;
  readonly receiveBody: ReceiveBody;
  readonly rejectUnfound: RejectUnfound;
  readonly openRows: OpenRows;
  readonly storeRows: StoreRows;
  readonly storeMulti: StoreMulti;
  readonly insertLines: InsertLines;
  readonly recordRejected: RecordRejected;
  readonly events: GatewayEvents;
}

export type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface InsertCalls {
  readonly insert: Handler;
  readonly batchInsert: Handler;
  readonly multiInsert: Handler;
}

/**
 * The three insert calls. The order of each is: sender, rates, memory, body, rows, queue, answer. No body is read
 * before its sender is known, and no call is answered with 200 before the queue has stored its events.
 */
export function createInsertCalls(deps: InsertDeps): InsertCalls {
  return {
    insert: createInsert(deps),
    batchInsert: createBatchInsert(deps),
    multiInsert: createMultiInsert(deps),
  };
}

function createInsert(deps: InsertDeps): Handler {
  const { receiveBody, frameOf, openRows } = deps;
  return async (request, response) => {
    const begun = deps.beginCall(request, response);
    const call = begun instanceof Promise ? await begun : begun;
    const expected = { projectId: call.principal.projectId, limitBytes: limits.singleEventBodyBytes };
    const found = findType(deps, request, { call, body: expected, isArray: false });
    const type = found instanceof Promise ? await found : found;
    const { body, release } = await receiveBody(request, expected);
    let stored: StoredRows;
    try {
      const rows = openRows(body);
      const admission = admitSingle(rows, frameOf(call, type), body);
      stored = await store(deps, call, { body, rows, admission });
    } finally {
      release();
    }
    noteDeprecation(deps, response, type.isDeprecated);
    setNoticesHeader(response, stored.clamped);
    answerText(response, 'true');
  };
}

function createBatchInsert(deps: InsertDeps): Handler {
  const { receiveBody, frameOf, openRows } = deps;
  return async (request, response) => {
    const call = await deps.beginCall(request, response);
    const { partial } = call.query;
    const expected = { projectId: call.principal.projectId, limitBytes: limits.eventBodyBytes };
    const type = await findType(deps, request, { call, body: expected, isArray: true });
    const { body, release } = await receiveBody(request, expected);
    let stored: StoredRows;
    let admission: Admission;
    try {
      const rows = openRows(body);
      const work = (partial ? admitPartial : admitWhole)(rows, frameOf(call, type), body);
      admission = isOneSlice(body) ? finish(work) : await finishInSlices(work);
      stored = await store(deps, call, { body, rows, admission });
    } finally {
      release();
    }
    const { accepted, clamped } = stored;
    noteDeprecation(deps, response, type.isDeprecated);
    if (partial) answerJson(response, { accepted, rejected: admission.rejections, ...noticesOf(clamped) });
    else {
      setNoticesHeader(response, clamped);
      answerText(response, 'true');
    }
  };
}

function createMultiInsert(deps: InsertDeps): Handler {
  const { receiveBody, insertLines } = deps;
  return async (request, response) => {
    const call = await deps.beginCall(request, response);
    const { atomic } = call.query;
    const isLines = isNdjson(request);
    if (isLines && !atomic) {
      const answer = await insertLines.stream(request, call);
      noteDeprecation(deps, response, answer.usesDeprecated);
      answerJson(response, answer.body());
      return;
    }
    const expected = { projectId: call.principal.projectId, limitBytes: limits.eventBodyBytes };
    const { body, release } = await receiveBody(request, expected);
    const isBeacon = !isLines && mediaTypeOf(request) === 'text/plain' && body[0] === openingBrace;
    let answer: MultiAnswer;
    try {
      if (isBeacon && !atomic) {
        const lines = await insertLines.whole(body, call);
        answer = { usesDeprecated: lines.usesDeprecated, body: lines.body() };
      } else answer = await insertMulti(deps, call, { body, isLines: isLines || isBeacon });
    } finally {
      release();
    }
    noteDeprecation(deps, response, answer.usesDeprecated);
    answerJson(response, answer.body);
  };
}

/** A text from `sendBeacon` is NDJSON if it begins with an object, and JSON if it begins with an array. */
const openingBrace = '{'.charCodeAt(0);

interface MultiAnswer {
  readonly usesDeprecated: boolean;
  readonly body: unknown;
}

async function insertMulti(deps: InsertDeps, call: InsertCall, sent: MultiText): Promise<MultiAnswer> {
  const multi = await readMulti(deps, call, sent);
  const how = { atomic: call.query.atomic, requestKey: requestKeyOf(call) };
  const { accepted, rejected, clamped, usesDeprecated } = await deps.storeMulti(call, multi, how);
  return { usesDeprecated, body: { accepted, rejected, ...noticesOf(clamped) } };
}

interface MultiText {
  readonly body: Buffer;
  readonly isLines: boolean;
}

interface AdmittedBody {
  readonly body: Buffer;
  readonly rows: Rows;
  readonly admission: Admission;
}

/** Records rejected events, and resolves with the number of durable events. Throws if all were rejected. */
function store(
  { recordRejected, storeRows }: InsertDeps,
  call: InsertCall,
  { body, rows, admission }: AdmittedBody,
): Promise<StoredRows> {
  if (admission.rejected.length > 0) recordRejected(call, body, admission.rejected);
  if (admission.error !== null) throw admission.error;
  const isKeyed = call.query.idempotencyKey !== null;
  const keyed = isKeyed ? keyedByRequest(requestKeyOf(call), body, rows.starts.length) : [];
  return storeRows(call, rows, keyed);
}

/** Throws the fault of the body as a whole, after recording it. */
async function readMulti(
  { recordRejected }: InsertDeps,
  call: InsertCall,
  { body, isLines }: MultiText,
): Promise<MultiBody> {
  try {
    checkUtf8(body);
    return await finishInSlices(isLines ? readMultiLines(body) : readMultiArray(body));
  } catch (error) {
    recordRejected(call, body, refuseBody(null, { body, error }).rejected);
    throw error;
  }
}

/** Finds the type of a call. Throws 8001, 8002 or 8004 after its events were recorded. Synchronous if it is known here. */
function findType(
  deps: InsertDeps,
  request: IncomingMessage,
  sought: Omit<UnfoundCall, 'error'>,
): SendableType | Promise<SendableType> {
  const { principal, query } = sought.call;
  const found = deps.findEventType(principal.projectId, requiredEventType(query), query.eventTypeVersion);
  if (found instanceof Promise)
    return found.then((late) => foundType(deps, request, { ...sought, found: late }));
  return foundType(deps, request, { ...sought, found });
}

function foundType(
  { rejectUnfound }: InsertDeps,
  request: IncomingMessage,
  { found, ...sought }: Omit<UnfoundCall, 'error'> & { readonly found: FoundType },
): SendableType | Promise<SendableType> {
  if (found.ok) return found.type;
  const { error } = found;
  return rejectUnfound(request, { ...sought, error }).then(() => Promise.reject(error));
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
