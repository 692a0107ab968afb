import { realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isTaken, processesIn, signal } from '@tickrate/embedded';
import type { EnsuredProject } from '../folder/first-project.ts';
import { StartFault } from '../start-fault.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type AppName, type AppPlaces, appNames } from './app-plans.ts';
import type { Databases } from './databases.ts';
import type { KeptProcess } from './kept-process.ts';

export interface StackParts {
  readonly workingFolder: string;
  readonly places: Readonly<Record<AppName, AppPlaces>>;
  readonly urls: Databases['urls'];
  readonly postgres: KeptProcess;
  readonly clickhouse: KeptProcess;
  readonly queries: KeptProcess;
  readonly apps: Readonly<Record<AppName, readonly KeptProcess[]>>;
  readonly migratePostgres: () => Promise<void>;
  readonly migrateClickHouse: () => Promise<void>;
  readonly ensureProject: () => Promise<EnsuredProject>;
  /** Resolves with a remark for the terminal. */
  readonly preparePages: () => Promise<string>;
  readonly terminal: Terminal;
}

/** All processes of an instance. `stop` interrupts `start`, which then rejects. */
export interface Stack {
  start(): Promise<EnsuredProject>;
  /** Stops the apps, then the databases. Resolves when no process is left. */
  stop(): Promise<void>;
  /** Kills all processes at once. Accepted events stay accepted. */
  abandon(): void;
}

export function createStack(parts: StackParts): Stack {
  const { postgres, clickhouse, queries, apps, terminal } = parts;
  let stopping: Promise<void> | null = null;
  const step = createSteps(terminal, () => stopping !== null);

  async function stopAll(): Promise<void> {
    await Promise.all(appNames.flatMap((name) => apps[name].map((copy) => copy.stop())));
    await Promise.all([postgres.stop(), clickhouse.stop(), queries.stop()]);
  }

  return {
    async start() {
      await endLeftovers(parts);
      return startAll(parts, step);
    },
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
    abandon() {
      for (const copy of appNames.flatMap((name) => apps[name])) kill(copy, 'SIGKILL');
      kill(clickhouse, 'SIGKILL');
      kill(queries, 'SIGKILL');
      // The immediate shutdown, which also ends the server's own processes.
      kill(postgres, 'SIGQUIT');
    },
  };
}

/** Does one step of the start and shows it. Rejects if the start is interrupted. */
type RunStep = <T>(title: string, work: () => Promise<T>, detailOf?: (result: T) => string) => Promise<T>;

function createSteps(terminal: Terminal, isInterrupted: () => boolean): RunStep {
  return async (title, work, detailOf) => {
    if (isInterrupted()) throw new Error('The start was interrupted');
    const line = terminal.begin(title);
    try {
      const result = await work();
      if (isInterrupted()) throw new Error('The start was interrupted');
      line.done(detailOf?.(result));
      return result;
    } catch (error) {
      line.failed();
      throw error;
    }
  };
}

/** Starts each part as soon as the parts that it needs are ready. */
async function startAll(parts: StackParts, step: RunStep): Promise<EnsuredProject> {
  const { postgres, clickhouse, apps, urls } = parts;
  const postgresUp = step(
    'PostgreSQL',
    () => postgres.start(),
    () => hostOf(urls.postgres),
  ).then(() => step('PostgreSQL schemas', parts.migratePostgres));
  const clickhouseUp = step(
    'ClickHouse',
    () => clickhouse.start(),
    () => hostOf(urls.clickhouse),
  ).then(() => step('ClickHouse schema', parts.migrateClickHouse));
  const queriesUp = step(
    'Query engine',
    () => parts.queries.start(),
    () => hostOf(urls.queries),
  );
  const startApp = (name: AppName) =>
    step(
      titles[name],
      () => startCopies(apps[name]),
      () => addressOf(parts.places[name]),
    );
  const [project] = await Promise.all([
    postgresUp.then(() => step('First project', parts.ensureProject, projectDetail)),
    ...(['gateway', 'auth', 'console', 'demo'] as const).map((name) => postgresUp.then(() => startApp(name))),
    Promise.all([postgresUp, clickhouseUp]).then(() => startApp('worker')),
    queriesUp,
    step('Console pages', parts.preparePages, (remark) => remark),
  ]);
  return project;
}

/** The first one creates what all need, such as the administrator. */
async function startCopies([first, ...others]: readonly KeptProcess[]): Promise<void> {
  await first?.start();
  await Promise.all(others.map((copy) => copy.start()));
}

function addressOf(places: AppPlaces): string {
  const { url } = places[0];
  return places.length === 1 ? url : `${url} (${places.length} processes)`;
}

async function endLeftovers({ workingFolder, places }: StackParts): Promise<void> {
  const all = appNames.flatMap((name) => places[name]);
  const scripts = all.map(({ script }) => script);
  const timeoutMs = (await endLeftoverApps(workingFolder, scripts)) ? 1_000 : 0;
  const urls = all.flatMap(({ url, operatorUrl }) => [url, operatorUrl]);
  for (const each of new Set(urls)) await requireFreePort(each, timeoutMs);
}

function kill({ pid }: KeptProcess, name: 'SIGKILL' | 'SIGQUIT'): void {
  if (pid !== null) signal(pid, name);
}

const portPollMs = 20;

const titles: Readonly<Record<AppName, string>> = {
  gateway: 'Gateway',
  auth: 'Auth',
  worker: 'Worker',
  console: 'Console',
  demo: 'Simulated game',
};

async function requireFreePort(url: string, timeoutMs: number): Promise<void> {
  const port = Number(new URL(url).port);
  for (let waitedMs = 0; await isTaken(port); waitedMs += portPollMs) {
    if (waitedMs >= timeoutMs) {
      throw new StartFault(
        `Port ${port} on 127.0.0.1 is taken`,
        'Stop the process that uses it, or choose other ports with --port N (N and those above it)',
      );
    }
    await delay(portPollMs);
  }
}

function projectDetail({ made, project }: EnsuredProject): string {
  if (made.project) return `"My game", ${made.eventTypes} event types`;
  return made.keys === 0 ? project.projectId : `${project.projectId}, a new key, as the saved one has an end`;
}

function hostOf(url: string): string {
  return new URL(url).host;
}

const steps = [
  // They are already ending, because their supervisor is gone.
  { name: null, waitMs: 1_000 },
  { name: 'SIGTERM', waitMs: 3_000 },
  { name: 'SIGKILL', waitMs: 2_000 },
] as const;
const pollMs = 20;

/**
 * Ends the apps of a killed supervisor that still run: processes that work in this folder and run one of these main
 * files. A shell in the folder is not an app. Databases end without help. Resolves with whether there was one: its
 * ports may become free a moment later.
 */
async function endLeftoverApps(workingFolder: string, scripts: readonly string[]): Promise<boolean> {
  const folder = realpathSync(workingFolder);
  const alive = () =>
    processesIn(folder).filter(({ commandLine }) => scripts.some((script) => commandLine.includes(script)));
  const found = alive().length > 0;
  for (const { name, waitMs } of steps) {
    if (name !== null) for (const { pid } of alive()) signal(pid, name);
    for (let waitedMs = 0; waitedMs < waitMs && alive().length > 0; waitedMs += pollMs) await delay(pollMs);
  }
  return found;
}
