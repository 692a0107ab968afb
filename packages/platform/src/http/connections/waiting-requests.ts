import type { Connection, RequestContext } from '../context.ts';

/** Of one connection, and of all connections: each request holds some kilobytes. */
const mostOfConnection = 128;
const mostInAll = 10_000;

/** The pipelined requests that wait until those before them on their connection are answered. */
export class WaitingRequests {
  #count = 0;

  /** Returns false if too many wait already. */
  add({ waiting }: Connection, context: RequestContext): boolean {
    if (waiting.length >= mostOfConnection || this.#count >= mostInAll) return false;
    waiting.push(context);
    this.#count++;
    return true;
  }

  /** Removes and returns the first one. */
  takeNext({ waiting }: Connection): RequestContext | null {
    const next = waiting.shift() ?? null;
    if (next !== null) this.#count--;
    return next;
  }

  /** Forgets those of a connection that is closed. */
  dropAll({ waiting }: Connection): void {
    this.#count -= waiting.length;
    waiting.length = 0;
  }
}
