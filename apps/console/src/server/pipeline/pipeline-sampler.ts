import type { Component } from '@tickrate/platform';
import type { ConsoleParts } from '../../parts.ts';
import { readInstallation } from './pipeline-routes.ts';

const everyMs = 60_000;

/** Keeps a sample of the installation's pipeline each minute. Of several processes, the first one of a minute counts. */
export function createPipelineSampler(parts: ConsoleParts): Component {
  const { fleet, now, onFault } = parts;
  let timer: NodeJS.Timeout | undefined;
  let sampling: Promise<void> = Promise.resolve();
  const sample = async () => {
    const atMs = now();
    try {
      await fleet.keepSample({ atMs, sample: await readInstallation(parts) });
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
