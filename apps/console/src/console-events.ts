import type { Telemetry } from '@tickrate/platform';

export type ConsoleEvents = ReturnType<typeof createConsoleEvents>;

/** Events in the console's process outside its requests. */
export function createConsoleEvents({ logger, metrics }: Telemetry) {
  const dependencyFaults = metrics.counter({
    name: 'tickrate_console_dependency_faults_total',
    help: "Failures of the console's dependencies that it recovered from",
    labels: ['dependency'],
  });
  const liveSkipped = metrics.counter({
    name: 'tickrate_console_live_skipped_total',
    help: 'Events that live streams left out because their readers were too slow or there were too many',
  });
  return {
    /** `count` is asked at every scrape. */
    liveViewers(count: () => number) {
      metrics.gauge({
        name: 'tickrate_console_live_viewers',
        help: 'Open live streams',
        read: count,
      });
    },
    liveSkipped: (events: number) => liveSkipped.inc(events),
    dependencyFault(dependency: 'postgres' | 'registry' | 'queue' | 'warehouse', err: unknown) {
      dependencyFaults.inc({ dependency });
      logger.warn({ dependency, err }, 'a dependency failed');
    },
  };
}
