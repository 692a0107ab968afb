import { settleWithin } from '@tickrate/platform';

/** The queue did not confirm in time, or is away. The chunk may have been added. Adding it again is harmless. */
export class QueueUnavailable extends Error {
  override readonly name = 'QueueUnavailable';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** Translates any error of a store's driver. */
export function asUnavailable(fault: unknown): QueueUnavailable {
  if (fault instanceof QueueUnavailable) return fault;
  const reason = fault instanceof Error ? fault.message : String(fault);
  return new QueueUnavailable(`the queue refused: ${reason}`, fault);
}

/** Settles like `work`, or rejects with QueueUnavailable after `timeoutMs`. The work itself continues. */
export function confirmWithin<T>(work: Promise<T>, timeoutMs: number, what: string): Promise<T> {
  return settleWithin(
    timeoutMs,
    work,
    () => new QueueUnavailable(`${what} took longer than ${timeoutMs} ms`),
  );
}
