import { limits, malformedJson, parseExactJson, systemError } from '@tickrate/contract';
import { skipSpace } from '@tickrate/events';
import { type Sliced, sliceBytes } from './sliced.ts';

/**
 * Calls `visit` with the offset of every element; it returns the offset behind the element, or -1 to stop.
 * Returns the offset behind the array, or -1 when it was stopped. Throws 1001, 1002 or 8006.
 */
export function* walkArray(body: Buffer, visit: (at: number, index: number) => number): Sliced<number> {
  let at = skipSpace(body, 0);
  if (body[at] !== 0x5b) throw notAnArray(body, at);
  at = skipSpace(body, at + 1);
  if (body[at] === 0x5d) return at + 1;
  let pauseAt = at + sliceBytes;
  for (let index = 0; ; index++) {
    if (index === limits.batchEvents) throw systemError('batchTooLarge', { amount: limits.batchEvents });
    at = visit(at, index);
    if (at < 0) return -1;
    at = skipSpace(body, at);
    if (body[at] === 0x5d) return at + 1;
    if (body[at] !== 0x2c) throw malformedJson(at);
    at = skipSpace(body, at + 1);
    if (at > pauseAt) {
      yield;
      pauseAt = at + sliceBytes;
    }
  }
}

function notAnArray(body: Buffer, at: number): Error {
  return bodyTypeFault(body, at, 'the body must be an array') ?? malformedJson(at);
}

/**
 * 1002 if JSON of another type begins at `at`; null if no JSON begins there. Long values are not read to their end.
 * Throws 1001 for an invalid word or number.
 */
export function bodyTypeFault(body: Buffer, at: number, fields: string): Error | null {
  const first = body[at];
  if (first === undefined) return null;
  if (first !== 0x7b && first !== 0x5b && first !== 0x22) expectEnd(body, parseExactJson(body, at).end);
  return systemError('bodyTypeInvalid', {}, { fields });
}

export function expectEnd(body: Buffer, at: number): void {
  const end = skipSpace(body, at);
  if (end !== body.length) throw malformedJson(end);
}
