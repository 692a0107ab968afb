import { isUtf8 } from 'node:buffer';
import { limits, malformedJson, SystemError, systemError } from '@tickrate/contract';
import { skipSpace } from '@tickrate/events';
import { type NamedType, NamedTypes } from '../calls/named-types.ts';
import { bodyFault, type ReportedFault } from '../rejecting/rejection.ts';
import { withExplanation } from './explain-malformed.ts';
import { longestElement, type ReadElement, readMultiElement, tooLargeElement } from './multi-element.ts';
import type { MultiElement } from './plain-element.ts';
import { type Sliced, sliceBytes } from './sliced.ts';
import { expectEnd, walkArray } from './walk-array.ts';

/** The elements of a multiInsert, and the types that they name. */
export interface MultiBody {
  readonly body: Buffer;
  readonly elements: readonly ReadElement[];
  /** The number of the first element, if the body is part of a longer one. */
  readonly firstIndex: number;
  readonly types: readonly NamedType[];
  /** Each element is a separate document: a fault in its text rejects only this element. */
  readonly isLines: boolean;
}

/** Reads the envelopes of an array. Throws when the body is not an array of well-formed JSON. */
export function* readMultiArray(body: Buffer): Sliced<MultiBody> {
  const elements: ReadElement[] = [];
  const types = new NamedTypes();
  const end = yield* walkArray(body, (at, index) => {
    const read = readMultiElement(body, at, { pointer: `/${index}`, types });
    elements.push(read);
    return read.ok ? read.element.end : read.end;
  });
  expectEnd(body, end);
  return { body, elements, firstIndex: 0, types: types.all(), isLines: false };
}

/**
 * Reads the envelopes of NDJSON: one element per line, without empty lines. A line that is not JSON is a fault of this
 * line only.
 */
export function* readMultiLines(body: Buffer, firstIndex = 0): Sliced<MultiBody> {
  const elements: ReadElement[] = [];
  const types = new NamedTypes();
  // Also skips empty lines.
  let at = skipSpace(body, 0);
  let pauseAt = at + sliceBytes;
  while (at < body.length) {
    if (elements.length === limits.batchEvents)
      throw systemError('batchTooLarge', { amount: limits.batchEvents });
    const newline = body.indexOf(0x0a, at);
    const end = newline < 0 ? body.length : newline;
    elements.push(readLine(body, { at, end, index: firstIndex + elements.length, types }));
    at = skipSpace(body, end);
    if (at > pauseAt) {
      yield;
      pauseAt = at + sliceBytes;
    }
  }
  return { body, elements, firstIndex, types: types.all(), isLines: true };
}

interface Line {
  readonly at: number;
  readonly end: number;
  readonly index: number;
  readonly types: NamedTypes;
}

function readLine(body: Buffer, { at, end, index, types }: Line): ReadElement {
  const pointer = `/${index}`;
  const line = body.subarray(at, end);
  if (line.length > longestElement) return { ...tooLargeElement(pointer, { at, end }), at };
  try {
    if (!isUtf8(line)) throw malformedJson(0, 'is not UTF-8');
    const read = readMultiElement(line, 0, { pointer, types });
    expectEnd(line, read.ok ? read.element.end : read.end);
    return read.ok ? { ok: true, element: movedBy(read.element, at) } : { ...read, at, end };
  } catch (error) {
    return { ok: false, at, end, errors: [lineFault(pointer, error, line)] };
  }
}

/** The fault of an element that is not acceptable JSON. Throws any other `error`. */
export function lineFault(pointer: string, error: unknown, line: Buffer): ReportedFault {
  if (!(error instanceof SystemError) || !isOfTheText(error)) throw error;
  return bodyFault(pointer, 'format', withExplanation(error, line).fields ?? 'is not well-formed JSON');
}

function isOfTheText({ reason, data }: SystemError): boolean {
  if (reason === 'malformedJson') return true;
  // The one parameter of the request; any other is a forbidden member name.
  return reason === 'parameterInvalid' && data['parameterName'] !== 'eventType';
}

function movedBy(element: MultiElement, offset: number): MultiElement {
  return {
    ...element,
    eventAt: element.eventAt + offset,
    eventEnd: element.eventEnd + offset,
    end: element.end + offset,
  };
}
