export const defaultBasePort = 8080;

/** The ports of an installation on one machine: eleven in a row. The worker and the demo have one for metrics and health, the other apps two. */
export function portPlan(basePort: number) {
  return {
    gateway: basePort,
    auth: basePort + 1,
    console: basePort + 2,
    clickhouse: basePort + 3,
    postgres: basePort + 4,
    worker: basePort + 5,
    gatewayMetrics: basePort + 6,
    authMetrics: basePort + 7,
    consoleMetrics: basePort + 8,
    queries: basePort + 9,
    demo: basePort + 10,
  } as const;
}

export type ServiceName = keyof ReturnType<typeof portPlan>;
