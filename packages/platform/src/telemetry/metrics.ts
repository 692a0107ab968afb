import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

interface MetricOptions<L extends string> {
  readonly name: string;
  readonly help: string;
  /** Every label's values must come from a closed set: routes, reasons and outcomes, never ids. */
  readonly labels?: readonly L[];
}
interface GaugeOptions<L extends string> extends MetricOptions<L> {
  /** Called at every scrape. Without it, the process sets the value. */
  readonly read?: () => number;
}
interface HistogramOptions<L extends string> extends MetricOptions<L> {
  readonly buckets?: readonly number[];
}

/** The metrics of one process. Nothing is shared between two of them, so that tests and processes stay apart. */
export interface Metrics {
  counter<L extends string = never>(options: MetricOptions<L>): Counter<L>;
  gauge<L extends string = never>(options: GaugeOptions<L>): Gauge<L>;
  histogram<L extends string = never>(options: HistogramOptions<L>): Histogram<L>;
  /** The Prometheus text of everything, as of now. */
  text(): Promise<string>;
  readonly contentType: string;
}

const secondsBuckets = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** With `processMetrics`, also CPU, memory, garbage collection and event loop lag; those watch until the process ends. */
export function createMetrics({
  processMetrics = false,
}: {
  readonly processMetrics?: boolean;
} = {}): Metrics {
  const registry = new Registry();
  if (processMetrics) collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    counter: ({ name, help, labels = [] }) => new Counter({ name, help, labelNames: labels, registers }),
    gauge: ({ name, help, labels = [], read }) =>
      new Gauge({
        name,
        help,
        labelNames: labels,
        registers,
        ...(read && {
          collect() {
            this.set(read());
          },
        }),
      }),
    histogram: ({ name, help, labels = [], buckets = secondsBuckets }) =>
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
