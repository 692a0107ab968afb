import { SystemError, systemError } from '@tickrate/contract';
import type { Rejection } from '../rejecting/rejection.ts';
import { noticesOf, type WithNotices } from './event-notices.ts';

/** The outcomes of a stream's lines so far. */
export class StreamAnswer {
  accepted = 0;
  clamped = 0;
  usesDeprecated = false;
  readonly #mostRejected: number;
  readonly #rejected: Rejection[] = [];
  #rejectedInAll = 0;

  constructor(mostRejected: number) {
    this.#mostRejected = mostRejected;
  }

  add(part: StoredPart): void {
    this.accepted += part.accepted;
    this.clamped += part.clamped;
    this.usesDeprecated ||= part.usesDeprecated;
    this.#rejectedInAll += part.rejected.length;
    this.#rejected.push(...part.rejected.slice(0, this.#mostRejected - this.#rejected.length));
  }

  /** Like every partial answer, with the total number of rejected events if not all are listed. */
  body(): { accepted: number; rejected: readonly Rejection[]; rejectedInAll?: number } & WithNotices {
    // Several blocks are stored at the same time.
    const rejected = this.#rejected.toSorted((a, b) => a.index - b.index);
    const isCut = this.#rejectedInAll > rejected.length;
    const inAll = isCut ? { rejectedInAll: this.#rejectedInAll } : {};
    return { accepted: this.accepted, rejected, ...inAll, ...noticesOf(this.clamped) };
  }

  /** The same failure with the number of events that were accepted before it: they stay accepted. */
  failing(error: unknown): unknown {
    if (!(error instanceof SystemError) || this.accepted === 0) return error;
    const told = `${this.accepted} events of this stream were accepted before`;
    const fields = error.fields === null ? told : `${error.fields}; ${told}`;
    return systemError(error.reason, error.data, { fields, cause: error.cause });
  }
}

export interface StoredPart {
  readonly accepted: number;
  /** How many of them have a time that was limited. */
  readonly clamped: number;
  readonly rejected: readonly Rejection[];
  readonly usesDeprecated: boolean;
}
