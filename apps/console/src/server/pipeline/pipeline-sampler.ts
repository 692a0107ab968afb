import type { OperationAnswer } from '@tickrate/contract';
import type { Fleet } from '@tickrate/pipeline';
import type { Component } from '@tickrate/platform';
import type { getPipelineStatus } from './pipeline-operations.ts';

/** What a sample keeps. */
export type InstallationState = Omit<
  NonNullable<OperationAnswer<typeof getPipelineStatus>['installation']>,
  'workers'
>;

export interface SamplerOptions {
  readonly fleet: Pick<Fleet, 'keepSample'>;
  readonly read: () => Promise<InstallationState>;
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
}

const everyMs = 60_000;

/** Keeps a sample of the installation's pipeline each minute. Of several processes, the first one of a minute counts. */
export function createPipelineSampler({ fleet, read, now, onFault }: SamplerOptions): Component {
  let timer: NodeJS.Timeout | undefined;
  let sampling: Promise<void> = Promise.resolve();
  const sample = async () => {
    const atMs = now();
    try {
      await fleet.keepSample({ atMs, sample: await read() });
    } catch (error) {
      onFault(error);
    }
  };
  return {
    name: 'pipeline history',
    async start() {
      sampling = sample();
      timer = setInterval(() => {
        sampling = sampling.then(sample);
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await sampling;
    },
  };
}
