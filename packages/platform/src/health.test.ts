import { createManualClock, waitUntil } from '@tickrate/testkit';
import { describe, expect, test } from 'vitest';
import { createHealth, type HealthCheck } from './health.ts';
import { startHarness } from './http-harness.ts';
import { addHealthRoutes } from './http-health.ts';
import { createMetrics } from './metrics.ts';

function started(checks: Readonly<Record<string, HealthCheck>>, options = {}) {
  const health = createHealth({ checks, ...options });
  health.markStarted();
  return health;
}

describe('readiness', () => {
  test('is false until all has started, true then, and false for good from the stop on', async () => {
    const health = createHealth({ checks: {} });
    expect(await health.report()).toEqual({ ready: false, checks: { process: 'the process is starting' } });
    health.markStarted();
    expect(await health.report()).toEqual({ ready: true, checks: { process: null } });
    health.markStopping();
    health.markStarted();
    expect(await health.report()).toEqual({ ready: false, checks: { process: 'the process is stopping' } });
  });

  test('names what is not well and why, also when a check throws or does not answer', async () => {
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

  test('asks the checks at most once a second, however often it is asked itself', async () => {
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
    await using edge = await startHarness({ routes: (app) => addHealthRoutes(app, { health, metrics }) });
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

  test('tell the metrics, those of the process and its event loop among them', async () => {
    const metrics = createMetrics({ processMetrics: true });
    metrics.gauge({ name: 'asked', help: 'Read at every scrape', read: () => 42 });
    await using edge = await startHarness({
      routes: (app) => addHealthRoutes(app, { health: started({}), metrics }),
    });
    const text = await waitUntil(async () => (await fetch(`${edge.url}/metrics`)).text());
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('process_resident_memory_bytes');
    expect(text).toContain('asked 42');
  });

  test('of two processes in one do not share metrics', async () => {
    const one = createMetrics();
    one.counter({ name: 'only_here_total', help: 'x' }).inc();
    expect(await createMetrics().text()).not.toContain('only_here_total');
  });
});
