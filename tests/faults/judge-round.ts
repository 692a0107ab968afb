import { isDeepStrictEqual } from 'node:util';
import type { ProjectAccount } from '@tickrate/pipeline';
import { waitUntil } from '@tickrate/testkit';
import type { EventGenerator } from './event-generator.ts';
import type { FaultStack } from './fault-stack.ts';
import type { Comparison } from './remembered-events.ts';
import type { StackObserver } from './stack-observer.ts';

export interface RoundVerdict {
  readonly acknowledged: number;
  readonly rows: number;
  readonly missing: number;
  readonly doubled: number;
  readonly account: ProjectAccount;
  readonly recoveredMs: number;
  /** The faults found; empty when there are none. */
  readonly failures: readonly string[];
}

export interface JudgeOptions {
  readonly stack: Pick<FaultStack, 'ready' | 'surprises'>;
  readonly observer: StackObserver;
  readonly generator: EventGenerator;
  readonly lost?: Lost;
  readonly timeoutMs: number;
}

/** Events lost by the queue's own store. */
export interface Lost {
  /** As counted by the sender. */
  readonly events: number;
  /** As counted by the product, which counts a repeat too. */
  readonly accepted: number;
}

/** Waits until everything has recovered and compares acknowledged with stored events. */
export async function judgeRound(options: JudgeOptions): Promise<RoundVerdict> {
  const { stack, observer, generator, timeoutMs, lost = { events: 0, accepted: 0 } } = options;
  const began = performance.now();
  const failures: string[] = [];
  const blame = (fault: unknown) =>
    void failures.push(fault instanceof Error ? fault.message : String(fault));
  await stack.ready(timeoutMs).catch(blame);
  const readAccount = () => observer.account(generator.projectId);
  let account = await readAccount();
  let stored = new Map<number, number>();
  // A request whose sender gave up can still be accepted: what is judged was the same before and after the rows were read.
  const isSettled = async () => {
    account = await readAccount();
    if (account.pending !== 0 || leftOver(account) !== lost.accepted) return false;
    stored = await observer.stored(generator.projectId);
    return isDeepStrictEqual(await readAccount(), account);
  };
  await waitUntil(isSettled, { timeoutMs, intervalMs: 100, what: 'the numbers to add up' }).catch(
    async (fault) => {
      blame(fault);
      stored = await observer.stored(generator.projectId);
    },
  );
  const recoveredMs = Math.round(performance.now() - began);
  const comparison = generator.events.compare(stored);
  failures.push(...stack.surprises(), ...faultsOf({ comparison, account, generator, lost }));
  return {
    acknowledged: generator.events.acknowledged,
    rows: comparison.rows,
    missing: comparison.missing.length,
    doubled: comparison.doubled.length,
    account,
    recoveredMs,
    failures,
  };
}

/** Accepted events that are nowhere; negative when events exist that were never accepted. */
function leftOver({ accepted, stored, pending, deduplicated, dead }: ProjectAccount): number {
  return accepted - stored - pending - deduplicated - dead;
}

interface Findings {
  readonly comparison: Comparison;
  readonly account: ProjectAccount;
  readonly generator: EventGenerator;
  readonly lost: Lost;
}

function faultsOf({ comparison, account, generator, lost }: Findings): string[] {
  const { missing, doubled, unknown, refused, rows } = comparison;
  const { wrong } = generator.report();
  const checks: readonly (readonly [boolean, string])[] = [
    [
      missing.length === lost.events,
      `${missing.length} acknowledged events are missing instead of ${lost.events}: ${some(missing)}`,
    ],
    [doubled.length === 0, `${doubled.length} events are stored more than once: ${some(doubled)}`],
    [unknown.length === 0, `${unknown.length} events are stored that nobody sent: ${some(unknown)}`],
    [
      refused.length === 0,
      `${refused.length} events are stored, and every answer said that they were not accepted: ${some(refused)}`,
    ],
    [account.pending === 0, `${account.pending} events are still pending`],
    [account.dead === 0, `${account.dead} events are dead`],
    [account.stored === rows, `${account.stored} events count as stored, but there are ${rows} rows`],
    [
      account.missing === lost.accepted,
      `the product says that ${account.missing} events are missing, and ${lost.accepted} are`,
    ],
    [leftOver(account) === lost.accepted, `the numbers do not add up: ${JSON.stringify(account)}`],
    [
      account.accepted >= generator.answered(),
      `${generator.answered()} acknowledged, ${account.accepted} accepted`,
    ],
    [wrong.length === 0, `wrong answers: ${wrong.slice(0, 3).join('; ')}`],
  ];
  return checks.filter(([isRight]) => !isRight).map(([, words]) => words);
}

function some(numbers: readonly number[]): string {
  return numbers.slice(0, 10).join(', ');
}
