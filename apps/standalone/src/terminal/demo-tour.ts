import { sleep } from '@tickrate/platform';
import { createRegistry, type DemoRecord, type Registry } from '@tickrate/registry';
import type { Paint } from './terminal.ts';

const tries = 100;
const pauseMs = 300;

/** The links through the demo, once its project exists. Null if it is not created in time, or if the signal fires. */
export async function tourText(
  postgresUrl: string,
  { consoleUrl, paint, signal }: { consoleUrl: string; paint: Paint; signal: AbortSignal },
): Promise<string | null> {
  const registry = createRegistry({ postgresUrl, now: Date.now, onFault: () => undefined });
  try {
    const tour = await untilTour(registry, signal);
    if (tour === null) return null;
    const links = tour.map(
      ({ title, text, path }) => `  ${title.padEnd(13)}${paint.dim(text)}\n  ${consoleUrl}${path}`,
    );
    return ['', paint.strong('Ember Arena plays. A tour:'), ...links].join('\n');
  } finally {
    await registry.close();
  }
}

async function untilTour(registry: Registry, signal: AbortSignal): Promise<DemoRecord['tour'] | null> {
  for (let left = tries; left > 0 && !signal.aborted; left -= 1) {
    const demo = await registry.demo().catch(() => null);
    if (demo !== null && demo.projectId !== null && demo.tour.length > 0) return demo.tour;
    await sleep(pauseMs, signal);
  }
  return null;
}
