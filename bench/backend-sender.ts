import { join } from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { sampleEvent, sampleType } from './sample-events.ts';
import { takeOrder } from './take-order.ts';

/**
 * A separate process that sends as a studio's backend: through `@tickrate/sdk/server`, where each of `callers` tasks awaits
 * `insert` before its next event, or by hand with `fetch`. Reports over IPC the events accepted within the measured time.
 */
export interface BackendOrder {
  readonly by: 'sdk' | 'hand';
  readonly url: string;
  readonly key: string;
  readonly callers: number;
  readonly batchEvents: number;
  readonly requests: number;
  readonly warmupMs: number;
  readonly measureMs: number;
}

export interface BackendReport {
  readonly events: number;
  readonly elapsedMs: number;
  readonly cpuMs: number;
}

/** The part of the built package that this file uses. */
interface ServerPackage {
  readonly TickrateServer: new (
    options: object,
  ) => {
    insert(event: object): Promise<void>;
    close(): Promise<void>;
  };
}

interface Load {
  accepted: number;
  next: number;
  stopped: boolean;
}

const prepared = Array.from({ length: 20_000 }, sampleEvent);

takeOrder(measure);

async function measure(order: BackendOrder): Promise<BackendReport> {
  const load: Load = { accepted: 0, next: 0, stopped: false };
  const ended = order.by === 'sdk' ? sendBySdk(order, load) : sendByHand(order, load);
  await Promise.race([passed(order.warmupMs), ended]);
  const [start, cpu, before] = [performance.now(), process.cpuUsage(), load.accepted];
  await Promise.race([passed(order.measureMs), ended]);
  const { user, system } = process.cpuUsage(cpu);
  const report = {
    events: load.accepted - before,
    elapsedMs: performance.now() - start,
    cpuMs: (user + system) / 1000,
  };
  load.stopped = true;
  await ended;
  return report;
}

async function sendBySdk({ callers, ...options }: BackendOrder, load: Load): Promise<void> {
  const built = join(import.meta.dirname, '../clients/typescript/dist/server.js');
  const { TickrateServer } = (await import(built)) as ServerPackage;
  const client = new TickrateServer(options);
  const call = async () => {
    while (!load.stopped) {
      await client.insert({ eventType: sampleType.name, event: nextEvent(load) });
      load.accepted++;
    }
  };
  await Promise.all(Array.from({ length: callers }, call));
  await client.close();
}

async function sendByHand({ url, key, requests, batchEvents }: BackendOrder, load: Load): Promise<void> {
  const call = async () => {
    while (!load.stopped) {
      const events = Array.from({ length: batchEvents }, () => nextEvent(load));
      const answer = await fetch(`${url}/v1/event/batchInsert?eventType=${sampleType.name}`, {
        method: 'PUT',
        headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
        body: JSON.stringify(events),
      });
      await answer.json();
      if (!answer.ok) throw new Error(`the gateway refused a batch with ${answer.status}`);
      load.accepted += batchEvents;
    }
  };
  await Promise.all(Array.from({ length: requests }, call));
}

function nextEvent(load: Load) {
  return prepared[load.next++ % prepared.length];
}
