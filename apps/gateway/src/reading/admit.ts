import { isUtf8 } from 'node:buffer';
import { limits, SystemError, systemError } from '@tickrate/contract';
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
import { type RejectedSpan, rejectedBody, rejectedEvent } from '../rejecting/rejected-span.ts';
import { createRejections, doesNotMatch, type Rejection, reportedFault } from '../rejecting/rejection.ts';
import { withExplanation } from './explain-malformed.ts';
import type { Sliced } from './sliced.ts';
import { bodyTypeFault, expectEnd, walkArray } from './walk-array.ts';

/** Where the rows of a request are written, and where each of them starts. */
export interface Rows {
  readonly writer: RowWriter;
  readonly starts: number[];
  readonly ids: EventIds;
}

/** The result for a body. With an error, no event of it is accepted, even if rows were written. */
export interface Admission {
  readonly error: SystemError | null;
  /** The rejected elements of a partial call, as its answer lists them. */
  readonly rejections: readonly Rejection[];
  /** Every rejected event, for the quarantine. */
  readonly rejected: readonly RejectedSpan[];
}

/** One event within a body. */
export interface EventPlace {
  readonly body: Buffer;
  readonly at: number;
  /** JSON pointer of the event within the body. */
  readonly pointer: string;
  readonly envelope: EventEnvelope;
  /** How many of its faults are returned. */
  readonly mostFaults: number;
}

export type AdmittedEvent =
  | { readonly ok: true; readonly end: number }
  | {
      readonly ok: false;
      readonly end: number;
      readonly errors: Rejection['errors'];
      /** The error of an all-or-nothing call, when it is not 8005. */
      readonly error?: SystemError;
    };

/** The body of a call, which must be UTF-8 before it is read as JSON. */
export function checkUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw systemError('malformedJson', { offset: 0 }, { fields: 'the body is not UTF-8' });
}

const allAccepted: Admission = { error: null, rejections: [], rejected: [] };

/** Reads a body that is exactly one event. */
export function admitSingle(rows: Rows, frame: RowFrame, body: Buffer): Admission {
  try {
    checkUtf8(body);
    return admitOnly(rows, frame, body);
  } catch (error) {
    return refuseBody(frame, { body, error });
  }
}

function admitOnly(rows: Rows, frame: RowFrame, body: Buffer): Admission {
  const at = skipSpace(body, 0);
  const mistaken = body[at] === 0x7b ? null : bodyTypeFault(body, at, 'the body must be one event object');
  if (mistaken !== null) throw mistaken;
  const mostFaults = limits.reportedFaults;
  const admitted = admitEvent(rows, frame, { body, at, pointer: '', envelope: plainEnvelope, mostFaults });
  expectEnd(body, admitted.end);
  if (admitted.ok) return allAccepted;
  const rejected = [rejectedEvent(frame, { at, base: '', ...admitted })];
  return { error: admitted.error ?? doesNotMatch(admitted.errors), rejections: [], rejected };
}

/** Reads an array whose events are all accepted or all rejected: 8005 lists the faults of every faulty element. */
export function* admitWhole(rows: Rows, frame: RowFrame, body: Buffer): Sliced<Admission> {
  const rejected: RejectedSpan[] = [];
  try {
    checkUtf8(body);
    const error = yield* admitAll(rows, frame, { body, rejected });
    return { error, rejections: [], rejected };
  } catch (error) {
    return refuseBody(frame, { body, error, rejected });
  }
}

interface Admitting {
  readonly body: Buffer;
  readonly rejected: RejectedSpan[];
}

function* admitAll(rows: Rows, frame: RowFrame, { body, rejected }: Admitting): Sliced<SystemError | null> {
  const faults: Rejection['errors'][number][] = [];
  const end = yield* walkArray(body, (at, index) => {
    const mostFaults = limits.reportedFaults - faults.length;
    const place = { body, at, pointer: `/${index}`, envelope: plainEnvelope, mostFaults };
    const admitted = admitEvent(rows, frame, place);
    if (admitted.ok) return admitted.end;
    rejected.push(rejectedEvent(frame, { at, base: place.pointer, ...admitted }));
    if (admitted.error !== undefined) throw admitted.error;
    faults.push(...admitted.errors);
    // The answer is complete: reading the rest of a rejected body gains nothing.
    return faults.length < limits.reportedFaults ? admitted.end : -1;
  });
  if (end >= 0) expectEnd(body, end);
  return faults.length > 0 ? doesNotMatch(faults) : null;
}

/** Reads an array and accepts the events that match. */
export function* admitPartial(rows: Rows, frame: RowFrame, body: Buffer): Sliced<Admission> {
  const rejected: RejectedSpan[] = [];
  try {
    checkUtf8(body);
    const rejections = yield* admitMatching(rows, frame, { body, rejected });
    return { error: null, rejections, rejected };
  } catch (error) {
    return refuseBody(frame, { body, error, rejected });
  }
}

function* admitMatching(
  rows: Rows,
  frame: RowFrame,
  { body, rejected }: Admitting,
): Sliced<readonly Rejection[]> {
  const rejections = createRejections();
  const end = yield* walkArray(body, (at, index) => {
    const mostFaults = rejections.mostFaults();
    const place = { body, at, pointer: `/${index}`, envelope: plainEnvelope, mostFaults };
    const admitted = admitEvent(rows, frame, place);
    if (!admitted.ok) {
      rejected.push(rejectedEvent(frame, { at, base: place.pointer, ...admitted }));
      rejections.add(index, admitted.errors);
    }
    return admitted.end;
  });
  expectEnd(body, end);
  return rejections.list;
}

/** A body that is rejected as a whole. Throws `error` again if it is not a fault of the body. */
export function refuseBody(
  frame: RowFrame | null,
  {
    body,
    error,
    rejected = [],
  }: { readonly body: Buffer; readonly error: unknown; readonly rejected?: readonly RejectedSpan[] },
): Admission {
  if (!(error instanceof SystemError)) throw error;
  const explained = withExplanation(error, body);
  const ofBody = rejectedBody(frame, { body, error: explained });
  return { error: explained, rejections: [], rejected: ofBody === null ? rejected : [...rejected, ofBody] };
}

/** Writes the row of an event, or returns its faults. Throws 1001 or 1003 if the text is not acceptable JSON. */
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
