import { describe, expect, test } from 'vitest';
import { createLogger } from '../telemetry/logger.ts';
import { createMetrics } from '../telemetry/metrics.ts';
import { createProcessEvents } from '../telemetry/process-events.ts';
import type { Component } from './lifecycle.ts';
import { Lifecycle, type LifecycleOptions } from './lifecycle.ts';

function lifecycle(components: readonly Component[], options: Partial<LifecycleOptions> = {}) {
  const lines: Record<string, unknown>[] = [];
  const logger = createLogger({
    name: 'test',
    level: 'debug',
    destination: { write: (line) => lines.push(JSON.parse(line)) },
  });
  const events = createProcessEvents({ logger, metrics: createMetrics() });
  return { life: new Lifecycle({ components, events, stopTimeoutMs: 2000, ...options }), lines };
}

function recording(steps: string[], name: string): Component {
  const record = (step: string) => async () => {
    steps.push(`${step} ${name}`);
  };
  return { name, start: record('start'), drain: record('drain'), stop: record('stop') };
}

describe('a life', () => {
  test('starts in order, drains all in reverse, then stops all in reverse', async () => {
    const steps: string[] = [];
    const marks = { onStarted: () => steps.push('ready'), onStopping: () => steps.push('not ready') };
    const { life } = lifecycle(
      ['a', 'b', 'c'].map((name) => recording(steps, name)),
      marks,
    );
    expect(await life.start()).toBe('started');
    expect(await life.stop('test')).toBe('stopped');
    expect(steps).toEqual([
      'start a',
      'start b',
      'start c',
      'ready',
      'not ready',
      'drain c',
      'drain b',
      'drain a',
      'stop c',
      'stop b',
      'stop a',
    ]);
  });

  test('whose component cannot start stops the started ones, and names the component', async () => {
    const steps: string[] = [];
    const broken: Component = {
      ...recording(steps, 'b'),
      start: () => Promise.reject(new Error('port taken')),
    };
    const { life, lines } = lifecycle([recording(steps, 'a'), broken, recording(steps, 'c')]);
    expect(await life.start()).toBe('failed');
    expect(steps).toEqual(['start a', 'drain a', 'stop a']);
    expect(lines.find((line) => line['msg'] === 'component step failed')).toMatchObject({
      component: 'b',
      step: 'start',
      err: { message: 'port taken' },
    });
  });

  test('that is to stop while it starts lets the present component finish and starts no other', async () => {
    const steps: string[] = [];
    const gate = Promise.withResolvers<void>();
    const slow: Component = { ...recording(steps, 'a'), start: () => gate.promise };
    const { life } = lifecycle([slow, recording(steps, 'b')]);
    const started = life.start();
    const stopped = life.stop('test');
    expect(steps).toEqual([]);
    gate.resolve();
    expect(await started).toBe('stopped');
    expect(await stopped).toBe('stopped');
    expect(steps).toEqual(['drain a', 'stop a']);
  });

  test('has one deadline: late components are named, and all others are still stopped', async () => {
    const steps: string[] = [];
    const stuck: Component = { ...recording(steps, 'b'), drain: () => new Promise(() => null) };
    const { life, lines } = lifecycle([recording(steps, 'a'), stuck, recording(steps, 'c')], {
      stopTimeoutMs: 50,
    });
    await life.start();
    expect(await life.stop('test')).toBe('timedOut');
    expect(steps.slice(3)).toEqual(['drain c', 'drain a', 'stop c', 'stop b', 'stop a']);
    expect(lines).toContainEqual(expect.objectContaining({ component: 'b', step: 'drain', level: 'error' }));
  });

  test('continues to stop when one component fails', async () => {
    const steps: string[] = [];
    const broken: Component = { ...recording(steps, 'b'), stop: () => Promise.reject(new Error('no')) };
    const { life, lines } = lifecycle([recording(steps, 'a'), broken]);
    await life.start();
    expect(await life.stop('test')).toBe('stopped');
    expect(steps.at(-1)).toBe('stop a');
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'component step failed', component: 'b' }));
  });

  test('stops once, also with repeated calls', async () => {
    const steps: string[] = [];
    const { life } = lifecycle([recording(steps, 'a')]);
    await life.start();
    expect(await Promise.all([life.stop('one'), life.stop('two')])).toEqual(['stopped', 'stopped']);
    expect(steps.filter((step) => step === 'stop a')).toHaveLength(1);
  });
});
