import type { ServerResponse } from 'node:http';

/** Watches a query that answers this response. Returns a function to call when it has ended. */
export type WatchQuery = (response: ServerResponse) => () => void;

/** Cancelling a query that can be cancelled takes some milliseconds. */
const GRACE_MS = 2000;

/**
 * Limits how long a query runs here, whether the engine can interrupt it or not. The engine checks whether a query must
 * end only between blocks of rows, and some functions take hours for one. At the limit the query loses its connection,
 * which cancels it. A query that still runs after the grace period ends the process.
 */
export function endLateQueries(limitMs: number, endProcess: (reason: string) => void): WatchQuery {
  const reason = `A query could not be interrupted ${GRACE_MS} ms after its limit. This server ends`;
  return (response) => {
    const limit = setTimeout(() => response.destroy(), limitMs);
    const end = setTimeout(endProcess, limitMs + GRACE_MS, reason);
    return () => {
      clearTimeout(limit);
      clearTimeout(end);
    };
  };
}
