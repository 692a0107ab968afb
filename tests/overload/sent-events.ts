import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { firstNumber, type RequestTarget } from './numbered-requests.ts';
import type { SendOrder, SendReport } from './overload-sender.ts';

export interface Load {
  readonly connections: number;
  /** Of all senders together; null sends as fast as answers arrive. */
  readonly requestsPerSecond: number | null;
  readonly forMs: number;
}

/** The result of a load, over all senders. */
export interface LoadResult {
  readonly elapsedMs: number;
  readonly requests: number;
  readonly events: number;
  readonly latencies: readonly number[];
  readonly perSecond: readonly number[];
  readonly refused: Readonly<Record<string, number>>;
  readonly withoutWait: number;
  readonly unanswered: number;
}

/** Numbered events of one project, sent by several processes, with a record of the acknowledged ones. */
export interface SentEvents {
  send(load: Load): Promise<LoadResult>;
  /** Numbers that were acknowledged, ordered. */
  accepted(): readonly (readonly [first: number, count: number])[];
  close(): Promise<void>;
}

/** Of each order; more than it can use. */
const numbersPerOrder = 100_000_000;

export function startSenders(processes: number): ChildProcess[] {
  return Array.from({ length: processes }, () => fork(join(import.meta.dirname, 'overload-sender.ts')));
}

/** Owns the senders from here on. */
export function createSentEvents(target: RequestTarget, children: readonly ChildProcess[]): SentEvents {
  const processes = children.length;
  const accepted: (readonly [number, number])[] = [];
  let taken = firstNumber;

  return {
    async send({ connections, requestsPerSecond, forMs }) {
      const beganMs = performance.now();
      const reports = await Promise.all(
        children.map((child) => {
          const first = taken;
          taken += numbersPerOrder;
          return order(child, {
            ...target,
            forMs,
            first,
            connections: Math.ceil(connections / processes),
            requestsPerSecond: requestsPerSecond === null ? null : requestsPerSecond / processes,
          });
        }),
      );
      for (const report of reports) for (const range of report.accepted) accepted.push(range);
      return summed(reports, performance.now() - beganMs);
    },
    accepted: () => accepted.toSorted(([a], [b]) => a - b),
    async close() {
      await Promise.all(
        children.map(async (child) => {
          const ended = once(child, 'exit');
          child.disconnect();
          await ended;
        }),
      );
    },
  };
}

async function order(child: ChildProcess, sent: SendOrder): Promise<SendReport> {
  const answered = once(child, 'message');
  child.send(sent);
  const [report] = (await answered) as [SendReport];
  return report;
}

function summed(reports: readonly SendReport[], elapsedMs: number): LoadResult {
  const refused: Record<string, number> = {};
  const perSecond: number[] = [];
  for (const report of reports) {
    for (const [code, count] of Object.entries(report.refused)) refused[code] = (refused[code] ?? 0) + count;
    for (const [second, count] of report.perSecond.entries())
      perSecond[second] = (perSecond[second] ?? 0) + (count ?? 0);
  }
  const sum = (read: (report: SendReport) => number) =>
    reports.reduce((total, each) => total + read(each), 0);
  return {
    elapsedMs,
    requests: sum((report) => report.requests),
    events: sum((report) => report.accepted.reduce((total, [, count]) => total + count, 0)),
    latencies: reports.flatMap((report) => report.latencies).toSorted((a, b) => a - b),
    perSecond,
    refused,
    withoutWait: sum((report) => report.withoutWait),
    unanswered: sum((report) => report.unanswered),
  };
}
