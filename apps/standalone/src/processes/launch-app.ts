import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChildExit } from '@tickrate/embedded';
import { createLineScanner } from '../terminal/line-scanner.ts';
import type { LogFile } from '../terminal/log-file.ts';
import { stderrWarningOf, type Warning, warningOf } from '../terminal/warning.ts';
import type { AppPlace } from './app-plans.ts';
import { exitText, type Launcher, type Readiness, type Running } from './kept-process.ts';

interface LaunchPlan extends AppPlace {
  /** The working directory: it identifies the apps of a killed supervisor. */
  readonly workingFolder: string;
  readonly log: LogFile;
  readonly onWarning: (warning: Warning) => void;
}

/** How long it may take to complete its work at a stop. */
const stopGraceMs = 4_000;

const warningMarks = ['{"level":"warn"', '{"level":"error"', '{"level":"fatal"'];
const silentPollMs = 25;
// Every answered probe is a line in the app's log.
const answeredPollMs = 100;
const probeTimeoutMs = 2_000;

/** Launches an app with the Node of this process. It ends by itself when this process ends: its IPC channel breaks. */
export function createAppLauncher(plan: LaunchPlan): Launcher {
  return {
    name: plan.name,
    launch: () => launch(plan),
    whenReady: (running, signal) => whenReady(plan, running, signal),
  };
}

async function launch(plan: LaunchPlan): Promise<Running> {
  const child = spawn(process.execPath, [plan.script], {
    cwd: plan.workingFolder,
    env: { ...plan.environment },
    // A separate session: a Ctrl-C in the terminal reaches only this process, which stops the apps in order.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  listen(child, plan);
  const { promise: exited, resolve } = Promise.withResolvers<ChildExit>();
  // Not 'close', which waits for every pipe. The rest of a pipe is still written to the log.
  child.once('exit', (code, signal) => resolve({ code, signal }));
  await new Promise<void>((spawned, failed) => {
    child.once('spawn', () => spawned());
    child.on('error', failed);
  });
  return {
    pid: child.pid ?? 0,
    exited,
    stop: () => stop(child, exited),
  };
}

function listen(child: ChildProcess, { log, onWarning }: LaunchPlan): void {
  const report = (warning: Warning | null) => {
    if (warning !== null) onWarning(warning);
  };
  const lines = createLineScanner(warningMarks, (line) => report(warningOf(line)));
  const errorLines = createLineScanner(['\n'], (line) => report(stderrWarningOf(line)));
  child.stdout?.on('data', (chunk: Buffer) => {
    log.write(chunk);
    lines(chunk);
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    log.write(chunk);
    errorLines(chunk);
  });
}

async function stop(child: ChildProcess, exited: Promise<ChildExit>): Promise<void> {
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), stopGraceMs);
  await exited;
  clearTimeout(force);
}

async function whenReady(
  { operatorUrl }: LaunchPlan,
  running: Running,
  signal: AbortSignal,
): Promise<Readiness> {
  let exit: ChildExit | null = null;
  void running.exited.then((ended) => {
    exit = ended;
  });
  for (let reason = 'did not answer', pauseMs = silentPollMs; ; await delay(pauseMs)) {
    if (exit !== null) return { ready: false, reason: `ended (${exitText(exit)})` };
    if (signal.aborted) return { ready: false, reason };
    const found = await probe(`${operatorUrl}/health/ready`);
    if (found === 'ready') return { ready: true };
    pauseMs = found === null ? silentPollMs : answeredPollMs;
    if (found !== null) reason = found;
  }
}

/** 'ready', the checks that it reports as failed, or null if it does not listen yet. */
async function probe(url: string): Promise<string | null> {
  try {
    const answer = await fetch(url, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(probeTimeoutMs),
    });
    if (answer.ok) return 'ready';
    const { data } = (await answer.json()) as { data?: { checks?: Record<string, string | null> } };
    const lacking = Object.entries(data?.checks ?? {}).filter(([, reason]) => reason !== null);
    return `is not ready: ${lacking.map(([name, reason]) => `${name}: ${reason}`).join('; ')}`;
  } catch {
    return null;
  }
}
