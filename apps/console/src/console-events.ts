import type { Telemetry } from '@tickrate/platform';

type Dependency = 'registry' | 'queue' | 'warehouse' | 'ledger' | 'accounts';

export type ConsoleEvents = ReturnType<typeof createConsoleEvents>;

/** What happens in the console's process beside its requests. */
export function createConsoleEvents({ logger, metrics }: Telemetry) {
  const dependencyFaults = metrics.counter({
    name: 'tickrate_console_dependency_faults_total',
    help: 'Faults of what the console depends on that it got over by itself',
    labels: ['dependency'],
  });
  return {
    dependencyFault(dependency: Dependency, err: unknown) {
      dependencyFaults.inc({ dependency });
      logger.warn({ dependency, err }, 'dependency fault');
    },
  };
}
