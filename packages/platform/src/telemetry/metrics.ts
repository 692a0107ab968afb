import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';

interface MetricOptions<L extends string> {
  readonly name: string;
  readonly help: string;
  /** Every label's values must come from a closed set: routes, reasons and outcomes, never ids. */
  readonly labels?: readonly L[];
}
interface CounterOptions<L extends string> extends MetricOptions<L> {
  /** Exported as 0 from the start. Prometheus does not see the first increase of a series that begins with it. */
  readonly from?: readonly Readonly<Record<L, string>>[];
}
interface GaugeOptions<L extends string> extends MetricOptions<L> {
  /** Called at every scrape: the value, or one for each combination of labels. Without it, the process sets the value. */
  readonly read?: () =>
    | number
    | readonly (Readonly<Record<L, string | number>> & { readonly value: number })[];
}
interface HistogramOptions<L extends string> extends MetricOptions<L> {
  readonly buckets?: readonly number[];
}

/** The metrics of one process. Nothing is shared between two of them, so that tests and processes stay apart. */
export interface Metrics {
  counter<L extends string = never>(options: CounterOptions<L>): Counter<L>;
  gauge<L extends string = never>(options: GaugeOptions<L>): Gauge<L>;
  /** Observing costs no allocation, as every request does it: prom-client's own histogram takes eight times as long. */
  histogram<L extends string = never>(options: HistogramOptions<L>): HistogramSeries;
  /** The Prometheus text of everything, as of now. */
  text(): Promise<string>;
  readonly contentType: string;
}

const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

function watchProcess(registry: Registry): void {
  // The monitor of prom-client wakes an idle process a hundred times a second, a third of what the product costs then.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 3_600_000 });
  for (const part of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99'])
    registry.removeSingleMetric(`nodejs_eventloop_lag_${part}_seconds`);
  const rounds = monitorEventLoopDelay({ samplePerIteration: true });
  rounds.enable();
  const longest = new Gauge({
    name: 'nodejs_eventloop_lag_p99_seconds',
    help: 'Time that 99 % of the rounds of the event loop did not exceed, since the last scrape',
    registers: [registry],
    collect() {
      longest.set(rounds.percentile(99) / 1e9);
      rounds.reset();
    },
  });
}

/** With `processMetrics`, also CPU, memory, garbage collection and event loop lag; those watch until the process ends. */
export function createMetrics({
  processMetrics = false,
}: {
  readonly processMetrics?: boolean;
} = {}): Metrics {
  const registry = new Registry();
  if (processMetrics) watchProcess(registry);
  // Gauges that are named like counters. They are the sums of others.
  for (const what of ['handles', 'requests', 'resources'])
    registry.removeSingleMetric(`nodejs_active_${what}_total`);
  const registers = [registry];
  const histograms: (() => string)[] = [];
  return {
    counter({ name, help, labels = [], from = [] }) {
      const counter = new Counter({ name, help, labelNames: labels, registers });
      for (const series of from) counter.inc(series, 0);
      return counter;
    },
    gauge: ({ name, help, labels = [], read }) =>
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        ...(read && {
          collect() {
            const found = read();
            if (typeof found === 'number') this.set(found);
            else {
              this.reset();
              for (const { value, ...of } of found) this.set(of as typeof of & Record<string, string>, value);
            }
          },
        }),
      }),
    histogram({ name, help, labels = [], buckets = secondsBuckets }) {
      const series = new HistogramSeries(buckets);
      const head = [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`];
      histograms.push(() => [...head, ...series.lines(name, labels), ''].join('\n'));
      return series;
    },
    text: async () => [await registry.metrics(), ...histograms.map((text) => text())].join('\n'),
    contentType: registry.contentType,
  };
}

/** The observations of one combination of label values. */
class HistogramSeries {
  readonly #bounds: readonly number[];
  readonly #next = new Map<string | number, HistogramSeries>();
  /** One for each bound, and one beyond the last. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  /** The series with the value of one more label, in the order in which the labels were declared. */
  of(value: string | number): HistogramSeries {
    const known = this.#next.get(value);
    if (known !== undefined) return known;
    const created = new HistogramSeries(this.#bounds);
    this.#next.set(value, created);
    return created;
  }

  /** `times` is how often the same value was seen. */
  observe(value: number, times = 1): void {
    let at = 0;
    while (value > (this.#bounds[at] ?? Number.POSITIVE_INFINITY)) at += 1;
    this.#counts[at] = (this.#counts[at] ?? 0) + times;
    this.#sum += value * times;
  }

  /** The lines of every series below this one. `labels` are those that are still to come. */
  *lines(name: string, labels: readonly string[], known = ''): Generator<string> {
    const [label, ...rest] = labels;
    if (label !== undefined) {
      for (const [value, next] of this.#next) {
        yield* next.lines(name, rest, `${known}${label}=${JSON.stringify(String(value))},`);
      }
      return;
    }
    let count = 0;
    for (const [at, found] of this.#counts.entries()) {
      count += found;
      yield `${name}_bucket{${known}le="${this.#bounds[at] ?? '+Inf'}"} ${count}`;
    }
    const braced = known === '' ? '' : `{${known.slice(0, -1)}}`;
    yield `${name}_sum${braced} ${this.#sum}`;
    yield `${name}_count${braced} ${count}`;
  }
}
