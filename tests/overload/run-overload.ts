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
  /** Events a second that were accepted and stored in step. */
  readonly sustainable: number;
  readonly offered: number;
  readonly overload: LoadResult;
  readonly memory: MemorySamples;
  /** Accepted events a second before, and seconds until as many are accepted again; null when they never were. */
  readonly before: number;
  readonly recoveredSeconds: number | null;
  readonly comparison: StoredComparison;
  /** From the end of all load until everything was stored. */
  readonly drainedMs: number;
  readonly surprises: readonly string[];
}

/** A process that may run gets a third of what one at 0 gets. */
const giveWay = 5;
/** Some are not sent in time: all connections wait. */
const sendMore = 1.1;
const calm = { connections: 32, requestsPerSecond: null } as const;
const calmMs = 10_000;
const recoveryMs = 12_000;
const drainMs = 20 * 60_000;

/** What it can take for good, then a multiple of that, then what it could before. */
export async function runOverload(options: OverloadOptions): Promise<OverloadRun> {
  const { backend, seconds, factor, connections, eventsPerRequest, report } = options;
  // The senders stand for other machines: what is tested is started after them, and gives way to them.
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

/** The first second after the load in which as much was accepted as before, but for a tenth. */
function recoveryOf(after: LoadResult, before: LoadResult): number | null {
  const usual = before.events / (before.elapsedMs / 1_000);
  const second = after.perSecond.findIndex((events) => (events ?? 0) >= 0.9 * usual);
  return second === -1 ? null : second + 1;
}
