import { isUtf8 } from 'node:buffer';
import {
  appendRow,
  type EventEnvelope,
  type EventIds,
  limits,
  malformedJson,
  plainEnvelope,
  type RowFrame,
  type RowWriter,
  type SystemError,
  skipSpace,
  systemError,
} from '@tickrate/contract';
import { doesNotMatch, type Rejection, reportedFault } from './rejection.ts';

/** Where the rows of a request are written, and where each of them starts. */
export interface Rows {
  readonly writer: RowWriter;
  readonly starts: number[];
  readonly ids: EventIds;
}

/** One event within a body. */
export interface EventPlace {
  readonly body: Buffer;
  readonly at: number;
  /** JSON pointer of the event within the body. */
  readonly pointer: string;
  readonly envelope: EventEnvelope;
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

const reportedPerElement = 10;

/** The body of a call, which must be UTF-8 before anything reads it as JSON. */
export function checkUtf8(body: Buffer): void {
  if (!isUtf8(body)) throw systemError('malformedJson', { offset: 0 }, { fields: 'the body is not UTF-8' });
}

/** One event and nothing else. Throws what the client is answered. */
export function admitSingle(rows: Rows, frame: RowFrame, body: Buffer): void {
  const at = skipSpace(body, 0);
  if (body[at] === 0x5b)
    throw systemError('bodyTypeInvalid', {}, { fields: 'the body must be one event object' });
  const admitted = admitEvent(rows, frame, { body, at, pointer: '', envelope: plainEnvelope });
  expectEnd(body, admitted.end);
  if (!admitted.ok) throw admitted.error ?? doesNotMatch(admitted.errors);
}

/** All events of an array, or none: throws 8005 with the faults of every faulty element. */
export function admitWhole(rows: Rows, frame: RowFrame, body: Buffer): void {
  const faults: Rejection['errors'][number][] = [];
  const end = walkArray(body, (at, index) => {
    const admitted = admitEvent(rows, frame, { body, at, pointer: `/${index}`, envelope: plainEnvelope });
    if (!admitted.ok && admitted.error !== undefined) throw admitted.error;
    if (!admitted.ok) faults.push(...admitted.errors);
    // What is told is complete: the rest of a body that is refused anyway is not worth reading.
    return faults.length < limits.reportedFaults ? admitted.end : -1;
  });
  if (end >= 0) expectEnd(body, end);
  if (faults.length > 0) throw doesNotMatch(faults);
}

/** The events of an array that match; the others are returned. */
export function admitPartial(rows: Rows, frame: RowFrame, body: Buffer): Rejection[] {
  const rejected: Rejection[] = [];
  const end = walkArray(body, (at, index) => {
    const admitted = admitEvent(rows, frame, { body, at, pointer: `/${index}`, envelope: plainEnvelope });
    if (!admitted.ok) rejected.push(rejection(index, admitted.errors));
    return admitted.end;
  });
  expectEnd(body, end);
  return rejected;
}

export function rejection(index: number, errors: Rejection['errors']): Rejection {
  return { index, errors: errors.slice(0, reportedPerElement) };
}

/**
 * Calls `visit` with the offset of every element; it returns the offset behind the element, or -1 to stop.
 * Returns the offset behind the array, or -1 when it was stopped.
 */
export function walkArray(body: Buffer, visit: (at: number, index: number) => number): number {
  let at = skipSpace(body, 0);
  if (body[at] !== 0x5b) throw notAnArray(body, at);
  at = skipSpace(body, at + 1);
  if (body[at] === 0x5d) return at + 1;
  for (let index = 0; ; index++) {
    if (index === limits.batchEvents) throw systemError('batchTooLarge', { amount: limits.batchEvents });
    at = visit(at, index);
    if (at < 0) return -1;
    at = skipSpace(body, at);
    if (body[at] === 0x5d) return at + 1;
    if (body[at] !== 0x2c) throw malformedJson(at);
    at = skipSpace(body, at + 1);
  }
}

function notAnArray(body: Buffer, at: number): Error {
  const isOtherJson = body[at] === 0x7b || body[at] === 0x22;
  return isOtherJson
    ? systemError('bodyTypeInvalid', {}, { fields: 'the body must be an array' })
    : malformedJson(at);
}

export function expectEnd(body: Buffer, at: number): void {
  const end = skipSpace(body, at);
  if (end !== body.length) throw malformedJson(end);
}

/** Writes the row of an event, or tells its faults. Throws 1001 or 1003 when the text is no acceptable JSON. */
export function admitEvent(rows: Rows, frame: RowFrame, place: EventPlace): AdmittedEvent {
  const { writer, starts, ids } = rows;
  const { body, at, envelope } = place;
  const start = writer.at;
  const end = appendRow(writer, frame, { source: body, at, envelope, ids });
  if (end >= 0) {
    starts.push(start);
    return { ok: true, end };
  }
  const explanation = frame.codec.explain(body, at, limits.reportedFaults);
  if (explanation.end - at > limits.eventBytes) return tooLarge(place.pointer, explanation.end);
  if (explanation.kind === 'faults') {
    const errors = explanation.faults.map((fault) => reportedFault(place.pointer, fault));
    return { ok: false, end: explanation.end, errors };
  }
  if (appendRow(writer, frame, { source: explanation.source, at: 0, envelope, ids }) < 0) {
    throw new Error('an event that matches its declaration was not taken by its reader');
  }
  starts.push(start);
  return { ok: true, end: explanation.end };
}

function tooLarge(pointer: string, end: number): AdmittedEvent {
  const error = systemError('eventTooLarge', { amount: limits.eventBytes, parameterName: pointer });
  const fault = {
    pointer: '',
    reason: 'tooLong' as const,
    message: `must be at most ${limits.eventBytes} bytes long`,
  };
  return { ok: false, end, errors: [reportedFault(pointer, fault)], error };
}
