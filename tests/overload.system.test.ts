import { createQueueMonitor } from '@tickrate/pipeline';
import { waitUntil } from '@tickrate/testkit';
import { expect, test } from 'vitest';
import { createSendingProject } from './event-path/prepare-stores.ts';
import { numberedType } from './faults/plan-request.ts';
import { observeStack } from './faults/stack-observer.ts';
import { compareStored } from './overload/compare-stored.ts';
import { startOverloadStack } from './overload/overload-stack.ts';
import { createSentEvents } from './overload/sent-events.ts';
import { watchInFlight } from './overload/watch-in-flight.ts';

const mib = 1024 ** 2;
const inFlightMib = 1;
const queueMib = 6;

// With figures, and for a minute: `npm run test:overload`.
test('a flood is refused within configured bounds, and all that was accepted is stored once', async () => {
  const stack = await startOverloadStack('postgres', {
    gateway: { IN_FLIGHT_BYTES: `${inFlightMib}MiB`, QUEUE_LIMIT_BYTES: `${queueMib}MiB` },
  });
  const { projectId, apiKey } = await createSendingProject(stack.postgresUrl, numberedType);
  const path = `/v1/event/batchInsert?eventType=${numberedType.name}`;
  const sent = createSentEvents({ port: stack.gateway.port, apiKey, path, eventsPerRequest: 100 }, 1);
  const observer = await observeStack(stack);
  const monitor = createQueueMonitor({ queueUrl: stack.queueUrl, shards: 1 });
  await monitor.start();
  const flood = { connections: 200, requestsPerSecond: null } as const;
  try {
    // Nothing is stored: the queue fills up, and what is beyond it is refused.
    stack.worker.freeze();
    const inFlight = watchInFlight(stack.gateway.port);
    const full = await sent.send({ ...flood, forMs: 2_500 });
    expect(await inFlight.highest()).toBeLessThanOrEqual(inFlightMib * mib);
    expect(full.events).toBeGreaterThan(0);
    expect(Object.keys(full.refused)).toEqual(['6001']);
    expect(full.withoutWait).toBe(0);
    expect((await observer.account(projectId)).pending).toBeGreaterThanOrEqual(full.events);
    const [level] = await monitor.levels();
    expect(level?.usedBytes).toBeLessThanOrEqual(queueMib * mib);

    stack.worker.resume();
    await waitUntil(async () => (await observer.account(projectId)).pending === 0, { timeoutMs: 30_000 });
    const again = await sent.send({ connections: 2, requestsPerSecond: 20, forMs: 1_500 });
    expect(again.events).toBeGreaterThan(0);
    const isSettled = async () => {
      const { pending, missing } = await observer.account(projectId);
      return pending === 0 && missing === 0;
    };
    await waitUntil(isSettled, { timeoutMs: 30_000, what: 'all to be stored' });
    const comparison = await compareStored({ clickhouseUrl: stack.clickhouseUrl, projectId }, sent);
    expect(comparison).toMatchObject({ acknowledged: full.events + again.events, missing: 0, doubled: 0 });
    expect(stack.surprises()).toEqual([]);
  } finally {
    await sent.close();
    await Promise.all([observer.close(), monitor.stop()]);
    await stack.stop();
  }
});
