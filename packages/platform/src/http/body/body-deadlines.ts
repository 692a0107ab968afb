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
