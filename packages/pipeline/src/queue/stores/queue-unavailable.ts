import { settleWithin } from '@tickrate/platform';

interface UnavailableOptions extends ErrorOptions {
  readonly outcomeUnknown?: boolean;
}

/** The queue did not confirm in time, or is away. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';
  /**
   * True if the chunk was sent to a store that did not answer. The store may still add it, however late. Adding it again
   * is harmless. If false, the chunk is in no store and never will be.
   */
  readonly outcomeUnknown: boolean;

  constructor(message: string, { outcomeUnknown = false, ...options }: UnavailableOptions = {}) {
    super(message, options);
    this.outcomeUnknown = outcomeUnknown;
  }
}

/** Translates any error of a store's driver, which does not say whether the store executed the command. */
export function asUnavailable(fault: unknown): QueueUnavailable {
  if (fault instanceof QueueUnavailable) return fault;
  const reason = fault instanceof Error ? fault.message : String(fault);
  return new QueueUnavailable(`the queue refused: ${reason}`, { cause: fault, outcomeUnknown: true });
}

/** Settles like `work`, or rejects with QueueUnavailable after `timeoutMs`. The work itself continues. */
export function confirmWithin<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  return settleWithin(
    timeoutMs,
    work,
    () => new QueueUnavailable(`${what} took longer than ${timeoutMs} ms`),
  );
}
