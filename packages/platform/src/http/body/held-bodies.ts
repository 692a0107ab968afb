import { type BodyDeadline, BodyDeadlines } from './body-deadlines.ts';

/**
 * The memory that the bodies of one server may take before a route has them: bytes of bodies that are not complete,
 * and inflations, of which only a few run at once. Thousands of slow or deflated bodies wait or are refused.
 */
export class HeldBodies {
  readonly #mostBytes: number;
  readonly #mostInflations: number;
  readonly #waiting: (() => void)[] = [];
  readonly #deadlines = new BodyDeadlines();
  #bytes = 0;
  #inflations = 0;

  constructor(mostBytes: number, mostInflations = 4) {
    this.#mostBytes = mostBytes;
    this.#mostInflations = mostInflations;
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

  /** Calls `onLate` after `timeoutMs` if the returned deadline has not ended before. */
  deadline(timeoutMs: number, onLate: () => void): BodyDeadline {
    return this.#deadlines.begin(timeoutMs, onLate);
  }

  /** Runs the work when a place is free. */
  async runLimited<T>(work: () => Promise<T>): Promise<T> {
    if (this.#inflations >= this.#mostInflations)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#inflations++;
    try {
      return await work();
    } finally {
      // The next work gets the place directly, so that no newcomer overtakes it.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#inflations--;
    }
  }
}
