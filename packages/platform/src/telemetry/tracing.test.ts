import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { startHarness } from '../testing/http-harness.ts';
import { createLogger } from './logger.ts';
import { createMetrics } from './metrics.ts';
import { activeTraceparent, inBatchSpan, inSpan } from './traces.ts';
import { createTracing } from './tracing.ts';

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const traceparent = `00-${traceId}-00f067aa0ba902b7-01`;

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string }[];
}

/** A receiver of OTLP over HTTP. `answers: false` accepts connections and never answers. */
async function startReceiver({ answers = true } = {}) {
  const spans: SentSpan[] = [];
  const unanswered = new Set<object>();
  const server = createServer(async (request, response) => {
    unanswered.add(request);
    response.once('close', () => unanswered.delete(request));
    if (!answers) return;
    const parts = await request.toArray();
    const body = JSON.parse(Buffer.concat(parts).toString());
    for (const { scopeSpans } of body.resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  return { spans, unanswered, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function startTracing(tracesUrl: string | null, tracedShare = '1') {
  const metrics = createMetrics();
  const logger = createLogger({ name: 'test', destination: { write: () => undefined } });
  const tracing = createTracing({ name: 'test', tracesUrl, tracedShare, logger, metrics });
  await tracing.start?.();
  onTestFinished(async () => tracing.stop?.());
  return { tracing, metrics };
}

function startServer() {
  return startHarness({
    traced: true,
    routes: (app) => {
      app.get('/v1/things/:id', (_request, response, next) => {
        inSpan({ name: 'part' }, async () => response.end('true')).catch(next);
      });
    },
  });
}

test('a request continues the trace of its caller, its parts are children, and its log line names the trace', async () => {
  const receiver = await startReceiver();
  const { tracing } = await startTracing(receiver.url);
  await using server = await startServer();
  await (await fetch(`${server.url}/v1/things/7?apiKey=secret`, { headers: { traceparent } })).text();
  await server.server.stop();
  await tracing.stop?.();
  const [part, request] = ['part', 'GET /v1/things/:id'].map((name) =>
    receiver.spans.find((span) => span.name === name),
  );
  expect(request).toMatchObject({ traceId, parentSpanId: '00f067aa0ba902b7' });
  expect(part).toMatchObject({ traceId, parentSpanId: request?.spanId });
  const keys = request?.attributes.map(({ key }) => key).toSorted();
  expect(keys).toEqual(['http.request.method', 'http.response.status_code', 'http.route']);
  expect(server.lines.find(({ msg }) => msg === 'request')).toMatchObject({ trace_id: traceId });
});

test('the share also limits what callers ask for', async () => {
  const receiver = await startReceiver();
  const { tracing } = await startTracing(receiver.url, '0');
  await using server = await startServer();
  await (await fetch(`${server.url}/v1/things/7`, { headers: { traceparent } })).text();
  await server.server.stop();
  await tracing.stop?.();
  expect(receiver.spans).toEqual([]);
});

test('an invalid traceparent begins a new trace', async () => {
  const receiver = await startReceiver();
  const { tracing } = await startTracing(receiver.url);
  await using server = await startServer();
  const headers = { traceparent: `00-${'0'.repeat(32)}-00f067aa0ba902b7-01` };
  await (await fetch(`${server.url}/v1/things/7`, { headers })).text();
  await server.server.stop();
  await tracing.stop?.();
  expect(receiver.spans.find(({ name }) => name.startsWith('GET'))?.parentSpanId ?? '').toBe('');
});

test('a receiver that never answers delays neither requests nor, for long, the end', async () => {
  const receiver = await startReceiver({ answers: false });
  const { tracing, metrics } = await startTracing(receiver.url);
  await using server = await startServer();
  // More than wait for the export at most: further ones are dropped.
  for (let round = 0; round < 25; round++) {
    const asked = Array.from({ length: 100 }, () => fetch(`${server.url}/v1/things/7`));
    for (const answer of await Promise.all(asked)) expect(await answer.text()).toBe('true');
  }
  await server.server.stop();
  expect(await metrics.text()).toContain('tickrate_trace_spans_total{outcome="finished"} 5000');
  await tracing.stop?.();
  // The exporter itself would give up later, and then close its connection.
  expect(receiver.unanswered.size).toBeGreaterThan(0);
});

test('a batch is a child of its first message and has links to the others', async () => {
  const receiver = await startReceiver();
  const { tracing } = await startTracing(receiver.url);
  const other = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  const batch = { name: 'deliver batch', kind: 'consumer', attributes: {} } as const;
  const passedOn = await inBatchSpan(batch, [traceparent, other, traceparent], async () =>
    activeTraceparent(),
  );
  await inBatchSpan(batch, [], async () => undefined);
  await tracing.stop?.();
  const [span, ...more] = receiver.spans;
  expect(more).toEqual([]);
  expect(span).toMatchObject({ traceId, links: [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }] });
  expect(passedOn).toBe(`00-${traceId}-${span?.spanId}-01`);
});

test('without a receiver, no span is made and no line names a trace', async () => {
  await startTracing(null);
  await using server = await startServer();
  await (await fetch(`${server.url}/v1/things/7`, { headers: { traceparent } })).text();
  await server.server.stop();
  expect(server.lines.find(({ msg }) => msg === 'request')).not.toHaveProperty('trace_id');
});
