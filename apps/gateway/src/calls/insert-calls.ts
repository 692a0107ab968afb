import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@tickrate/contract';
import { answerJson, answerText } from '@tickrate/platform';
import type { GatewayParts } from '../parts.ts';
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
import { ndjsonTypes, receiveBody } from '../reading/receive-body.ts';
import { finish, finishInSlices, isOneSlice } from '../reading/sliced.ts';
import { rejectUnfound, type UnfoundCall } from '../rejecting/reject-unfound.ts';
import { keyedByRequest } from '../storing/idempotency.ts';
import { storeMulti } from '../storing/store-multi.ts';
import { type StoredRows, storeRows } from '../storing/store-rows.ts';
import { beginCall } from './begin-call.ts';
import type { FoundType, SendableType } from './event-types.ts';
import { frameOf, type InsertCall, requestKeyOf } from './insert-call.ts';
import { insertLines, insertStream } from './insert-lines.ts';
import { requiredEventType } from './insert-query.ts';
import { noticesOf, setNoticesHeader } from './stream-answer.ts';

type InsertHandler = (
  parts: GatewayParts,
  request: IncomingMessage,
  response: ServerResponse,
) => Promise<void>;

/**
 * The three insert calls. The order of each is: sender, rates, memory, body, rows, queue, answer. No body is read
 * before its sender is known, and no call is answered with 200 before the queue has stored its events.
 */
export const insert: InsertHandler = async (parts, request, response) => {
  const begun = beginCall(parts, request);
  const call = begun instanceof Promise ? await begun : begun;
  const expected = { projectId: call.principal.projectId, limitBytes: limits.singleEventBodyBytes };
  const found = findType(parts, request, { call, body: expected, isArray: false });
  const type = found instanceof Promise ? await found : found;
  const { body, release } = await receiveBody(parts.bodies, request, expected);
  let stored: StoredRows;
  try {
    const rows = parts.rowBuffers.open(body);
    const admission = admitSingle(rows, frameOf(call, type, parts.config.storeClientAddress), body);
    stored = await store(parts, call, { body, rows, admission });
  } finally {
    release();
  }
  noteDeprecation(parts, response, type.isDeprecated);
  setNoticesHeader(response, stored.clamped);
  answerText(response, 'true');
};

export const batchInsert: InsertHandler = async (parts, request, response) => {
  const call = await beginCall(parts, request);
  const { partial } = call.query;
  const expected = { projectId: call.principal.projectId, limitBytes: limits.eventBodyBytes };
  const type = await findType(parts, request, { call, body: expected, isArray: true });
  const { body, release } = await receiveBody(parts.bodies, request, expected);
  let stored: StoredRows;
  let admission: Admission;
  try {
    const rows = parts.rowBuffers.open(body);
    const frame = frameOf(call, type, parts.config.storeClientAddress);
    const work = (partial ? admitPartial : admitWhole)(rows, frame, body);
    admission = isOneSlice(body) ? finish(work) : await finishInSlices(work);
    stored = await store(parts, call, { body, rows, admission });
  } finally {
    release();
  }
  const { accepted, clamped } = stored;
  noteDeprecation(parts, response, type.isDeprecated);
  if (partial) answerJson(response, { accepted, rejected: admission.rejections, ...noticesOf(clamped) });
  else {
    setNoticesHeader(response, clamped);
    answerText(response, 'true');
  }
};

export const multiInsert: InsertHandler = async (parts, request, response) => {
  const call = await beginCall(parts, request);
  const { atomic } = call.query;
  const isLines = isNdjson(request);
  if (isLines && !atomic) {
    const answer = await insertStream(parts, request, call);
    noteDeprecation(parts, response, answer.usesDeprecated);
    answerJson(response, answer.body());
    return;
  }
  const expected = { projectId: call.principal.projectId, limitBytes: limits.eventBodyBytes };
  const { body, release } = await receiveBody(parts.bodies, request, expected);
  const isBeacon = !isLines && mediaTypeOf(request) === 'text/plain' && body[0] === openingBrace;
  let answer: MultiAnswer;
  try {
    if (isBeacon && !atomic) {
      const lines = await insertLines(parts, call, body);
      answer = { usesDeprecated: lines.usesDeprecated, body: lines.body() };
    } else answer = await insertMulti(parts, call, { body, isLines: isLines || isBeacon });
  } finally {
    release();
  }
  noteDeprecation(parts, response, answer.usesDeprecated);
  answerJson(response, answer.body);
};

/** A text from `sendBeacon` is NDJSON if it begins with an object, and JSON if it begins with an array. */
const openingBrace = '{'.charCodeAt(0);

interface MultiAnswer {
  readonly usesDeprecated: boolean;
  readonly body: unknown;
}

async function insertMulti(parts: GatewayParts, call: InsertCall, sent: MultiText): Promise<MultiAnswer> {
  const multi = await readMulti(parts, call, sent);
  const asked = { multi, atomic: call.query.atomic, requestKey: requestKeyOf(call) };
  const { accepted, rejected, clamped, usesDeprecated } = await storeMulti(parts, call, asked);
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
  parts: GatewayParts,
  call: InsertCall,
  { body, rows, admission }: AdmittedBody,
): Promise<StoredRows> {
  if (admission.rejected.length > 0) parts.rejections.record(call, body, admission.rejected);
  if (admission.error !== null) throw admission.error;
  const isKeyed = call.query.idempotencyKey !== null;
  const keyed = isKeyed ? keyedByRequest(requestKeyOf(call), body, rows.starts.length) : [];
  return storeRows(parts, call, { rows, keyed });
}

/** Throws the fault of the body as a whole, after recording it. */
async function readMulti(
  { rejections }: GatewayParts,
  call: InsertCall,
  { body, isLines }: MultiText,
): Promise<MultiBody> {
  try {
    checkUtf8(body);
    return await finishInSlices(isLines ? readMultiLines(body) : readMultiArray(body));
  } catch (error) {
    const refused = refuseBody(null, { body, error });
    rejections.record(call, body, refused.rejected);
    throw refused.error;
  }
}

/** Finds the type of a call. Throws 8001, 8002 or 8004 after its events were recorded. Synchronous if it is known here. */
function findType(
  parts: GatewayParts,
  request: IncomingMessage,
  sought: Omit<UnfoundCall, 'error'>,
): SendableType | Promise<SendableType> {
  const { principal, query } = sought.call;
  const found = parts.eventTypes.find(principal.projectId, requiredEventType(query), query.eventTypeVersion);
  if (found instanceof Promise)
    return found.then((late) => foundType(parts, request, { ...sought, found: late }));
  return foundType(parts, request, { ...sought, found });
}

function foundType(
  parts: GatewayParts,
  request: IncomingMessage,
  { found, ...sought }: Omit<UnfoundCall, 'error'> & { readonly found: FoundType },
): SendableType | Promise<SendableType> {
  if (found.ok) return found.type;
  const { error } = found;
  return rejectUnfound(parts, request, { ...sought, error }).then(async () => {
    throw await parts.explainUndeclared(sought.call.principal.projectId, error);
  });
}

function noteDeprecation({ events }: GatewayParts, response: ServerResponse, isDeprecated: boolean): void {
  if (!isDeprecated) return;
  response.setHeader('Deprecation', 'true');
  events.deprecatedVersionUsed();
}

function isNdjson(request: IncomingMessage): boolean {
  return ndjsonTypes.includes(mediaTypeOf(request));
}

function mediaTypeOf(request: IncomingMessage): string {
  const type = request.headers['content-type'] ?? '';
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}
