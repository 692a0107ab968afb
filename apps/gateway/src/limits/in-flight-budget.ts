import { createDelayBudget } from './delay-budget.ts';
import { createInFlight, type InFlight } from './in-flight.ts';

/** The time in which everything in flight is completed: an accepted request is answered well within a second. */
const delayMs = 250;
const fewestBytes = 4 * 1024 ** 2;
/** A request costs as much time as 8 KiB of events, so that the number of small requests is limited too. */
const requestBytes = 8 * 1024;

/** `now` returns monotonic milliseconds. */
export function createInFlightBudget(maxBytes: number, now: () => number): InFlight {
  const budget = createDelayBudget({ maxBytes, fewestBytes: Math.min(maxBytes, fewestBytes), delayMs, now });
  return createInFlight({ limitBytes: budget.limitBytes, requestBytes, onReleased: budget.done });
}
