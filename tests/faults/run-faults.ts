import { describeFault, type RoundPlan } from './fault-plan.ts';
import { type Backend, type FaultStack, startFaultStack } from './fault-stack.ts';
import { type FinishedRound, runRound } from './run-round.ts';
import { createSeededRandom } from './seeded-random.ts';
import { observeStack, type StackObserver } from './stack-observer.ts';

export interface FaultRunOptions {
  readonly backend: Backend;
  /** Decides the faults and the requests. Their timing depends on the machine. */
  readonly seed: number;
  readonly plans: Iterable<RoundPlan>;
  /** Starts no further round after this time. */
  readonly runMs: number;
  /** The longest recovery after the last fault of a round. */
  readonly timeoutMs: number;
  readonly report: (line: string) => void;
}

export interface FaultRun {
  readonly backend: Backend;
  readonly seed: number;
  readonly rounds: readonly FinishedRound[];
  readonly elapsedMs: number;
  readonly failures: readonly string[];
}

export async function runFaults(options: FaultRunOptions): Promise<FaultRun> {
  const { backend, seed, report } = options;
  const began = performance.now();
  const stack = await startFaultStack(backend);
  const rounds: FinishedRound[] = [];
  let leave: 'nothing' | 'logs' = 'logs';
  try {
    await stack.ready(60_000);
    const observer = await observeStack(stack);
    try {
      const faults = await runRounds({ ...options, stack, observer }, rounds).catch(explain);
      const failures = rounds.flatMap(({ plan, verdict }) =>
        verdict.failures.map((words) => `round ${plan.round}: ${words}`),
      );
      failures.push(...faults, ...(await lateChanges(rounds, observer)), ...stack.surprises());
      if (failures.length === 0) leave = 'nothing';
      return { backend, seed, rounds, elapsedMs: performance.now() - began, failures };
    } finally {
      await observer.close();
    }
  } finally {
    if (leave === 'logs') report(`seed ${seed} failed on ${backend}; the logs are in ${stack.folder}`);
    await stack.stop(leave);
  }
}

interface Run extends FaultRunOptions {
  readonly stack: FaultStack;
  readonly observer: StackObserver;
}

/** Ends with the first failed round, so that later rounds are not blamed for it. */
async function runRounds(run: Run, rounds: FinishedRound[]): Promise<string[]> {
  const { backend, seed, stack, observer, timeoutMs, report } = run;
  const until = performance.now() + run.runMs;
  for (const plan of run.plans) {
    report(`round ${plan.round}: ${plan.faults.map(describeFault).join(' + ')}`);
    const random = createSeededRandom(seed, `requests ${backend} ${plan.round}`);
    const finished = await runRound({ stack, observer, timeoutMs, random }, plan);
    rounds.push(finished);
    report(`  ${describeVerdict(finished)}`);
    if (finished.verdict.failures.length > 0 || performance.now() > until) break;
  }
  return [];
}

/** A round that could not run is a failure too. */
function explain(fault: unknown): string[] {
  return [fault instanceof Error ? `${fault.message}\n${fault.stack}` : String(fault)];
}

function describeVerdict({ generator, verdict }: FinishedRound): string {
  const { acknowledged, rows, missing, doubled, recoveredMs, failures } = verdict;
  const { requests, refused, unanswered } = generator.report();
  const numbers = `${requests} requests (${refused} refused, ${unanswered} unanswered), ${acknowledged} acknowledged, ${rows} stored`;
  const outcome = failures.length === 0 ? 'right' : `WRONG: ${failures.join(' | ')}`;
  return `${numbers}, ${missing} missing, ${doubled} doubled, settled in ${recoveredMs} ms: ${outcome}`;
}

/** Checks every round again at the end: a worker that slept for rounds may have stored something since. */
async function lateChanges(rounds: readonly FinishedRound[], observer: StackObserver): Promise<string[]> {
  const changes: string[] = [];
  for (const { plan, generator, verdict } of rounds) {
    const { missing, doubled, rows } = generator.events.compare(await observer.stored(generator.projectId));
    const isAsBefore =
      missing.length === verdict.missing && doubled.length === verdict.doubled && rows === verdict.rows;
    if (!isAsBefore)
      changes.push(`round ${plan.round}: ${rows} rows at the end, ${verdict.rows} after the round`);
  }
  return changes;
}
