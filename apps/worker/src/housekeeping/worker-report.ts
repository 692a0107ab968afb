import type { Ledger } from '@tickrate/pipeline';
import { type Component, sleep } from '@tickrate/platform';
import type { WorkerEvents } from '../events.ts';
import { createRepeatedTask } from './repeated-task.ts';

interface Parts {
  readonly ledger: Pick<Ledger, 'reportWorker' | 'forgetWorker'>;
  readonly events: Pick<WorkerEvents, 'dependencyFault'>;
  readonly name: string;
  /** Stored since the process started. */
  readonly storedEvents: () => number;
  readonly memoryBytes: () => number;
  readonly now: () => number;
}

const everyMs = 5_000;

/** Reports this worker to the page *Pipeline*, every five seconds. A worker that stops is forgotten at once. */
export function workerReportComponent(parts: Parts): Component {
  const { ledger, events, name, storedEvents, memoryBytes, now } = parts;
  const startedMs = now();
  let before = { atMs: startedMs, stored: 0 };
  const onFault = (fault: unknown) => events.dependencyFault('ledger', fault);

  async function report(): Promise<void> {
    const at = { atMs: now(), stored: storedEvents() };
    const eventsPerSecond = ((at.stored - before.stored) * 1_000) / Math.max(1, at.atMs - before.atMs);
    before = at;
    await ledger
      .reportWorker({
        name,
        startedMs,
        eventsPerSecond: Math.max(0, eventsPerSecond),
        memoryBytes: memoryBytes(),
      })
      .catch(onFault);
  }

  const task = createRepeatedTask({ run: report, sleep, everyMs });

  return {
    name: 'worker-report',
    start: async () => task.start(),
    async drain() {
      await task.stop();
      await ledger.forgetWorker(name).catch(onFault);
    },
  };
}
