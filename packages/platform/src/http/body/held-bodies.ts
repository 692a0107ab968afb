import { createSemaphore, type Semaphore } from '../../concurrency/semaphore.ts';
import { type BodyDeadline, BodyDeadlines } from './body-deadlines.ts';

/**
 * The memory that the bodies of one server may take before a route has them: bytes of bodies that are not complete,
 * and inflations, of which only a few run at once. Thousands of slow or deflated bodies wait or are refused.
 */
export class HeldBodies {
  readonly #mostBytes: number;
  /** Of inflations. */
  readonly semaphore: Semaphore;
  readonly #deadlines = new BodyDeadlines();
  #bytes = 0;

  constructor(mostBytes: number, mostInflations = 4) {
    this.#mostBytes = mostBytes;
    this.semaphore = createSemaphore({ permits: mostInflations });
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
}
