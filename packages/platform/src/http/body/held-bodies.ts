import { createSemaphore } from '../../concurrency/semaphore.ts';

/**
 * The memory that the bodies of one server may take before a route has them: bytes of bodies that are not complete,
 * and inflations, of which only a few run at once. Thousands of slow or deflated bodies wait or are refused.
 */
export class HeldBodies {
  readonly #mostBytes: number;
  /** Of inflations. */
  readonly semaphore = createSemaphore({ permits: 4 });
  readonly deadlines = new BodyDeadlines();
  #bytes = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** False when that is more than may be held now; nothing is taken then. */
  take(bytes: number): boolean {
    if (this.#bytes + bytes > this.#mostBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  give(bytes: number): void {
    this.#bytes -= bytes;
  }
}

/**
 * Bounds the time of bodies. Nearly all bodies arrive together with their head, before an immediate runs, so only the
 * others get a timer.
 */
export class BodyDeadlines {
  #new: Deadline[] = [];

  /** Calls `onLate` once after `timeoutMs`, if the deadline has not ended before. */
  begin(timeoutMs: number, onLate: () => void): Deadline {
    const deadline = new Deadline(timeoutMs, onLate);
    if (this.#new.length === 0) setImmediate(() => this.#startTimers());
    this.#new.push(deadline);
    return deadline;
  }

  #startTimers(): void {
    const begun = this.#new;
    this.#new = [];
    for (const deadline of begun) deadline.startTimer();
  }
}

/** The end of the time that one body may take. */
class Deadline {
  readonly #timeoutMs: number;
  readonly #onLate: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(timeoutMs: number, onLate: () => void) {
    this.#timeoutMs = timeoutMs;
    this.#onLate = onLate;
  }

  startTimer(): void {
    if (!this.#isOver) this.#timer = setTimeout(this.#onLate, this.#timeoutMs);
  }

  /** The body is complete or was given up: `onLate` is not called any more. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
