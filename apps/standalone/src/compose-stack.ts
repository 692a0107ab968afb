import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { migrateAuth } from '@tickrate/accounts';
import { migrateLedger, migrateQueue } from '@tickrate/pipeline';
import {
  type FirstProject,
  portPlan,
  readFileIfAny,
  readInstallationFile,
  writePrivateFile,
} from '@tickrate/platform';
import { createRegistry, migrateRegistry } from '@tickrate/registry';
import { createWarehouse } from '@tickrate/warehouse';
import type { StandaloneValues } from './config.ts';
import { type EnsuredProject, ensureFirstProject } from './folder/first-project.ts';
import { type AppName, appNames, placeCopies } from './processes/app-plans.ts';
import type { Copies } from './processes/copies.ts';
import { createDatabases, type DatabaseName } from './processes/databases.ts';
import { KeptProcess, type Launcher } from './processes/kept-process.ts';
import { createAppLauncher } from './processes/launch-app.ts';
import { createStack, type Stack } from './processes/stack.ts';
import { type LogFile, openLogFile } from './terminal/log-file.ts';
import type { SupervisionEvents } from './terminal/supervision-events.ts';
import type { Terminal } from './terminal/terminal.ts';

export interface StackPlan {
  readonly folder: string;
  readonly basePort: number;
  readonly demo: boolean;
  readonly copies: Copies;
  readonly values: StandaloneValues;
  readonly terminal: Terminal;
  readonly events: SupervisionEvents;
  readonly now: () => number;
}

export interface ComposedStack extends Stack {
  /** Where each process reports its health and metrics. */
  readonly metrics: Readonly<Record<string, string>>;
  readonly urls: Readonly<Record<AppName | DatabaseName, string>>;
}

/** Connects the processes of one data folder. Opens its log files and connects to nothing. */
export function composeStack(plan: StackPlan): ComposedStack {
  const { folder, values, terminal, events, now } = plan;
  const workingFolder = logFolderOf(folder);
  // PostgreSQL protects its folder itself; as root it belongs to another account.
  for (const closed of [workingFolder, join(folder, 'clickhouse'), join(folder, 'queries')])
    mkdirSync(closed, { recursive: true, mode: 0o700 });
  const ports = portPlan(plan.basePort);
  const openLog = (name: string): LogFile => {
    const path = join(workingFolder, `${name}.log`);
    return openLogFile(path, { onFault: (error) => events.logLost(path, error) });
  };
  const databases = createDatabases({
    folder,
    ports,
    password: keptSecret(folder, 'database-password'),
    logs: { postgres: openLog('postgres'), clickhouse: openLog('clickhouse'), queries: openLog('queries') },
  });
  const { urls } = databases;
  const keep = (launcher: Launcher) => new KeptProcess({ launcher, report: events, now });
  const { inherited, logLevel } = values;
  const admin = administratorOf(folder);
  const authSecret = keptSecret(folder, 'auth-secret');
  const secretsKey = keptSecret(folder, 'secrets-key');
  const dataFolders = [join(folder, 'postgres'), join(folder, 'clickhouse')];
  const places = forEachApp((name) =>
    placeCopies(name, {
      copies: plan.copies,
      inherited,
      logLevel,
      ports,
      urls,
      authSecret,
      secretsKey,
      admin,
      dataFolders,
      demo: plan.demo,
      demoFolder: join(folder, 'demo'),
    }),
  );
  const stack = createStack({
    workingFolder,
    places,
    urls,
    postgres: keep(databases.postgres),
    clickhouse: keep(databases.clickhouse),
    queries: keep(databases.queries),
    apps: forEachApp((name) =>
      places[name].map((place) =>
        keep(
          createAppLauncher({
            ...place,
            workingFolder,
            log: openLog(place.name),
            onWarning: (warning) => events.warned(place.name, warning),
          }),
        ),
      ),
    ),
    migratePostgres: () => migratePostgres(urls.postgres),
    migrateClickHouse: () => migrateClickHouse(urls.clickhouse),
    ensureProject: () => ensureProject(plan, urls.postgres, admin),
    preparePages,
    terminal,
  });
  const all = appNames.flatMap((name) => places[name]);
  return {
    ...stack,
    urls: { ...urls, ...forEachApp((name) => places[name][0].url) },
    metrics: Object.fromEntries(all.map(({ name, operatorUrl }) => [name, operatorUrl])),
  };
}

export function logFolderOf(folder: string): string {
  return join(folder, 'logs');
}

function forEachApp<T>(make: (name: AppName) => T): Record<AppName, T> {
  return Object.fromEntries(appNames.map((name) => [name, make(name)])) as Record<AppName, T>;
}

/** A secret of this folder: created once, in a separate file that people do not edit or delete. */
function keptSecret(
  folder: string,
  name: 'database-password' | 'auth-secret' | 'secrets-key' | 'admin-password',
): string {
  const path = join(folder, name);
  const kept = readFileIfAny(path)?.trim() ?? '';
  if (kept !== '') return kept;
  const secret = randomBytes(24).toString('hex');
  writePrivateFile(path, `${secret}\n`);
  return secret;
}

/** The stored password of the administrator, or a new one. A new one is stored at once, in case the start is killed. */
function administratorOf(folder: string): FirstProject['admin'] {
  const kept = readInstallationFile(folder)?.admin;
  if (kept?.email && kept.password) return kept;
  return { email: 'admin@example.com', password: keptSecret(folder, 'admin-password') };
}

async function ensureProject(
  { folder, now }: StackPlan,
  postgresUrl: string,
  admin: FirstProject['admin'],
): Promise<EnsuredProject> {
  const registry = createRegistry({
    postgresUrl,
    now,
    randomBytes,
    // What it is asked for fails in its own call.
    onFault: () => undefined,
  });
  try {
    return await ensureFirstProject(registry, admin, readInstallationFile(folder));
  } finally {
    await registry.close();
  }
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

const buildScript = join(import.meta.dirname, '../../console/src/build-pages/build-pages-main.ts');

/**
 * Builds the pages of the console if their sources have changed since the last build. Resolves with a remark for the
 * terminal, also when that fails: the management API works without pages.
 */
async function preparePages(): Promise<string> {
  const child = spawn(process.execPath, [buildScript], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (part: Buffer) => {
    said = (said + part.toString()).slice(-1_000);
  });
  const [code] = await once(child, 'close');
  if (code === 0) return '';
  return `not built, so the console shows no pages: ${said.trim().split('\n', 1)[0]}. Run \`npm ci\` again`;
}
