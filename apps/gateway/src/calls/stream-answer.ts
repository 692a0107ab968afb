import type { ServerResponse } from 'node:http';
import type { EventNotice } from '@tickrate/contract';
import { type Reason, SystemError, systemError } from '@tickrate/contract';
import type { Rejection } from '../rejecting/rejection.ts';

/** The outcomes of a stream's lines so far. */
export class StreamAnswer {
  accepted = 0;
  clamped = 0;
  usesDeprecated = false;
  readonly #mostRejected: number;
  readonly #rejected: Rejection[] = [];
  readonly #settled: LineRange[] = [];
  #rejectedInAll = 0;

  constructor(mostRejected: number) {
    this.#mostRejected = mostRejected;
  }

  add(part: StoredPart, lines: LineRange): void {
    this.accepted += part.accepted;
    this.clamped += part.clamped;
    this.usesDeprecated ||= part.usesDeprecated;
    this.#rejectedInAll += part.rejected.length;
    this.#rejected.push(...part.rejected.slice(0, this.#mostRejected - this.#rejected.length));
    this.#settled.push(lines);
  }

  /** Like every partial answer, with the total number of rejected events if not all are listed. */
  body(): PartlyAnswer {
    // Several blocks are stored at the same time.
    const rejected = this.#rejected.toSorted((a, b) => a.index - b.index);
    const isCut = this.#rejectedInAll > rejected.length;
    const inAll = isCut ? { rejectedInAll: this.#rejectedInAll } : {};
    return { accepted: this.accepted, rejected, ...inAll, ...noticesOf(this.clamped) };
  }

  /**
   * The same failure with the outcome of the lines that were stored before it: they stay accepted. A failure of the body
   * itself becomes 8011, because a sender would repeat its lines in other bodies.
   */
  failing(error: unknown): unknown {
    if (this.accepted === 0) return error;
    const fault =
      error instanceof SystemError ? error : systemError('internalException', {}, { cause: error });
    const progress = `${this.accepted} events of this stream were accepted before`;
    const fields = `${fault.fields ?? fault.message}; ${progress}`;
    const outcome = { ...this.body(), settledLines: joined(this.#settled) };
    if (!isOfTheBody.has(fault.reason))
      return systemError(fault.reason, { ...fault.data, ...outcome }, { fields, cause: fault.cause });
    const data = { ...outcome, interruptedBy: fault.reason };
    return systemError('streamPartlyAccepted', data, { fields, cause: fault.cause });
  }
}

/** These come again with the same body. After any other one, the same stream is sent again as it is, or never. */
const isOfTheBody: ReadonlySet<Reason> = new Set<Reason>([
  'malformedJson',
  'bodyTypeInvalid',
  'parameterInvalid',
  'bodyTooLarge',
  'contentTypeInvalid',
  'bodyNotDecodable',
  'eventDoesNotMatchType',
  'batchTooLarge',
  'eventTooLarge',
]);

type PartlyAnswer = WithNotices & {
  readonly accepted: number;
  readonly rejected: readonly Rejection[];
  readonly rejectedInAll?: number;
};

/** Numbers of the first and the last line, counted from 0 and without empty lines. */
export interface LineRange {
  readonly from: number;
  readonly to: number;
}

/** In order, and without a border between neighbours. */
function joined(ranges: readonly LineRange[]): LineRange[] {
  const found: LineRange[] = [];
  for (const next of ranges.toSorted((a, b) => a.from - b.from)) {
    const last = found.at(-1);
    if (last !== undefined && last.to + 1 === next.from)
      found[found.length - 1] = { from: last.from, to: next.to };
    else found.push(next);
  }
  return found;
}

export interface StoredPart {
  readonly accepted: number;
  /** How many of them have a time that was limited. */
  readonly clamped: number;
  readonly rejected: readonly Rejection[];
  readonly usesDeprecated: boolean;
}

export interface WithNotices {
  readonly notices?: readonly EventNotice[];
}

/** The member `notices` of an answer, which is absent if there are none. */
export function noticesOf(clamped: number): WithNotices {
  return clamped === 0 ? {} : { notices: [{ notice: 'occurredClamped', count: clamped }] };
}

/** The same for an answer that has no members. */
export function setNoticesHeader(response: ServerResponse, clamped: number): void {
  if (clamped > 0) response.setHeader('X-Tickrate-Notices', `occurredClamped=${clamped}`);
}
