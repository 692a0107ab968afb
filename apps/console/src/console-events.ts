import type { Telemetry } from '@tickrate/platform';

type Dependency = 'postgres' | 'registry' | 'queue' | 'warehouse';

export type ConsoleEvents = ReturnType<typeof createConsoleEvents>;

/** Events in the console's process outside its requests. */
export function createConsoleEvents({ logger, metrics }: Telemetry) {
  const dependencyFaults = metrics.counter({
    name: 'tickrate_console_dependency_faults_total',
    help: "Failures of the console's dependencies that it recovered from",
    labels: ['dependency'],
  });
  return {
    dependencyFault(dependency: Dependency, err: unknown) {
      dependencyFaults.inc({ dependency });
      logger.warn({ dependency, err }, 'dependency fault');
    },
  };
}
