import { createQueueMonitor } from '@tickrate/pipeline';
import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createSendingProject } from './event-path/prepare-stores.ts';
import { numberedType } from './faults/plan-request.ts';
import { observeStack } from './faults/stack-observer.ts';
import { compareStored } from './overload/compare-stored.ts';
import { startOverloadStack } from './overload/overload-stack.ts';
import { createSentEvents, startSenders } from './overload/sent-events.ts';
import { watchInFlight } from './overload/watch-in-flight.ts';

const mib = 1024 ** 2;
const inFlightMib = 1;
const queueMib = 3;

// With figures, and for a minute: `npm run test:overload`.
// Invariant (Limits and overload): A flood is refused within configured limits, and everything accepted
// during it is stored exactly once
test('a flood is refused within configured bounds and alone, and all that was accepted is stored once', async () => {
  const stack = await startOverloadStack('postgres', {
    gateway: {
      IN_FLIGHT_BYTES: `${inFlightMib}MiB`,
      QUEUE_LIMIT_BYTES: `${queueMib}MiB`,
      EXPRESS_BYTES: '1KiB',
    },
    worker: { WORKER_LOCK: '2s' },
  });
  const { projectId, apiKey } = await createSendingProject(stack.postgresUrl, numberedType);
  const calm = await createSendingProject(stack.postgresUrl, numberedType);
  const path = `/v1/event/batchInsert?eventType=${numberedType.name}`;
  // What is admitted before the gateway knows that the queue is full must fit between the limits of the two lanes.
  const target = { port: stack.gateway.port, apiKey, path, eventsPerRequest: 5 };
  const sent = createSentEvents(target, startSenders(1));
  const observer = await observeStack(stack);
  const monitor = createQueueMonitor({ queueUrl: stack.queueUrl, shards: 1 });
  await monitor.start();
  const flood = { connections: 200, requestsPerSecond: null } as const;
  try {
    // Nothing is stored: the queue fills up and further events are refused.
    stack.worker.freeze();
    const inFlight = watchInFlight(stack.gateway.metricsPort);
    let events = 0;
    const isRefused = async () => {
      const load = await sent.send({ ...flood, forMs: 1_500 });
      events += load.events;
      expect(load.withoutWait).toBe(0);
      return Object.keys(load.refused).join();
    };
    expect(await waitUntil(isRefused, { timeoutMs: 30_000, what: 'the first refusal' })).toBe('6001');
    expect(await inFlight.highest()).toBeLessThanOrEqual(inFlightMib * mib);
    expect(events).toBeGreaterThan(0);
    expect((await observer.account(projectId)).pending).toBeGreaterThanOrEqual(events);
    const [level] = await monitor.levels();
    expect(level?.usedBytes).toBeLessThanOrEqual(queueMib * mib);
    // Every new client is refused right after a flood, so both repeat their request until it is answered.
    const isFull = async () => {
      await sent.send({ ...flood, forMs: 300 });
      const answers = async () => [
        await sendOne(stack.gateway.port, { path, apiKey }),
        await sendOne(stack.gateway.port, { path, apiKey: calm.apiKey }),
      ];
      await waitUntil(async () => (await answers())[1] === 200, { what: 'the other one to be accepted' });
      return (await answers())[0] === 503;
    };
    await waitUntil(isFull, { timeoutMs: 30_000, what: 'the queue to be full for the one that floods' });

    stack.worker.resume();
    await waitUntil(async () => (await observer.account(projectId)).pending === 0, { timeoutMs: 30_000 });
    const again = { connections: 2, requestsPerSecond: 20, forMs: 200 } as const;
    const isAccepted = async () => (await sent.send(again)).events > 0;
    await waitUntil(isAccepted, { timeoutMs: 20_000, what: 'events to be accepted again' });
    const isSettled = async () => {
      const { pending, missing } = await observer.account(projectId);
      return pending === 0 && missing === 0;
    };
    await waitUntil(isSettled, { timeoutMs: 30_000, what: 'all to be stored' });
    const comparison = await compareStored({ clickhouseUrl: stack.clickhouseUrl, projectId }, sent);
    expect(comparison).toMatchObject({ missing: 0, doubled: 0 });
    expect(comparison.acknowledged).toBeGreaterThan(events);
    expect(stack.surprises()).toEqual([]);
  } finally {
    await sent.close();
    await Promise.all([observer.close(), monitor.stop()]);
    await stack.stop();
  }
});

let lastNumber = Number.MAX_SAFE_INTEGER;

async function sendOne(port: number, { path, apiKey }: { path: string; apiKey: string }): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'PUT',
    headers: { 'X-API-Key': apiKey, Connection: 'close' },
    // A number that no sender uses.
    body: `[{"n":${lastNumber--}}]`,
  });
  await answer.arrayBuffer();
  return answer.status;
}
