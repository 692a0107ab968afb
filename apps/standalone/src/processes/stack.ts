import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrateAuth } from '@tickrate/accounts';
import { signal } from '@tickrate/embedded';
import { migrateLedger, migrateQueue } from '@tickrate/pipeline';
import { portPlan } from '@tickrate/platform';
import { migrateRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import { keptSecret } from '../folder/data-folder.ts';
import { type EnsuredProject, ensureFirstProject } from '../folder/first-project.ts';
import { type LogFile, openLogFile } from '../terminal/log-file.ts';
import type { SupervisionEvents } from '../terminal/supervision-events.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type AppName, type AppPlaces, type AppPlan, appNames, placeCopies } from './app-plans.ts';
import { preparePages } from './console-pages.ts';
import { createDatabases, type DatabaseName } from './databases.ts';
import { KeptProcess, type Launcher } from './kept-process.ts';
import { createAppLauncher } from './launch-app.ts';
import { endLeftovers } from './leftovers.ts';

export interface StackPlan extends AppPlan {
  readonly logFolder: string;
  readonly terminal: Terminal;
  readonly events: SupervisionEvents;
  readonly now: () => number;
}

export type Stack = ReturnType<typeof createStack>;

/** All processes of one data folder. Opens their log files and connects to nothing before `start`. */
export function createStack(plan: StackPlan) {
  const { databases, urls, apps } = createProcesses(plan);
  const places = appNames.flatMap((name) => apps[name].places);
  const copies = appNames.flatMap((name) => apps[name].copies);
  let stopping: Promise<void> | null = null;
  const step = createSteps(plan.terminal, () => stopping !== null);

  function startDatabase(name: DatabaseName): Promise<void> {
    const database = databases[name];
    return step(
      database.name,
      () => database.start(),
      () => new URL(urls[name]).host,
    );
  }

  function startApp(name: AppName): Promise<void> {
    return step(
      titles[name],
      () => startCopies(apps[name].copies),
      () => addressOf(apps[name].places),
    );
  }

  /** Starts each part as soon as the parts that it needs are ready. */
  async function startAll(): Promise<EnsuredProject> {
    const postgresUp = startDatabase('postgres').then(() =>
      step('PostgreSQL schemas', () => migratePostgres(urls.postgres)),
    );
    const clickhouseUp = startDatabase('clickhouse').then(() =>
      step('ClickHouse schema', () => migrateClickHouse(urls.clickhouse)),
    );
    const [project] = await Promise.all([
      postgresUp.then(() =>
        step('First project', () => ensureFirstProject(plan, urls.postgres), projectDetail),
      ),
      ...(['gateway', 'auth', 'console', 'demo'] as const).map((name) =>
        postgresUp.then(() => startApp(name)),
      ),
      Promise.all([postgresUp, clickhouseUp]).then(() => startApp('worker')),
      startDatabase('queries'),
      step('Console pages', preparePages, (remark) => remark),
    ]);
    return project;
  }

  async function stopAll(): Promise<void> {
    await Promise.all(copies.map((copy) => copy.stop()));
    await Promise.all(Object.values(databases).map((database) => database.stop()));
  }

  return {
    urls: { ...urls, ...forEachApp((name) => apps[name].places[0].url) },
    /** Where each process reports its health and metrics. */
    metrics: Object.fromEntries(places.map(({ name, operatorUrl }) => [name, operatorUrl])),
    /** Rejects if `stop` interrupts it. */
    async start(): Promise<EnsuredProject> {
      await endLeftovers(plan.logFolder, places);
      return startAll();
    },
    /** Stops the apps, then the databases. Resolves when no process is left. */
    stop(): Promise<void> {
      stopping ??= stopAll();
      return stopping;
    },
    /** Kills all processes at once. Accepted events stay accepted. */
    abandon(): void {
      for (const each of [...copies, databases.clickhouse, databases.queries]) kill(each, 'SIGKILL');
      // The immediate shutdown, which also ends the server's own processes.
      kill(databases.postgres, 'SIGQUIT');
    },
  };
}

function createProcesses(plan: StackPlan) {
  const { folder, logFolder, events, now } = plan;
  // PostgreSQL protects its folder itself; as root it belongs to another account.
  for (const name of ['clickhouse', 'queries'])
    mkdirSync(join(folder, name), { recursive: true, mode: 0o700 });
  const openLog = (name: string): LogFile => {
    const path = join(logFolder, `${name}.log`);
    return openLogFile(path, { onFault: (error) => events.logLost(path, error) });
  };
  const keep = (launcher: Launcher) => new KeptProcess({ launcher, report: events, now });
  const ports = portPlan(plan.basePort);
  const password = keptSecret(folder, 'database-password');
  const { urls, launchers } = createDatabases({ folder, ports, password, openLog });
  const apps = forEachApp((name) => {
    const places = placeCopies(name, plan, urls);
    const copies = places.map((place) => {
      const onWarning = (warning: Parameters<SupervisionEvents['warned']>[1]) =>
        events.warned(place.name, warning);
      const log = openLog(place.name);
      return keep(createAppLauncher({ ...place, workingFolder: logFolder, log, onWarning }));
    });
    return { places, copies };
  });
  const databases = {
    postgres: keep(launchers.postgres),
    clickhouse: keep(launchers.clickhouse),
    queries: keep(launchers.queries),
  };
  return { databases, urls, apps };
}

function forEachApp<T>(make: (name: AppName) => T): Record<AppName, T> {
  return Object.fromEntries(appNames.map((name) => [name, make(name)])) as Record<AppName, T>;
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

/** The first one creates what all need, such as the administrator. */
async function startCopies([first, ...others]: readonly KeptProcess[]): Promise<void> {
  await first?.start();
  await Promise.all(others.map((copy) => copy.start()));
}

async function migratePostgres(url: string): Promise<void> {
  await Promise.all([migrateRegistry(url), migrateAuth(url), migrateLedger(url), migrateQueue(url)]);
}

/** Does not create a dropped table of events again. */
async function migrateClickHouse(clickhouseUrl: string): Promise<void> {
  const warehouse = createWarehouse({ clickhouseUrl });
  try {
    await warehouse.migrate();
  } finally {
    await warehouse.close();
  }
}

const titles: Readonly<Record<AppName, string>> = {
  gateway: 'Gateway',
  auth: 'Auth',
  worker: 'Worker',
  console: 'Console',
  demo: 'Simulated game',
};

function addressOf(places: AppPlaces): string {
  const { url } = places[0];
  return places.length === 1 ? url : `${url} (${places.length} processes)`;
}

function projectDetail({ made, project }: EnsuredProject): string {
  if (made.project) return `"My game", ${made.eventTypes} event types`;
  return made.keys === 0 ? project.projectId : `${project.projectId}, a new key, as the saved one has an end`;
}

function kill({ pid }: KeptProcess, name: 'SIGKILL' | 'SIGQUIT'): void {
  if (pid !== null) signal(pid, name);
}
