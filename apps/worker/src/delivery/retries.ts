import { createBackoff } from '@tickrate/platform';
import type { HoldReason, Intake } from '../intake/intake.ts';

/** The process ends before the batch is stored. No event is lost: the chunks go back to the queue. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

const firstMs = 100;

/** Retries without end, with growing delays. Reports every failure and every success. */
export type Retries = ReturnType<typeof createRetries>;

export function createRetries(options: {
  /** Whether a rejection is worth another attempt. */
  isPassing(fault: unknown): boolean;
  random(): number;
  /** The longest delay. */
  readonly longestMs: number;
  /** Resolves after `delayMs`, or earlier when aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  onFailure(failure: unknown, delayMs: number): void;
  onSuccess(): void;
}) {
  const stopping = new AbortController();

  async function tryOnce<T>(attempt: (signal: AbortSignal) => Promise<T>) {
    try {
      return { answered: true as const, answer: await attempt(stopping.signal) };
    } catch (fault) {
      if (!options.isPassing(fault)) throw fault;
      return { answered: false as const, fault };
    }
  }

  async function keepTryingUntil<T, F extends T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    isFinal: (answer: T) => answer is F,
  ): Promise<F> {
    const backoff = createBackoff({ firstMs, longestMs: options.longestMs, random: options.random });
    for (;;) {
      if (stopping.signal.aborted) throw new Abandoned('the process is ending');
      const tried = await tryOnce(attempt);
      if (tried.answered && isFinal(tried.answer)) {
        options.onSuccess();
        return tried.answer;
      }
      const delayMs = backoff.next();
      options.onFailure(tried.answered ? tried.answer : tried.fault, delayMs);
      await options.sleep(delayMs, stopping.signal);
    }
  }

  return {
    /**
     * Resolves with the first answer. Retries after a rejection for which `isPassing` is true, and passes on any other.
     * Rejects with Abandoned after `abandon`.
     */
    keepTrying: <T>(attempt: (signal: AbortSignal) => Promise<T>) => keepTryingUntil(attempt, isAnything<T>),
    /** The same, but also retries after an answer that is not final. */
    keepTryingUntil,
    /** Resolves after `ms`. Rejects with Abandoned after `abandon`. */
    async pause(ms: number): Promise<void> {
      await options.sleep(ms, stopping.signal);
      if (stopping.signal.aborted) throw new Abandoned('the process is ending');
    },
    /** Ends all retries. The queue delivers their chunks again. */
    abandon: () => stopping.abort(),
  };
}

function isAnything<T>(_answer: T): _answer is T {
  return true;
}

/** Failures in a row after which no more chunks are fetched until an attempt succeeds. */
const failuresBeforeHold = 3;

/** Counts failures in a row. Unlike a circuit breaker it rejects no call: retries continue. */
export function createFailureStreak(intake: Pick<Intake, 'hold' | 'release'>, reason: HoldReason) {
  let failures = 0;
  return {
    failed() {
      failures += 1;
      if (failures === failuresBeforeHold) intake.hold(reason);
    },
    succeeded() {
      failures = 0;
      intake.release(reason);
    },
  };
}
