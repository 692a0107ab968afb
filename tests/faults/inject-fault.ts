import { setTimeout as delay } from 'node:timers/promises';
import type { TcpProxy } from '@tickrate/testkit';
import type { FaultKind, PlannedFault } from './fault-plan.ts';
import type { FaultStack } from './fault-stack.ts';
import type { SupervisedApp } from './supervised-app.ts';

/** A target that can be killed and frozen: a process of the product or a service. */
interface Victim {
  kill(): Promise<void>;
  start(): Promise<void> | void;
  freeze(): void;
  resume(): void;
}

type Injection = (stack: FaultStack, fault: PlannedFault) => Promise<void>;

/** Resolves when the fault is over and the process or service runs again, though not yet recovered. */
const injections: Record<FaultKind, Injection> = {
  async kill(stack, { target, lastsMs }) {
    const victim = victimOf(stack, target);
    await victim.kill();
    await delay(lastsMs);
    await victim.start();
  },
  freeze: freezeFor,
  lostLock: freezeFor,
  async cut(stack, { target, lastsMs }) {
    const route = routeOf(stack, target);
    const until = performance.now() + lastsMs;
    for (; performance.now() < until; await delay(lastsMs / 5)) route.cut();
  },
  refuse: (stack, fault) => onRoute(stack, fault, (route) => route.refuse()),
  hang: (stack, fault) => onRoute(stack, fault, (route) => route.freeze()),
  loseAnswers: (stack, fault) => onRoute(stack, fault, (route) => route.loseAnswers()),
  async slow(stack, { target, lastsMs, strength }) {
    const route = routeOf(stack, target);
    route.delay(strength);
    await delay(lastsMs);
    route.delay(0);
  },
  awayLonger: (stack, fault) => injections.kill(stack, fault),
  async rollingRestart(stack) {
    for (const app of stack.apps) {
      await app.terminate();
      app.start();
      await app.ready(60_000);
    }
  },
  async clockJump(stack, { target, lastsMs, strength }) {
    const app = appOf(stack, target);
    app?.shiftClock(strength);
    if (lastsMs === 0) return;
    await delay(lastsMs);
    app?.shiftClock(0);
  },
  restoredRedis: () => Promise.reject(new Error('has a round of its own')),
};

export async function injectFault(stack: FaultStack, fault: PlannedFault): Promise<void> {
  await delay(fault.atMs);
  await injections[fault.kind](stack, fault);
}

async function freezeFor(stack: FaultStack, { target, lastsMs }: PlannedFault): Promise<void> {
  const victim = victimOf(stack, target);
  victim.freeze();
  await delay(lastsMs);
  victim.resume();
}

async function onRoute(
  stack: FaultStack,
  { target, lastsMs }: PlannedFault,
  change: (route: TcpProxy) => void,
): Promise<void> {
  const route = routeOf(stack, target);
  change(route);
  await delay(lastsMs);
  route.open();
}

function appOf(stack: FaultStack, target: string): SupervisedApp | undefined {
  return stack.apps.find(({ name }) => name === target);
}

function victimOf(stack: FaultStack, target: string): Victim {
  const app = appOf(stack, target);
  if (app !== undefined) return app;
  const service = stack.services.get(target);
  if (service === undefined) throw new Error(`nothing is called ${target}`);
  return { ...service, start: () => service.restart() };
}

function routeOf(stack: FaultStack, target: string): TcpProxy {
  const found = [...stack.routes].find(([name]) => name === target);
  if (found === undefined) throw new Error(`no route is called ${target}`);
  return found[1];
}
