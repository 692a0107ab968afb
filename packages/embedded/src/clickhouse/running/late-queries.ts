import type { ServerResponse } from 'node:http';

/** Limits how long a query runs here, whether the engine can interrupt it or not. */
export interface LateQueries {
  /** Returns a function to call when the query has ended. */
  watch(response: ServerResponse): () => void;
}

export interface LateQueryOptions {
  readonly limitMs: number;
  /** Between the end of a connection and the end of the process. */
  readonly graceMs: number;
  readonly endProcess: () => void;
}

/**
 * The engine checks whether a query must end only between blocks of rows, and some functions take hours for one. At the
 * limit the query loses its connection, which cancels it. A query that still runs after the grace period ends the
 * process.
 */
export function createLateQueries({ limitMs, graceMs, endProcess }: LateQueryOptions): LateQueries {
  return {
    watch(response) {
      const limit = setTimeout(() => response.destroy(), limitMs);
      const end = setTimeout(endProcess, limitMs + graceMs);
      return () => {
        clearTimeout(limit);
        clearTimeout(end);
      };
    },
  };
}

/** For a server that stores data: queries end only where the engine can interrupt them. */
export const unlimitedQueries: LateQueries = { watch: () => () => undefined };
