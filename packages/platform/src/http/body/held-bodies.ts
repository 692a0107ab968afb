import { createSemaphore } from '../../concurrency/semaphore.ts';
import { BodyDeadlines } from './body-deadlines.ts';

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
