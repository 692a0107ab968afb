import { createManualClock, findFreePort, waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { defineConfig } from '../config/config.ts';
import { addHealthRoutes, addOperatorRoutes } from '../http/health.ts';
import { createOperatorServer, operatorVariables } from '../http/operator-server.ts';
import { startHarness } from '../testing/http-harness.ts';
import { createHealth, type Health, type HealthCheck } from './health.ts';
import { createLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';

function started(checks: Readonly<Record<string, HealthCheck>>, options = {}) {
  const health = createHealth({ checks, ...options });
  health.markStarted();
  return health;
}

// Invariant (HTTP): The public port reports only whether a process is ready, with neither reasons nor
// metrics
describe('readiness', () => {
  test('is false until all has started, then true, and false again from the stop on', async () => {
    const health = createHealth({ checks: {} });
    expect(await health.report()).toEqual({ ready: false, checks: { process: 'the process is starting' } });
    health.markStarted();
    expect(await health.report()).toEqual({ ready: true, checks: { process: null } });
    health.markStopping();
    health.markStarted();
    expect(await health.report()).toEqual({ ready: false, checks: { process: 'the process is stopping' } });
  });

  test('reports failing checks with the reason, also if a check throws or does not answer', async () => {
    const health = started(
      {
        good: () => null,
        bad: async () => 'no connection',
        broken: () => Promise.reject(new Error('ECONNREFUSED')),
        thrown: () => {
          throw new Error('at once');
        },
        silent: () => new Promise(() => null),
      },
      { timeoutMs: 20 },
    );
    expect(await health.report()).toEqual({
      ready: false,
      checks: {
        process: null,
        good: null,
        bad: 'no connection',
        broken: 'ECONNREFUSED',
        thrown: 'at once',
        silent: 'no answer within 20 ms',
      },
    });
  });

  test('runs the checks at most once a second', async () => {
    const clock = createManualClock();
    let asked = 0;
    const counted = () => {
      asked++;
      return null;
    };
    const health = started({ counted }, { now: clock.now });
    await Promise.all([health.report(), health.report(), health.report()]);
    expect(asked).toBe(1);
    clock.advance(1000);
    await health.report();
    expect(asked).toBe(2);
  });
});

describe('the health routes', () => {
  test('are 200 when ready, and 503 in the shape of every fault when not', async () => {
    let reason: string | null = null;
    const health = started({ database: () => reason }, { cacheMs: 0 });
    const metrics = createMetrics({ processMetrics: true });
    await using edge = await startHarness({ routes: (app) => addOperatorRoutes(app, { health, metrics }) });
    const ready = await fetch(`${edge.url}/health/ready`);
    expect([ready.status, await ready.json()]).toEqual([
      200,
      { ready: true, checks: { process: null, database: null } },
    ]);
    reason = 'away';
    const unready = await fetch(`${edge.url}/health/ready`);
    expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '1']);
    expect(await unready.json()).toMatchObject({
      code: 6001,
      data: { checks: { process: null, database: 'away' } },
    });
    expect((await fetch(`${edge.url}/health/live`)).status).toBe(200);
  });

  test('report only the result to the public, without reasons and measurements', async () => {
    let reason: string | null = null;
    const health = started({ database: () => reason }, { cacheMs: 0 });
    await using edge = await startHarness({ routes: (app) => addHealthRoutes(app, { health }) });
    expect(await (await fetch(`${edge.url}/health/ready`)).json()).toEqual({ ready: true });
    reason = 'connect ECONNREFUSED 10.0.0.5:5432';
    const unready = await fetch(`${edge.url}/health/ready`);
    expect([unready.status, unready.headers.get('retry-after')]).toEqual([503, '1']);
    const text = await unready.text();
    expect(JSON.parse(text)).toMatchObject({ code: 6001 });
    expect(text).not.toMatch(/checks|database|10\.0\.0\.5/);
    expect((await fetch(`${edge.url}/health/live`)).status).toBe(200);
    expect((await fetch(`${edge.url}/metrics`)).status).toBe(404);
  });
});

describe('the server for operators', () => {
  test('serves the metrics, including those of the process and its event loop', async () => {
    const metrics = createMetrics({ processMetrics: true });
    metrics.gauge({ name: 'asked', help: 'Read at every scrape', read: () => 42 });
    const text = await waitUntil(() => metricsOf({ health: started({}), metrics }));
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('asked 42');
  });

  test('is on loopback, above the public port, by default', async () => {
    const { metricsHost, metricsPort } = defineConfig(operatorVariables).parse({});
    expect([metricsHost, metricsPort]).toEqual(['127.0.0.1', null]);
    const port = await findFreePort();
    const logger = createLogger({ name: 'test', level: 'silent' });
    const base = { logger, metrics: createMetrics(), health: started({}), metricsHost, metricsPort };
    const server = createOperatorServer({ ...base, port: port - 1_000 });
    await server.start();
    expect(server.url()).toBe(`http://127.0.0.1:${port}`);
    await server.stop();
  });

  test('of two processes in one do not share metrics', async () => {
    const one = createMetrics();
    one.counter({ name: 'only_here_total', help: 'x' }).inc();
    expect(await createMetrics().text()).not.toContain('only_here_total');
  });
});

async function metricsOf(exported: { readonly health: Health; readonly metrics: Metrics }): Promise<string> {
  const logger = createLogger({ name: 'test', level: 'silent' });
  const server = createOperatorServer({
    ...exported,
    logger,
    port: 0,
    metricsHost: '127.0.0.1',
    metricsPort: null,
  });
  await server.start();
  const text = await (await fetch(`${server.url()}/metrics`)).text();
  await server.stop();
  return text;
}
