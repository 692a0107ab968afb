import { context } from '@opentelemetry/api';
import { settleWithin } from '../concurrency/settle-within.ts';
import type { Component } from '../process/lifecycle.ts';
import type { Telemetry } from './telemetry.ts';
import { useTracer } from './traces.ts';

/** Part of the declaration of every app that is traced. */
export const tracingVariables = {
  tracesUrl: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    type: 'url',
    protocols: ['http:', 'https:'],
    default: null,
    help: 'Receiver of traces, OTLP over HTTP: http://collector:4318. Without it, nothing is traced',
  },
  tracedShare: {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    type: 'string',
    pattern: /^(0(\.\d{1,9})?|1(\.0{1,9})?)$/,
    default: '1',
    help: 'Share of requests that are traced, from 0 to 1; must be the same on all processes',
  },
} as const;

interface TracingOptions extends Telemetry {
  /** The name of the process. */
  readonly name: string;
  readonly tracesUrl: string | null;
  readonly tracedShare: string;
}

/** More finished spans are dropped while the receiver is away or slow. */
const mostWaiting = 2_048;
const exportTimeoutMs = 5_000;
const lastExportMs = 2_000;

/**
 * Exports the spans of this process. Start it before, and stop it after, everything that is traced. Nothing waits for the
 * receiver, except the last export, for two seconds. Without `tracesUrl`, the SDK is not loaded.
 */
export function createTracing(options: TracingOptions): Component {
  let stop = async () => undefined as unknown;
  return {
    name: 'traces',
    async start() {
      if (options.tracesUrl !== null) stop = await startTracing(options, options.tracesUrl);
    },
    async stop() {
      useTracer(null);
      await stop();
    },
  };
}

async function startTracing(options: TracingOptions, tracesUrl: string): Promise<() => Promise<unknown>> {
  const { name, tracedShare } = options;
  const [sdk, { resourceFromAttributes }, { OTLPTraceExporter }, { AsyncLocalStorageContextManager }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/context-async-hooks'),
    ]);
  const events = createTraceEvents(options);
  const url = `${tracesUrl.replace(/\/$/, '')}/v1/traces`;
  const exporter = new OTLPTraceExporter({ url, timeoutMillis: exportTimeoutMs });
  const observed: typeof exporter.export = (spans, onResult) =>
    exporter.export(spans, (result) => {
      events.exported(spans.length, result.code === 0 ? null : (result.error ?? new Error('not accepted')));
      onResult(result);
    });
  const share = new sdk.TraceIdRatioBasedSampler(Number(tracedShare));
  const provider = new sdk.BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.namespace': 'tickrate', 'service.name': `tickrate-${name}` }),
    // The share also limits what callers ask for. It follows from the trace's id, so all processes choose alike.
    sampler: new sdk.ParentBasedSampler({ root: share, remoteParentSampled: share }),
    spanProcessors: [
      {
        onStart: () => undefined,
        onEnd: events.finished,
        forceFlush: async () => undefined,
        shutdown: async () => undefined,
      },
      new sdk.BatchSpanProcessor(
        { export: observed, shutdown: () => exporter.shutdown() },
        { maxQueueSize: mostWaiting, maxExportBatchSize: 512, scheduledDelayMillis: 2_000 },
      ),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  useTracer(provider.getTracer('tickrate'));
  return async () => {
    await settleWithin(lastExportMs, provider.shutdown(), () => new Error('late')).catch(() => undefined);
    context.disable();
  };
}

function createTraceEvents({ logger, metrics }: Telemetry) {
  const spans = metrics.counter({
    name: 'tickrate_trace_spans_total',
    help: 'Finished spans, and those that OTEL_EXPORTER_OTLP_ENDPOINT accepted (exported) or not (failed)',
    labels: ['outcome'],
  });
  let isAway = false;
  return {
    finished: () => spans.inc({ outcome: 'finished' }),
    exported(count: number, err: Error | null) {
      spans.inc({ outcome: err === null ? 'exported' : 'failed' }, count);
      if (err !== null && !isAway)
        logger.warn({ err }, 'traces are lost: OTEL_EXPORTER_OTLP_ENDPOINT does not accept them');
      if (err === null && isAway) logger.info('traces are exported again');
      isAway = err !== null;
    },
  };
}
