export type ServiceName = 'gateway' | 'auth' | 'console' | 'clickhouse' | 'postgres' | 'worker';

export const defaultBasePort = 8080;

/** The ports of an installation on one machine: six in a row. The worker serves only its health and metrics. */
export function portPlan(basePort: number): Readonly<Record<ServiceName, number>> {
  return {
    gateway: basePort,
    auth: basePort + 1,
    console: basePort + 2,
    clickhouse: basePort + 3,
    postgres: basePort + 4,
    worker: basePort + 5,
  };
}
