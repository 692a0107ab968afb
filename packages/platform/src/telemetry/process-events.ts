import type { Telemetry } from './telemetry.ts';

export type ProcessEvents = ReturnType<typeof createProcessEvents>;

/** What happens in the life of a process. */
export function createProcessEvents({ logger, metrics }: Telemetry) {
  const steps = metrics.counter({
    name: 'tickrate_component_steps_total',
    help: 'Components started, drained and stopped, by outcome',
    labels: ['step', 'outcome'],
  });
  return {
    componentDone(component: string, step: Step, durationMs: number) {
      steps.inc({ step, outcome: 'done' });
      logger.debug({ component, step, durationMs }, 'component step done');
    },
    componentFailed(component: string, step: Step, err: unknown) {
      steps.inc({ step, outcome: 'failed' });
      logger.error({ component, step, err }, 'component step failed');
    },
    componentLate(component: string, step: Step) {
      steps.inc({ step, outcome: 'late' });
      logger.error({ component, step }, 'component step did not end before the deadline');
    },
    started(durationMs: number) {
      logger.info({ durationMs }, 'started');
    },
    stopping(cause: string) {
      logger.info({ cause }, 'stopping');
    },
    stopped(durationMs: number, outcome: string) {
      logger.info({ durationMs, outcome }, 'stopped');
    },
    uncaught(err: unknown) {
      logger.fatal({ err }, 'uncaught fault');
    },
  };
}

export type Step = 'start' | 'drain' | 'stop';
