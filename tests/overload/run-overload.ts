import { setPriority } from 'node:os';
import { waitUntil } from '@tickrate/testkit';
import { createSendingProject } from '../event-path/prepare-stores.ts';
import type { Backend } from '../faults/fault-stack.ts';
import { numberedType } from '../faults/plan-request.ts';
import { observeStack } from '../faults/stack-observer.ts';
import { compareStored, type StoredComparison } from './compare-stored.ts';
import { type MemorySamples, sampleMemory } from './memory-samples.ts';
import { type OverloadStack, startOverloadStack } from './overload-stack.ts';
import { createSentEvents, type LoadResult, type SentEvents, startSenders } from './sent-events.ts';

export interface OverloadOptions {
  readonly backend: Backend;
  readonly seconds: number;
  readonly factor: number;
  readonly connections: number;
  readonly eventsPerRequest: number;
  readonly report: (line: string) => void;
}

export interface OverloadRun {
  /** Events per second that were accepted and stored at the same rate. */
  readonly sustainable: number;
  readonly offered: number;
  readonly overload: LoadResult;
  readonly memory: MemorySamples;
  /** Accepted events per second before, and seconds until that rate is reached again; null when it never was. */
  readonly before: number;
  readonly recoveredSeconds: number | null;
  readonly comparison: StoredComparison;
  /** From the end of all load until everything was stored. */
  readonly drainedMs: number;
  readonly surprises: readonly string[];
}

/** Gives the process a third of the CPU weight of one at 0. */
const giveWay = 5;
/** Some are not sent in time when all connections are busy. */
const sendMore = 1.1;
const calm = { connections: 32, requestsPerSecond: null } as const;
const calmMs = 10_000;
const recoveryMs = 12_000;
const drainMs = 20 * 60_000;

/** The sustained rate, then a multiple of it, then the sustained rate again. */
export async function runOverload(options: OverloadOptions): Promise<OverloadRun> {
  const { backend, seconds, factor, connections, eventsPerRequest, report } = options;
  // The senders represent other machines, so the tested processes start after them with lower priority.
  const senders = startSenders(2);
  setPriority(giveWay);
  const stack = await startOverloadStack(backend);
  const { projectId, apiKey } = await createSendingProject(stack.postgresUrl, numberedType);
  const path = `/v1/event/batchInsert?eventType=${numberedType.name}`;
  const sent = createSentEvents({ port: stack.gateway.port, apiKey, path, eventsPerRequest }, senders);
  const untilStored = await createWaiting(stack, projectId);
  try {
    await sent.send({ ...calm, forMs: 3_000 });
    await untilStored();
    const beganMs = performance.now();
    const before = await sent.send({ ...calm, forMs: calmMs });
    await untilStored();
    const sustainable = (before.events * 1_000) / (performance.now() - beganMs);
    report(`sustainable: ${Math.round(sustainable)} events/s`);
    const load = {
      connections,
      requestsPerSecond: (sendMore * factor * sustainable) / eventsPerRequest,
      forMs: seconds * 1_000,
    };
    const sending = sent.send(load);
    const [overload, memory] = await Promise.all([sending, sampleMemory(stack.processes, sending)]);
    const offered = (overload.requests * eventsPerRequest) / seconds;
    report(`offered: ${Math.round(offered)} events/s, ${(offered / sustainable).toFixed(1)} times as many`);
    const after = await sent.send({ ...calm, forMs: recoveryMs });
    const endedMs = performance.now();
    await untilStored();
    return {
      sustainable,
      offered,
      overload,
      memory,
      before: before.events / (before.elapsedMs / 1_000),
      recoveredSeconds: recoveryOf(after, before),
      drainedMs: performance.now() - endedMs,
      comparison: await compareStored({ clickhouseUrl: stack.clickhouseUrl, projectId }, sent),
      surprises: stack.surprises(),
    };
  } finally {
    await closeAll(sent, stack, untilStored.close);
  }
}

async function closeAll(sent: SentEvents, stack: OverloadStack, close: () => Promise<void>): Promise<void> {
  await sent.close();
  await close();
  await stack.stop();
}

/** Waits until nothing is pending and every accepted event is accounted for. */
async function createWaiting(stack: OverloadStack, projectId: string) {
  const observer = await observeStack(stack);
  const untilStored = async () => {
    await waitUntil(async () => (await observer.account(projectId)).missing === 0, {
      timeoutMs: drainMs,
      intervalMs: 500,
      what: 'a queue that can be counted',
    });
    await waitUntil(async () => (await observer.account(projectId)).pending === 0, {
      timeoutMs: drainMs,
      intervalMs: 100,
      what: 'all to be stored',
    });
  };
  return Object.assign(untilStored, { close: () => observer.close() });
}

/** The first second after the load with at least 90 % of the earlier rate. */
function recoveryOf(after: LoadResult, before: LoadResult): number | null {
  const usual = before.events / (before.elapsedMs / 1_000);
  const second = after.perSecond.findIndex((events) => (events ?? 0) >= 0.9 * usual);
  return second === -1 ? null : second + 1;
}
