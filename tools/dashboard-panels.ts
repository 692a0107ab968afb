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
const quantile = (q: number, histogram: string) =>
  `histogram_quantile(${q}, ${rate('le', `${histogram}_bucket`)})`;
const quantiles = (histogram: string) => ({ p50: quantile(0.5, histogram), p99: quantile(0.99, histogram) });
const requests = 'tickrate_http_request_duration_seconds';
const ofProcess = (process: string, more = '') => `{process="${process}"${more}}`;

/** Rate, errors and duration of each route. */
function routesOf(process: string): Panel[] {
  const slowest = `histogram_quantile(0.99, sum by (le, route) (rate(${requests}_bucket${ofProcess(process)}${each})))`;
  return [
    chart('Requests, by route', 'reqps', {
      '{{route}}': rate('route', `${requests}_count${ofProcess(process)}`),
    }),
    chart('Failed and rejected requests', 'reqps', {
      '{{route}} {{status}}': rate(
        'route, status',
        `${requests}_count${ofProcess(process, ',status!~"2.."')}`,
      ),
    }),
    chart('Duration, by route (p99)', 's', { '{{route}}': slowest }),
  ];
}

const processPanels: Panel[] = [
  chart('CPU', 'percentunit', { '{{process}}': rate('process', 'process_cpu_seconds_total') }),
  chart('Memory', 'bytes', { '{{process}} {{instance}}': 'process_resident_memory_bytes{process!=""}' }),
  chart('Event-loop delay (p99)', 's', { '{{process}} {{instance}}': 'nodejs_eventloop_lag_p99_seconds' }),
];

const eventRates = chart('Events', 'eps', {
  accepted: total('tickrate_gateway_events_accepted_total'),
  '{{end}}': rate('end', 'tickrate_worker_events_total'),
  rejected: total('tickrate_gateway_events_rejected_total'),
});
const delivery = chart('Delay from accepted to stored', 's', quantiles('tickrate_worker_delivery_seconds'));
const queueBytes = chart('Size of the queue', 'bytes', {
  used: 'max(tickrate_queue_bytes)',
  limit: 'max(tickrate_queue_limit_bytes)',
});

function chart(title: string, unit: Unit, queries: Panel['queries']): Panel {
  return { title, unit, queries };
}

function stat(title: string, unit: Unit, queries: Panel['queries']): Panel {
  return { title, unit, queries, isStat: true };
}

/** The dashboards by file. Rates, errors and durations first. */
export const dashboards: Readonly<
  Record<string, { readonly title: string; readonly panels: readonly Panel[] }>
> = {
  overview: {
    title: 'Tickrate: overview',
    panels: [
      stat('Alarms', 'short', { '{{alertname}}': 'count by (alertname) (ALERTS{alertstate="firing"})' }),
      stat('Accepted events', 'eps', { '': total('tickrate_gateway_events_accepted_total') }),
      stat('Accepted within 500 ms (1 h)', 'percentunit', {
        '': '1 - tickrate:accept_failures:ratio_rate1h',
      }),
      stat('Visible within 5 s (1 h)', 'percentunit', { '': '1 - tickrate:late_events:ratio_rate1h' }),
      stat('Oldest event in the queue', 's', { '': 'max(tickrate_queue_oldest_seconds)' }),
      stat('Missing events', 'short', { '': 'max(tickrate_events_missing)' }),
      eventRates,
      delivery,
      queueBytes,
      chart('Requests, by process', 'reqps', { '{{process}}': rate('process', `${requests}_count`) }),
      chart('Requests answered with 5xx', 'reqps', {
        '{{process}} {{route}}': rate('process, route', `${requests}_count{status=~"5.."}`),
      }),
      chart('Burn rate of the error budgets (1 h)', 'short', {
        accept: 'tickrate:accept_failures:ratio_rate1h / 0.001',
        visible: 'tickrate:late_events:ratio_rate1h / 0.01',
      }),
      ...processPanels,
    ],
  },
  'event-path': {
    title: 'Tickrate: event path',
    panels: [
      ...routesOf('gateway'),
      chart('Time until the queue confirms', 's', quantiles('tickrate_gateway_accept_seconds')),
      eventRates,
      chart('Rejected events, by reason', 'eps', {
        '{{reason}}': rate('reason', 'tickrate_gateway_events_rejected_total'),
      }),
      chart('Chunks in the queue', 'short', {
        '{{lane}} {{shard}}': 'max by (lane, shard) (tickrate_queue_chunks)',
      }),
      chart('Oldest chunk in the queue', 's', {
        '{{lane}} {{shard}}': 'max by (lane, shard) (tickrate_queue_oldest_seconds)',
      }),
      queueBytes,
      chart('Chunks that workers batch or store', 'short', {
        '{{instance}}': 'tickrate_worker_chunks_in_hand',
      }),
      chart('Time of an insert', 's', quantiles('tickrate_worker_batch_seconds')),
      delivery,
      chart('Repeated work', 'eps', {
        'redelivered chunks': total('tickrate_worker_redelivered_chunks_total'),
        'refused inserts': total('tickrate_worker_refused_inserts_total'),
        'vanished inserts': total('tickrate_worker_vanished_inserts_total'),
      }),
      chart('Bodies that wait for the queue', 'bytes', {
        '{{instance}}': 'tickrate_gateway_in_flight_bytes',
      }),
      chart('Connections that ended early', 'eps', {
        '{{fault}}': rate('fault', `tickrate_http_connection_faults_total${ofProcess('gateway')}`),
      }),
    ],
  },
  'sign-in': {
    title: 'Tickrate: sign-in',
    panels: [
      ...routesOf('auth'),
      chart('Answers of platforms', 'reqps', {
        '{{provider}} {{status}}': rate('provider, status', 'tickrate_auth_token_verdicts_total'),
      }),
      chart('Passwords that wait to be hashed', 'short', {
        '{{instance}}': 'tickrate_auth_waiting_passwords',
      }),
      chart('Faults of dependencies', 'eps', {
        '{{dependency}}': rate('dependency', 'tickrate_auth_dependency_faults_total'),
      }),
    ],
  },
  stores: {
    title: 'Tickrate: stores',
    panels: [
      chart('Connections to PostgreSQL in use', 'percentunit', {
        '{{process}} {{instance}}':
          'tickrate_postgres_connections{state="used"} / ignoring(state) tickrate_postgres_connections_limit',
      }),
      chart('Calls that wait for a connection', 'short', {
        '{{process}} {{instance}}': 'tickrate_postgres_waiting_calls',
      }),
      chart(
        'Faults of dependencies',
        'eps',
        Object.fromEntries(
          ['gateway', 'worker', 'console'].map((process) => [
            `${process}: {{dependency}}`,
            rate('dependency', `tickrate_${process}_dependency_faults_total`),
          ]),
        ),
      ),
      chart('Parts in the fullest partition of ClickHouse', 'short', {
        parts: 'max(tickrate_clickhouse_parts)',
      }),
      chart('Size of the events', 'bytes', { events: 'max(tickrate_clickhouse_event_bytes)' }),
      chart('Free space', 'bytes', {
        ClickHouse: 'min(tickrate_clickhouse_disk_free_bytes)',
        'fullest volume of all': 'min(tickrate_gateway_store_free_bytes)',
      }),
      queueBytes,
      chart('Events in the queue, dead and missing', 'short', {
        pending: 'max(tickrate_events_pending)',
        dead: 'max(tickrate_events_dead)',
        missing: 'max(tickrate_events_missing)',
      }),
      chart('Removed events', 'eps', { expired: total('tickrate_worker_expired_events_total') }),
    ],
  },
};

export interface ProjectPanel extends Pick<Panel, 'title' | 'unit'> {
  readonly sql: string;
}

const inRange = 'FROM events WHERE $__timeFilter(occurred)';
const lateBySeconds = "dateDiff('millisecond', occurred, received) / 1000";
const overTime = (figures: string, by = '') =>
  `SELECT $__timeInterval(occurred) AS time, ${by}${figures} ${inRange} GROUP BY ${by}time ORDER BY time`;
const rateBy = (by: string) => overTime('count() / $__interval_s AS events', `${by}, `);

/** Of the project of the data source's BI user, who needs no personal data. */
export const projectPanels: readonly ProjectPanel[] = [
  { title: 'Events, by type', unit: 'eps', sql: rateBy('type') },
  { title: 'Events, by version of their type', unit: 'eps', sql: rateBy('type, version') },
  { title: 'Events, by kind of key', unit: 'eps', sql: rateBy('key_kind') },
  { title: 'Events, by SDK', unit: 'eps', sql: rateBy('sdk_name, sdk_version') },
  {
    title: 'Delay from an event to its arrival',
    unit: 's',
    sql: overTime(`quantile(0.5)(${lateBySeconds}) AS p50, quantile(0.99)(${lateBySeconds}) AS p99`),
  },
  {
    title: 'Events that arrived over an hour late',
    unit: 'short',
    sql: overTime(`countIf(${lateBySeconds} > 3600) AS events`),
  },
];
