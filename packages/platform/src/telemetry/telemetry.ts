import type { Logger } from './logger.ts';
import type { Metrics } from './metrics.ts';

/**
 * What an `events.ts` is built from. Such a file names what can happen: one function for each event, which writes
 * one log line and counts one metric, with labels from closed sets. See `process-events.ts` for the pattern.
 */
export interface Telemetry {
  readonly logger: Logger;
  readonly metrics: Metrics;
}
