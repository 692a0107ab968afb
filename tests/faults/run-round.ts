import { setTimeout as delay } from 'node:timers/promises';
import { waitUntil } from '@tickrate/testkit';
import { createSendingProject } from '../event-path/prepare-stores.ts';
import { createEventGenerator, type EventGenerator } from './event-generator.ts';
import type { RoundPlan } from './fault-plan.ts';
import type { FaultStack } from './fault-stack.ts';
import { injectFault } from './inject-fault.ts';
import { judgeRound, type Lost, type RoundVerdict } from './judge-round.ts';
import { numberedType } from './plan-request.ts';
import { createPlayerSignIns } from './player-sign-ins.ts';
import type { SeededRandom } from './seeded-random.ts';
import type { StackObserver } from './stack-observer.ts';

export interface RoundDeps {
  readonly stack: FaultStack;
  readonly observer: StackObserver;
  readonly random: SeededRandom;
  readonly timeoutMs: number;
}

export interface FinishedRound {
  readonly plan: RoundPlan;
  readonly generator: EventGenerator;
  readonly verdict: RoundVerdict;
}

/** Fewer prove nothing. */
const leastAcknowledged = 100;

/** Sends events of one project, beside other projects in the same jobs, while faults happen. Judges once everything has recovered and nothing is pending. */
export async function runRound(deps: RoundDeps, plan: RoundPlan): Promise<FinishedRound> {
  const generator = await createGenerator(deps);
  const { stack, observer, timeoutMs } = deps;
  for (const app of stack.apps) app.shiftClock(0);
  if (plan.faults.some(({ kind }) => kind === 'restoredRedis')) {
    const lost = await restoreRedis(deps, generator);
    return { plan, generator, verdict: await judgeRound({ stack, observer, generator, timeoutMs, lost }) };
  }
  const neighbours = await Promise.all(Array.from({ length: 2 }, () => createGenerator(deps)));
  const faults = Promise.all(plan.faults.map((fault) => injectFault(stack, fault)));
  // A busy machine may need all of this time to recover from the faults.
  const given = { timeoutMs, what: 'events to be acknowledged' };
  const enough = waitUntil(() => generator.events.acknowledged > leastAcknowledged, given);
  const over = Promise.all([delay(plan.loadMs), faults, enough]);
  const signIns = stack.auths.length > 0 ? [createPlayerSignIns(stack, generator)] : [];
  await Promise.all([generator, ...neighbours, ...signIns].map((each) => each.run(over)));
  const verdict = await judgeRound({ stack, observer, generator, timeoutMs });
  const failures = [...verdict.failures];
  for (const each of signIns) failures.push(...(await each.judge(timeoutMs)));
  for (const each of neighbours) {
    const judged = await judgeRound({ stack, observer, generator: each, timeoutMs });
    failures.push(...judged.failures.map((words) => `a neighbour: ${words}`));
  }
  return { plan, generator, verdict: { ...verdict, failures } };
}

async function createGenerator({ stack, random }: RoundDeps): Promise<EventGenerator> {
  const project = await createSendingProject(stack.postgresUrl, numberedType);
  return createEventGenerator({ ...project, ports: stack.entrances, senders: 4, random });
}

/**
 * Restores Redis to an earlier state. Events acknowledged since and not stored are lost and must be reported as missing;
 * events stored since come again and must not be doubled. Resolves with the lost events.
 */
async function restoreRedis({ stack, observer }: RoundDeps, generator: EventGenerator): Promise<Lost> {
  const { redis, workers } = stack;
  const load = async (loadMs: number) => {
    await generator.run(delay(loadMs));
    await reported(observer, generator);
  };
  await load(1_000);
  // Chunks that are waiting when the copy is made.
  for (const worker of workers) worker.freeze();
  await load(700);
  for (const server of redis) {
    await server.kill();
    await server.keepData();
    await server.restart();
  }
  for (const worker of workers) worker.resume();
  await stack.ready(30_000);
  // All events so far are stored, so that the copy contains stored chunks.
  await load(700);
  await waitUntil(async () => (await observer.account(generator.projectId)).pending === 0, {
    timeoutMs: 60_000,
    what: 'everything to be stored before Redis is restored',
  });
  for (const worker of workers) worker.freeze();
  const before = { events: generator.events.acknowledged, accepted: generator.answered() };
  await load(700);
  for (const server of redis) {
    await server.kill();
    await server.restoreData();
    await server.restart();
  }
  for (const worker of workers) worker.resume();
  return {
    events: generator.events.acknowledged - before.events,
    accepted: generator.answered() - before.accepted,
  };
}

/** A gateway reports its accepted events every second; only reported events can be counted as missing. */
async function reported(observer: StackObserver, generator: EventGenerator): Promise<void> {
  const isReported = async () =>
    (await observer.account(generator.projectId)).accepted >= generator.answered();
  await waitUntil(isReported, { timeoutMs: 10_000, what: 'the gateways to report what they accepted' });
}
