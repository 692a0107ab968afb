/** Tries for ever, with jittered pauses that grow to half a minute, and tells whether things go well. */
export interface Patience {
  /**
   * Resolves with the first answer. A rejection for which `isPassing` is true is tried again, any other is
   * passed on. Rejects with Abandoned after `abandon`.
   */
  keepTrying<T>(attempt: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** The same, but an answer that is not final is tried again too. */
  keepTryingUntil<T, F extends T>(
    attempt: (signal: AbortSignal) => Promise<T>,
    isFinal: (answer: T) => answer is F,
  ): Promise<F>;
  /** Resolves after `ms`. Rejects with Abandoned after `abandon`. */
  pause(ms: number): Promise<void>;
  /** Gives up everything that is being tried: it will be delivered again. */
  abandon(): void;
}

export interface PatienceOptions {
  /** Whether a rejection is worth another attempt. */
  isPassing(fault: unknown): boolean;
  random(): number;
  /** Resolves after `delayMs`, or earlier when aborted. */
  sleep(delayMs: number, signal: AbortSignal): Promise<void>;
  onFailure(failure: unknown, delayMs: number): void;
  onSuccess(): void;
}

/** The process ends before the batch is stored. Nothing is lost: its chunks go back to the queue. */
export class Abandoned extends Error {
  override readonly name = 'Abandoned';
}

const firstDelayMs = 100;
const longestDelayMs = 30_000;

export function createPatience(options: PatienceOptions): Patience {
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
    for (let failures = 0; ; failures += 1) {
      if (stopping.signal.aborted) throw new Abandoned('the process is ending');
      const tried = await tryOnce(attempt);
      if (tried.answered && isFinal(tried.answer)) {
        options.onSuccess();
        return tried.answer;
      }
      const delayMs = delayAfter(failures, options.random());
      options.onFailure(tried.answered ? tried.answer : tried.fault, delayMs);
      await options.sleep(delayMs, stopping.signal);
    }
  }

  return {
    keepTrying: (attempt) => keepTryingUntil(attempt, isAnything),
    keepTryingUntil,
    async pause(ms) {
      await options.sleep(ms, stopping.signal);
      if (stopping.signal.aborted) throw new Abandoned('the process is ending');
    },
    abandon: () => stopping.abort(),
  };
}

function isAnything<T>(_answer: T): _answer is T {
  return true;
}

/** Half of it is chance, so that workers that failed together do not come back together. */
function delayAfter(failures: number, random: number): number {
  const full = Math.min(longestDelayMs, firstDelayMs * 2 ** Math.min(failures, 20));
  return Math.round(full / 2 + (full / 2) * random);
}
