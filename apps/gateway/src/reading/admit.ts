import { isUtf8 } from 'node:buffer';
import { limits, type SystemError, systemError } from '@tickrate/contract';
import {
  appendRow,
  type EventEnvelope,
  type EventIds,
  plainEnvelope,
  type RowFrame,
  type RowWriter,
  skipSpace,
  skipValue,
} from '@tickrate/events';
import { type RejectEvent, rejectedBody, rejectedEvent } from '../rejecting/rejected-span.ts';
import { createRejections, doesNotMatch, type Rejection, reportedFault } from '../rejecting/rejection.ts';
import type { Paced } from './paced.ts';
import { bodyTypeFault, expectEnd, walkArray } from './walk-array.ts';

/** Where the rows of a request are written, and where each of them starts. */
export interface Rows {
  readonly writer: RowWriter;
  readonly starts: number[];
  readonly ids: EventIds;
  readonly reject: RejectEvent;
}

/** One event within a body. */
export interface EventPlace {
  readonly body: Buffer;
  readonly at: number;
  /** JSON pointer of the event within the body. */
  readonly pointer: string;
  readonly envelope: EventEnvelope;
  /** Of its faults, how many are told. */
  readonly mostFaults: number;
}

export type AdmittedEvent =
  | { readonly ok: true; readonly end: number }
  | {
      readonly ok: false;
      readonly end: number;
      readonly errors: Rejection['errors'];
      /** What a call that takes all or nothing is answered, when it is not 8005. */
      readonly error?: SystemError;
    };

/** The body of a call, which must be UTF-8 before anything reads it as JSON. */
export function checkUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw systemError('malformedJson', { offset: 0 }, { fields: 'the body is not UTF-8' });
}

/** One event and nothing else. Throws what the client is answered. */
export function admitSingle(rows: Rows, frame: RowFrame, body: Buffer): void {
  try {
    checkUtf8(body);
    admitOnly(rows, frame, body);
  } catch (error) {
    throw rejectingBody(rows, frame, { body, error });
  }
}

function admitOnly(rows: Rows, frame: RowFrame, body: Buffer): void {
  const at = skipSpace(body, 0);
  const mistaken = body[at] === 0x7b ? null : bodyTypeFault(body, at, 'the body must be one event object');
  if (mistaken !== null) throw mistaken;
  const mostFaults = limits.reportedFaults;
  const admitted = admitEvent(rows, frame, { body, at, pointer: '', envelope: plainEnvelope, mostFaults });
  expectEnd(body, admitted.end);
  if (admitted.ok) return;
  rows.reject(rejectedEvent(frame, { at, base: '', ...admitted }));
  throw admitted.error ?? doesNotMatch(admitted.errors);
}

/** All events of an array, or none: throws 8005 with the faults of every faulty element. */
export function* admitWhole(rows: Rows, frame: RowFrame, body: Buffer): Paced<void> {
  try {
    checkUtf8(body);
    yield* admitAll(rows, frame, body);
  } catch (error) {
    throw rejectingBody(rows, frame, { body, error });
  }
}

function* admitAll(rows: Rows, frame: RowFrame, body: Buffer): Paced<void> {
  const faults: Rejection['errors'][number][] = [];
  const end = yield* walkArray(body, (at, index) => {
    const mostFaults = limits.reportedFaults - faults.length;
    const place = { body, at, pointer: `/${index}`, envelope: plainEnvelope, mostFaults };
    const admitted = admitEvent(rows, frame, place);
    if (!admitted.ok) rows.reject(rejectedEvent(frame, { at, base: place.pointer, ...admitted }));
    if (!admitted.ok && admitted.error !== undefined) throw admitted.error;
    if (!admitted.ok) faults.push(...admitted.errors);
    // What is told is complete: the rest of a body that is refused anyway is not worth reading.
    return faults.length < limits.reportedFaults ? admitted.end : -1;
  });
  if (end >= 0) expectEnd(body, end);
  if (faults.length > 0) throw doesNotMatch(faults);
}

/** The events of an array that match; the others are returned. */
export function* admitPartial(rows: Rows, frame: RowFrame, body: Buffer): Paced<readonly Rejection[]> {
  try {
    checkUtf8(body);
    return yield* admitMatching(rows, frame, body);
  } catch (error) {
    throw rejectingBody(rows, frame, { body, error });
  }
}

function* admitMatching(rows: Rows, frame: RowFrame, body: Buffer): Paced<readonly Rejection[]> {
  const rejections = createRejections();
  const end = yield* walkArray(body, (at, index) => {
    const mostFaults = rejections.mostFaults();
    const place = { body, at, pointer: `/${index}`, envelope: plainEnvelope, mostFaults };
    const admitted = admitEvent(rows, frame, place);
    if (!admitted.ok) {
      rows.reject(rejectedEvent(frame, { at, base: place.pointer, ...admitted }));
      rejections.add(index, admitted.errors);
    }
    return admitted.end;
  });
  expectEnd(body, end);
  return rejections.list;
}

function rejectingBody(
  { reject }: Rows,
  frame: RowFrame,
  broken: { readonly body: Buffer; readonly error: unknown },
): unknown {
  const rejected = rejectedBody(frame, broken);
  if (rejected !== null) reject(rejected);
  return broken.error;
}

/** Writes the row of an event, or tells its faults. Throws 1001 or 1003 when the text is no acceptable JSON. */
export function admitEvent(rows: Rows, frame: RowFrame, place: EventPlace): AdmittedEvent {
  const { writer, starts, ids } = rows;
  const { body, at, envelope } = place;
  const start = writer.at;
  const end = appendRow(writer, frame, { source: body, at, envelope, ids });
  if (end < 0) return explainEvent(rows, frame, { ...place, isTooLarge: end === -2 });
  starts.push(start);
  if (writer.at > limits.storedBodyBytes) throw storesTooMuch();
  return { ok: true, end };
}

function explainEvent(
  { writer, starts, ids }: Rows,
  frame: RowFrame,
  { body, at, pointer, envelope, mostFaults, isTooLarge }: EventPlace & { readonly isTooLarge: boolean },
): AdmittedEvent {
  const closed = isTooLarge ? skipValue(body, at) : -1;
  if (closed >= 0) return tooLarge(pointer, closed);
  const explanation = frame.codec.explain(body, at, mostFaults);
  const { kind, end } = explanation;
  if (kind === 'faults') {
    return { ok: false, end, errors: explanation.faults.map((fault) => reportedFault(pointer, fault)) };
  }
  if (kind === 'tooLarge') return tooLarge(pointer, end);
  const { source } = explanation;
  const start = writer.at;
  const taken = appendRow(writer, frame, { source, at: 0, envelope, ids });
  if (taken === -2 || source.length > limits.eventBytes) return tooLarge(pointer, end);
  if (taken < 0) throw new Error('an event that matches its declaration was not taken by its reader');
  starts.push(start);
  return { ok: true, end };
}

function tooLarge(pointer: string, end: number): AdmittedEvent {
  const error = systemError('eventTooLarge', { amount: limits.eventBytes, parameterName: pointer });
  const message = `must be at most ${limits.eventBytes} bytes long`;
  return {
    ok: false,
    end,
    errors: [reportedFault(pointer, { pointer: '', reason: 'tooLong', message })],
    error,
  };
}

function storesTooMuch(): SystemError {
  const amount = limits.storedBodyBytes;
  return systemError(
    'bodyTooLarge',
    { amount },
    { fields: `its events take more than ${amount} bytes to store` },
  );
}
