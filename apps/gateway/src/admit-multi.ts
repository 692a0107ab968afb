import {
  createRowFrame,
  limits,
  malformedJson,
  type RowFrame,
  type RowSender,
  SystemError,
  systemError,
} from '@tickrate/contract';
import { admitEvent, expectEnd, type Rows, rejection, walkArray } from './admit.ts';
import type { FoundType, SendableType } from './find-event-type.ts';
import { envelopeFault, type MultiElement, type ReadElement, readMultiElement } from './multi-element.ts';
import { doesNotMatch, type Rejection } from './rejection.ts';

/** The elements of a multiInsert, and the types that they name. */
export interface MultiBody {
  readonly body: Buffer;
  readonly elements: readonly ReadElement[];
}

export interface NamedType {
  readonly name: string;
  readonly version: number | null;
}

/** An element that was accepted, in the order of the rows. */
export interface AcceptedElement {
  readonly eventId: string | null;
}

export interface MultiAdmission {
  readonly accepted: readonly AcceptedElement[];
  readonly rejected: readonly Rejection[];
  readonly usesDeprecated: boolean;
}

/** Reads the envelopes of an array. Throws when the body is not an array of well-formed JSON. */
export function readMultiArray(body: Buffer): MultiBody {
  const elements: ReadElement[] = [];
  const end = walkArray(body, (at, index) => {
    const element = readMultiElement(body, at, `/${index}`);
    elements.push(element);
    return element.ok ? element.element.end : element.end;
  });
  expectEnd(body, end);
  return { body, elements };
}

/** Reads the envelopes of NDJSON: one element a line, empty lines left out. A line that is no JSON is its own fault. */
export function readMultiLines(body: Buffer): MultiBody {
  const elements: ReadElement[] = [];
  let start = 0;
  while (start < body.length) {
    const newline = body.indexOf(0x0a, start);
    const end = newline < 0 ? body.length : newline;
    const line = body.subarray(start, end);
    if (line.toString('latin1').trim() !== '') {
      if (elements.length === limits.batchEvents)
        throw systemError('batchTooLarge', { amount: limits.batchEvents });
      elements.push(readLine(line, start, elements.length));
    }
    start = end + 1;
  }
  return { body, elements };
}

function readLine(line: Buffer, offset: number, index: number): ReadElement {
  try {
    const read = readMultiElement(line, firstByte(line), `/${index}`);
    expectEnd(line, read.ok ? read.element.end : read.end);
    return read.ok ? { ok: true, element: movedBy(read.element, offset) } : read;
  } catch (error) {
    if (!(error instanceof SystemError)) throw error;
    return {
      ok: false,
      end: offset + line.length,
      errors: [envelopeFault(`/${index}`, 'format', error.message)],
    };
  }
}

function firstByte(line: Buffer): number {
  return line.findIndex((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d);
}

function movedBy(element: MultiElement, offset: number): MultiElement {
  return {
    ...element,
    eventAt: element.eventAt + offset,
    eventEnd: element.eventEnd + offset,
    end: element.end + offset,
  };
}

/** The distinct types that the elements name. */
export function namedTypes({ elements }: MultiBody): Map<string, NamedType> {
  const named = new Map<string, NamedType>();
  for (const read of elements) {
    if (!read.ok) continue;
    const { eventType: name, eventTypeVersion: version } = read.element;
    named.set(typeKey(name, version), { name, version });
  }
  return named;
}

function typeKey(name: string, version: number | null): string {
  return `${version ?? ''}/${name}`;
}

export interface MultiTypes {
  readonly sender: RowSender;
  readonly found: ReadonlyMap<string, FoundType>;
  readonly atomic: boolean;
}

/** Writes the rows of the elements that match. With `atomic`, throws 8005 unless all do. */
export function admitMulti(
  rows: Rows,
  multi: MultiBody,
  { sender, found, atomic }: MultiTypes,
): MultiAdmission {
  const frames = new Map<SendableType, RowFrame>();
  const accepted: AcceptedElement[] = [];
  const rejected: Rejection[] = [];
  const faults: Rejection['errors'][number][] = [];
  let usesDeprecated = false;
  for (const [index, read] of multi.elements.entries()) {
    const admitted = read.ok
      ? admitElement(rows, read.element, { multi, index, found, sender, frames })
      : read;
    if (admitted.ok) {
      accepted.push({ eventId: admitted.element.eventId });
      usesDeprecated ||= admitted.type.isDeprecated;
    } else {
      faults.push(...(atomic ? admitted.errors : []));
      rejected.push(rejection(index, admitted.errors));
    }
  }
  if (faults.length > 0) throw doesNotMatch(faults);
  return { accepted, rejected, usesDeprecated };
}

interface ElementPlace {
  readonly multi: MultiBody;
  readonly index: number;
  readonly found: ReadonlyMap<string, FoundType>;
  readonly sender: RowSender;
  readonly frames: Map<SendableType, RowFrame>;
}

type AdmittedElement =
  | { readonly ok: true; readonly element: MultiElement; readonly type: SendableType }
  | { readonly ok: false; readonly errors: Rejection['errors'] };

function admitElement(rows: Rows, element: MultiElement, place: ElementPlace): AdmittedElement {
  const pointer = `/${place.index}`;
  const found = place.found.get(typeKey(element.eventType, element.eventTypeVersion));
  if (found === undefined) throw new Error('a type that an element names was not looked up');
  if (!found.ok) {
    const member = found.error.reason === 'eventTypeNotFound' ? 'eventType' : 'eventTypeVersion';
    return { ok: false, errors: [envelopeFault(`${pointer}/${member}`, 'unknown', found.error.message)] };
  }
  const { type } = found;
  const frame = place.frames.get(type) ?? createRowFrame(place.sender, type);
  place.frames.set(type, frame);
  const admitted = admitEvent(rows, frame, {
    body: place.multi.body,
    at: element.eventAt,
    pointer: `${pointer}/event`,
    envelope: { eventId: element.eventId, occurredMs: element.occurredMs },
  });
  if (admitted.end !== element.eventEnd) throw malformedJson(admitted.end);
  return admitted.ok ? { ok: true, element, type } : { ok: false, errors: admitted.errors };
}
