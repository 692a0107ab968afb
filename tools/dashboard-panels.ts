type Unit = 'short' | 's' | 'bytes' | 'percentunit' | 'reqps' | 'eps';

export interface Panel {
  readonly title: string;
  readonly unit: Unit;
  /** PromQL by legend. */
  readonly queries: Readonly<Record<string, string>>;
  /** The latest value alone. */
  readonly isStat?: boolean;
}

const each = '[$__rate_interval]';
const rate = (by: string, counter: string) => `sum by (${by}) (rate(${counter}${each}))`;
const total = (counter: string) => `sum(rate(${counter}${each}))`;
const quantile = (q: number, histogram: string, by = 'le') =>
  `histogram_quantile(${q}, ${rate(by, `${histogram}_bucket`)})`;
const requests = 'tickrate_http_request_duration_seconds';
const ofProcess = (process: string, more = '') => `{process="${process}"${more}}`;

/** Rate, errors and duration of each route. */
function routesOf(process: string): Panel[] {
  const slowest = `histogram_quantile(0.99, sum by (le, route) (rate(${requests}_bucket${ofProcess(process)}${each})))`;
  return [
    {
      title: 'Requests, by route',
      unit: 'reqps',
      queries: { '{{route}}': rate('route', `${requests}_count${ofProcess(process)}`) },
    },
    {
      title: 'Failed and rejected requests',
      unit: 'reqps',
      queries: {
        '{{route}} {{status}}': rate(
          'route, status',
          `${requests}_count${ofProcess(process, ',status!~"2.."')}`,
        ),
      },
    },
    { title: 'Duration, by route (p99)', unit: 's', queries: { '{{route}}': slowest } },
  ];
}

const processPanels: Panel[] = [
  {
    title: 'CPU',
    unit: 'percentunit',
    queries: { '{{process}}': rate('process', 'process_cpu_seconds_total') },
  },
  {
    title: 'Memory',
    unit: 'bytes',
    queries: { '{{process}} {{instance}}': 'process_resident_memory_bytes{process!=""}' },
  },
  {
    title: 'Event-loop delay (p99)',
    unit: 's',
    queries: { '{{process}} {{instance}}': 'nodejs_eventloop_lag_p99_seconds' },
  },
];

const eventRates: Panel = {
  title: 'Events',
  unit: 'eps',
  queries: {
    accepted: total('tickrate_gateway_events_accepted_total'),
    '{{end}}': rate('end', 'tickrate_worker_events_total'),
    rejected: total('tickrate_gateway_events_rejected_total'),
  },
};
const delivery: Panel = {
  title: 'Delay from accepted to stored',
  unit: 's',
  queries: {
    p50: quantile(0.5, 'tickrate_worker_delivery_seconds'),
    p99: quantile(0.99, 'tickrate_worker_delivery_seconds'),
  },
};
const queueBytes: Panel = {
  title: 'Size of the queue',
  unit: 'bytes',
  queries: { used: 'max(tickrate_queue_bytes)', limit: 'max(tickrate_queue_limit_bytes)' },
};

function stat(title: string, unit: Unit, query: string): Panel {
  return { title, unit, queries: { '': query }, isStat: true };
}

/** The dashboards by file. Rates, errors and durations first. */
export const dashboards: Readonly<
  Record<string, { readonly title: string; readonly panels: readonly Panel[] }>
> = {
  overview: {
    title: 'Tickrate: overview',
    panels: [
      {
        title: 'Alarms',
        unit: 'short',
        queries: { '{{alertname}}': 'count by (alertname) (ALERTS{alertstate="firing"})' },
        isStat: true,
      },
      stat('Accepted events', 'eps', total('tickrate_gateway_events_accepted_total')),
      stat('Accepted within 500 ms (1 h)', 'percentunit', '1 - tickrate:accept_failures:ratio_rate1h'),
      stat('Visible within 5 s (1 h)', 'percentunit', '1 - tickrate:late_events:ratio_rate1h'),
      stat('Oldest event in the queue', 's', 'max(tickrate_queue_oldest_seconds)'),
      stat('Missing events', 'short', 'max(tickrate_events_missing)'),
      eventRates,
      delivery,
      queueBytes,
      {
        title: 'Requests, by process',
        unit: 'reqps',
        queries: { '{{process}}': rate('process', `${requests}_count`) },
      },
      {
        title: 'Requests answered with 5xx',
        unit: 'reqps',
        queries: { '{{process}} {{route}}': rate('process, route', `${requests}_count{status=~"5.."}`) },
      },
      {
        title: 'Burn rate of the error budgets (1 h)',
        unit: 'short',
        queries: {
          accept: 'tickrate:accept_failures:ratio_rate1h / 0.001',
          visible: 'tickrate:late_events:ratio_rate1h / 0.01',
        },
      },
      ...processPanels,
    ],
  },
  'event-path': {
    title: 'Tickrate: event path',
    panels: [
      ...routesOf('gateway'),
      {
        title: 'Time until the queue confirms',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'tickrate_gateway_accept_seconds'),
          p99: quantile(0.99, 'tickrate_gateway_accept_seconds'),
        },
      },
      eventRates,
      {
        title: 'Rejected events, by reason',
        unit: 'eps',
        queries: { '{{reason}}': rate('reason', 'tickrate_gateway_events_rejected_total') },
      },
      {
        title: 'Chunks in the queue',
        unit: 'short',
        queries: { '{{lane}} {{shard}}': 'max by (lane, shard) (tickrate_queue_chunks)' },
      },
      {
        title: 'Oldest chunk in the queue',
        unit: 's',
        queries: { '{{lane}} {{shard}}': 'max by (lane, shard) (tickrate_queue_oldest_seconds)' },
      },
      queueBytes,
      {
        title: 'Chunks that workers batch or store',
        unit: 'short',
        queries: { '{{instance}}': 'tickrate_worker_chunks_in_hand' },
      },
      {
        title: 'Time of an insert',
        unit: 's',
        queries: {
          p50: quantile(0.5, 'tickrate_worker_batch_seconds'),
          p99: quantile(0.99, 'tickrate_worker_batch_seconds'),
        },
      },
      delivery,
      {
        title: 'Repeated work',
        unit: 'eps',
        queries: {
          'redelivered chunks': total('tickrate_worker_redelivered_chunks_total'),
          'refused inserts': total('tickrate_worker_refused_inserts_total'),
          'vanished inserts': total('tickrate_worker_vanished_inserts_total'),
        },
      },
      {
        title: 'Bodies that wait for the queue',
        unit: 'bytes',
        queries: { '{{instance}}': 'tickrate_gateway_in_flight_bytes' },
      },
      {
        title: 'Connections that ended early',
        unit: 'eps',
        queries: {
          '{{fault}}': rate('fault', `tickrate_http_connection_faults_total${ofProcess('gateway')}`),
        },
      },
    ],
  },
  'sign-in': {
    title: 'Tickrate: sign-in',
    panels: [
      ...routesOf('auth'),
      {
        title: 'Answers of platforms',
        unit: 'reqps',
        queries: {
          '{{provider}} {{status}}': rate('provider, status', 'tickrate_auth_token_verdicts_total'),
        },
      },
      {
        title: 'Passwords that wait to be hashed',
        unit: 'short',
        queries: { '{{instance}}': 'tickrate_auth_waiting_passwords' },
      },
      {
        title: 'Faults of dependencies',
        unit: 'eps',
        queries: { '{{dependency}}': rate('dependency', 'tickrate_auth_dependency_faults_total') },
      },
    ],
  },
  stores: {
    title: 'Tickrate: stores',
    panels: [
      {
        title: 'Connections to PostgreSQL in use',
        unit: 'percentunit',
        queries: {
          '{{process}} {{instance}}':
            'tickrate_postgres_connections{state="used"} / ignoring(state) tickrate_postgres_connections_limit',
        },
      },
      {
        title: 'Calls that wait for a connection',
        unit: 'short',
        queries: { '{{process}} {{instance}}': 'tickrate_postgres_waiting_calls' },
      },
      {
        title: 'Faults of dependencies',
        unit: 'eps',
        queries: Object.fromEntries(
          ['gateway', 'worker', 'console'].map((process) => [
            `${process}: {{dependency}}`,
            rate('dependency', `tickrate_${process}_dependency_faults_total`),
          ]),
        ),
      },
      {
        title: 'Parts in the fullest partition of ClickHouse',
        unit: 'short',
        queries: { parts: 'max(tickrate_clickhouse_parts)' },
      },
      {
        title: 'Size of the events',
        unit: 'bytes',
        queries: { events: 'max(tickrate_clickhouse_event_bytes)' },
      },
      {
        title: 'Free space',
        unit: 'bytes',
        queries: {
          ClickHouse: 'min(tickrate_clickhouse_disk_free_bytes)',
          'fullest volume of all': 'min(tickrate_gateway_store_free_bytes)',
        },
      },
      queueBytes,
      {
        title: 'Events in the queue, dead and missing',
        unit: 'short',
        queries: {
          pending: 'max(tickrate_events_pending)',
          dead: 'max(tickrate_events_dead)',
          missing: 'max(tickrate_events_missing)',
        },
      },
      {
        title: 'Removed events',
        unit: 'eps',
        queries: { expired: total('tickrate_worker_expired_events_total') },
      },
    ],
  },
};
