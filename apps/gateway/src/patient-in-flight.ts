import { createDelayBudget } from './delay-budget.ts';
import { createInFlight, type InFlight } from './in-flight.ts';

/** What is in flight is done in so long: an accepted request is answered well within a second. */
const delayMs = 250;
const fewestBytes = 4 * 1024 ** 2;

/** `now` gives monotonic milliseconds. */
export function createPatientInFlight(maxBytes: number, now: () => number): InFlight {
  const budget = createDelayBudget({ maxBytes, fewestBytes: Math.min(maxBytes, fewestBytes), delayMs, now });
  return createInFlight({ limitBytes: budget.limitBytes, onReleased: budget.done });
}
