import type { ChildExit } from '@tickrate/embedded';
import { waitUntil } from '@tickrate/testkit';
import { afterEach, describe, expect, test } from 'vitest';
import { type KeepReport, KeptProcess, type Launcher, type Running } from './kept-process.ts';

/** Processes that end when the test requests it. */
function createProcesses({ ready = true, failures = 0 } = {}) {
  const launched: { running: Running; end: (exit: ChildExit) => void; stopped: boolean }[] = [];
  let failuresLeft = failures;
  const launcher: Launcher = {
    name: 'gateway',
    async launch() {
      if (launched.length > 0 && failuresLeft-- > 0) throw new Error('cannot');
      const { promise, resolve } = Promise.withResolvers<ChildExit>();
      const entry = {
        running: {
          pid: 1000 + launched.length,
          exited: promise,
          stop: async () => {
            entry.stopped = true;
            resolve({ code: 0, signal: null });
          },
        },
        end: resolve,
        stopped: false,
      };
      launched.push(entry);
      return entry.running;
    },
    async whenReady(running, signal) {
      if (ready) return { ready: true };
      await Promise.race([running.exited, aborted(signal)]);
      return { ready: false, reason: 'is not ready: queue: away' };
    },
  };
  return { launched, launcher };
}

function createKept(
  { launcher }: Pick<ReturnType<typeof createProcesses>, 'launcher'>,
  readyTimeoutMs = 5_000,
) {
  const reported: string[] = [];
  const report: KeepReport = {
    ended: (name, { signal }) => reported.push(`${name} ended ${signal}`),
    back: (name) => reported.push(`${name} back`),
    notBack: (name, error) => reported.push(`${name} not back: ${String(error)}`),
  };
  const kept = new KeptProcess({ launcher, report, now: () => 0, firstDelayMs: 1, readyTimeoutMs });
  return { kept, reported };
}

const open: KeptProcess[] = [];
afterEach(async () => {
  for (const kept of open.splice(0)) await kept.stop();
});

describe('a kept process', () => {
  test('is launched again each time it is killed', async () => {
    const processes = createProcesses();
    const { kept, reported } = createKept(processes);
    open.push(kept);
    await kept.start();
    for (const round of [1, 2]) {
      processes.launched.at(-1)?.end({ code: null, signal: 'SIGKILL' });
      await waitUntil(() => processes.launched.length === round + 1 && kept.pid === 1000 + round);
    }
    await waitUntil(() => reported.length === 4);
    expect(reported).toEqual([
      'gateway ended SIGKILL',
      'gateway back',
      'gateway ended SIGKILL',
      'gateway back',
    ]);
  });

  test('is tried again when a launch fails', async () => {
    const processes = createProcesses({ failures: 2 });
    const { kept, reported } = createKept(processes);
    open.push(kept);
    await kept.start();
    processes.launched[0]?.end({ code: null, signal: 'SIGKILL' });
    await waitUntil(() => reported.includes('gateway back'));
    expect(reported.filter((line) => line.includes('not back: Error: cannot'))).toHaveLength(2);
  });

  test('stays stopped once it is stopped', async () => {
    const processes = createProcesses();
    const { kept, reported } = createKept(processes);
    await kept.start();
    await kept.stop();
    expect(processes.launched).toHaveLength(1);
    expect(processes.launched[0]?.stopped).toBe(true);
    expect(kept.pid).toBeNull();
    expect(reported).toEqual([]);
  });

  test('can be stopped while it waits to be launched again', async () => {
    const processes = createProcesses({ failures: Number.POSITIVE_INFINITY });
    const { kept, reported } = createKept(processes);
    await kept.start();
    processes.launched[0]?.end({ code: 1, signal: null });
    await waitUntil(() => reported.length >= 2);
    await kept.stop();
    expect(processes.launched).toHaveLength(1);
  });

  test('can be stopped while it starts', async () => {
    const processes = createProcesses({ ready: false });
    const { kept } = createKept(processes);
    const starting = kept.start();
    await waitUntil(() => kept.pid !== null);
    await kept.stop();
    await starting;
    expect(processes.launched[0]?.stopped).toBe(true);
  });

  test('fails to start, and leaves nothing running, when it does not get ready in time', async () => {
    const processes = createProcesses({ ready: false });
    const { kept } = createKept(processes, 20);
    await expect(kept.start()).rejects.toThrow('gateway is not ready: queue: away');
    expect(processes.launched[0]?.stopped).toBe(true);
  });
});

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
