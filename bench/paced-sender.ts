import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { setTimeout as passed } from 'node:timers/promises';
import { percentile } from './bench.ts';
import { sampleBatch, sampleEvent } from './sample-events.ts';
import { takeOrder } from './take-order.ts';

/**
 * A separate process that sends in an open loop, as many independent players do: requests begin at random times whose
 * mean is the rate, whether or not earlier ones were answered. Reports over IPC.
 */
export interface PacedOrder {
  readonly url: string;
  readonly apiKey: string;
  readonly connections: number;
  readonly requestsPerSecond: number;
  /** Events in a body; 0 sends a single event as an object. */
  readonly batch: number;
  /** Until then, code is compiled and connections are opened: refusals are reported separately, and times are not. */
  readonly settleMs: number;
  readonly measureMs: number;
}

export interface PacedReport {
  readonly sent: number;
  /** Answers with 200. */
  readonly accepted: number;
  readonly refused: number;
  readonly refusedSettling: number;
  /** How often each other status, or each fault of a connection, was the answer. */
  readonly refusals: Readonly<Record<string, number>>;
  /** Milliseconds from the start to the last of them. */
  readonly lastRefusedMs: number;
  /** Milliseconds from the time at which a request was due to its answer, once settled. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

takeOrder(sendPaced);

async function sendPaced(order: PacedOrder): Promise<PacedReport> {
  // A player has a connection of their own. From a proxy, requests take any that is free.
  const isOfPlayers = order.connections >= order.requestsPerSecond;
  const maxSockets = isOfPlayers ? 1 : order.connections;
  const agents = Array.from(
    { length: isOfPlayers ? order.connections : 1 },
    () => new Agent({ keepAlive: true, maxSockets, scheduling: 'fifo' }),
  );
  const delays: number[] = [];
  const counts = { sent: 0, accepted: 0, refused: 0, refusedSettling: 0 };
  const refusals: Record<string, number> = {};
  let lastRefusedMs = 0;
  const open = new Set<Promise<void>>();
  const startMs = performance.now();
  let dueMs = startMs;
  const settledMs = startMs + order.settleMs;
  while (dueMs < settledMs + order.measureMs) {
    const since = dueMs;
    const waitMs = since - performance.now();
    if (waitMs > 1) await passed(waitMs);
    const agent = agents[counts.sent % agents.length] as Agent;
    counts.sent += 1;
    const isSettling = since < settledMs;
    const answered = sendOne(order, agent).then((status) => {
      if (!isSettling) delays.push(performance.now() - since);
      if (status === '200') counts.accepted += 1;
      else {
        counts[isSettling ? 'refusedSettling' : 'refused'] += 1;
        lastRefusedMs = performance.now() - startMs;
        refusals[status] = (refusals[status] ?? 0) + 1;
      }
      open.delete(answered);
    });
    open.add(answered);
    dueMs += (-Math.log(1 - Math.random()) * 1_000) / order.requestsPerSecond;
  }
  await Promise.all(open);
  for (const agent of agents) agent.destroy();
  const [p50Ms, p99Ms] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  return { ...counts, refusals, lastRefusedMs, p50Ms, p99Ms };
}

/** Resolves with the status, or the fault if no answer came. */
function sendOne({ url, apiKey, batch }: PacedOrder, agent: Agent): Promise<string> {
  const body = batch === 0 ? Buffer.from(JSON.stringify(sampleEvent())) : sampleBatch(batch);
  const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'Content-Length': body.length };
  return new Promise((resolve) => {
    const request: ClientRequest = httpRequest(url, { method: 'PUT', agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => resolve(String(answer.statusCode)));
    });
    request.once('error', (fault: NodeJS.ErrnoException) => resolve(fault.code ?? fault.message));
    request.end(body);
  });
}
